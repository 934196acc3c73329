// Texts put together from pieces are what JSON.stringify makes of whole objects, in every form and of every selection.
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import t from 'tap'
import type { CatalogSource } from '../../src/api/catalog-source.ts'
import type { Form, ListRequest } from '../../src/http/resource.ts'
import { ageSince } from '../../src/package-server/age.ts'
import { goJson } from '../../src/package-server/go-json.ts'
import { PACKAGE_MANIFEST_DEFINITION } from '../../src/package-server/package-manifest-definition.ts'
import {
  createPackageManifestResource,
  type OfferedManifest,
  type PackageManifestResource,
} from '../../src/package-server/package-manifest-resource.ts'
import { offeredUid } from '../../src/package-server/uid.ts'
import {
  catalogSource,
  getRequest,
  listRequest,
  offer,
  selecting,
  textOf,
  watchRequest,
} from '../fixtures/offered-manifests.ts'

const NOW = Date.parse('2026-12-01T12:00:00Z')
const TIMES = ['2026-12-01T11:59:30Z', '2026-11-01T00:00:00Z', undefined]

interface Offered {
  readonly source: CatalogSource
  readonly offered: OfferedManifest
}

/** What the store must answer, written plainly. */
interface Plain {
  readonly source: CatalogSource
  readonly object: Readonly<Record<string, unknown>>
  readonly metadata: {
    readonly name: string
    readonly namespace: string
    readonly labels: Readonly<Record<string, string>>
  }
}

const FORMS: readonly Form[] = [
  { as: 'object' },
  ...(['v1', 'v1beta1'] as const).flatMap((version): Form[] => [
    { as: 'metadata', version },
    ...(['None', 'Metadata', 'Object'] as const).map(
      (includeObject): Form => ({ as: 'table', version, includeObject }),
    ),
  ]),
]

function sorted(map: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** By the rule book: namespace, name, own before global, priority, catalog. */
function visible(all: readonly Offered[], namespace: string | undefined): readonly Offered[] {
  const seen = all.filter(({ source }) => namespace === undefined || [namespace, 'olm'].includes(source.namespace))
  const key = ({ source, offered }: Offered) => [
    namespace === undefined ? source.namespace : '',
    offered.manifest.metadata.name,
    namespace !== undefined && source.namespace !== namespace ? 1 : 0,
    -source.priority,
    source.name,
  ]
  return [...seen].sort((a, b) => {
    const [x, y] = [key(a), key(b)]
    const index = x.findIndex((part, position) => part !== y[position])
    const [left, right] = [x[index] ?? '', y[index] ?? '']
    if (typeof left === 'string') return Buffer.compare(Buffer.from(left), Buffer.from(String(right)))
    return left - Number(right)
  })
}

async function plainOf(
  resource: PackageManifestResource,
  { source, offered }: Offered,
  namespace: string | undefined,
): Promise<Plain> {
  const { name, creationTimestamp, labels } = offered.manifest.metadata
  const version = resource.stored.view
    .named(resource.stored.store.state().items, source.namespace, name)
    .find((item) => item.content.catalog === source.name)?.version
  const metadata = {
    name,
    namespace: namespace ?? source.namespace,
    uid: offeredUid(source, name),
    resourceVersion: String(version),
    ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
    labels: sorted(labels ?? {}),
  }
  return { source, metadata, object: { metadata, spec: offered.manifest.spec, status: offered.manifest.status } }
}

const TYPE = { kind: 'PackageManifest', apiVersion: 'packages.operators.coreos.com/v1' }

function partial(plain: Plain, version: string): unknown {
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: plain.metadata }
}

function row(plain: Plain, form: Extract<Form, { as: 'table' }>): unknown {
  const created = plain.source.creationTimestamp
  const age = ageSince(created === undefined ? undefined : Date.parse(created), NOW)
  const objects = { None: null, Metadata: partial(plain, form.version), Object: { ...TYPE, ...plain.object } }
  return { cells: [plain.metadata.name, plain.source.displayName, age], object: objects[form.includeObject] }
}

function table(rows: readonly unknown[], version: string, metadata: unknown, columns: unknown): unknown {
  return { kind: 'Table', apiVersion: `meta.k8s.io/${version}`, metadata, columnDefinitions: columns, rows }
}

const { columns } = PACKAGE_MANIFEST_DEFINITION

function listOf(items: readonly Plain[], form: Form, resourceVersion: string): unknown {
  const metadata = { resourceVersion }
  if (form.as === 'table')
    return table(
      items.map((item) => row(item, form)),
      form.version,
      metadata,
      columns,
    )
  if (form.as === 'object') {
    return { ...TYPE, kind: 'PackageManifestList', metadata, items: items.map(({ object }) => object) }
  }
  const apiVersion = `meta.k8s.io/${form.version}`
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion,
    metadata,
    items: items.map((item) => partial(item, form.version)),
  }
}

function singleOf(plain: Plain, form: Form, version: string, headers = true): unknown {
  if (form.as === 'object') return { ...TYPE, ...plain.object }
  if (form.as === 'metadata') return partial(plain, form.version)
  return table([row(plain, form)], form.version, { resourceVersion: version }, headers ? columns : null)
}

const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 30 }), fc.constantFrom('<&>\u2028', '"\\', 'ü✓', '\ud800'))
const catalogs = fc.array(
  fc.record(
    {
      key: fc.constantFrom('olm/a', 'olm/b', 'team/a', 'team/c', 'solo/d'),
      priority: fc.integer({ min: -1, max: 1 }),
      displayName: text,
      creationTimestamp: fc.constantFrom(...TIMES),
      offers: fc.dictionary(
        fc.constantFrom('p1', 'p2', 'p3', 'p\u{10000}', 'p\uffee'),
        fc.record({ description: text, tier: fc.constantFrom('gold', 'lead', '<b>') }, { noNullPrototype: true }),
        { noNullPrototype: true },
      ),
    },
    { noNullPrototype: true },
  ),
  { maxLength: 5 },
)

async function fill(
  resource: PackageManifestResource,
  worlds: typeof catalogs extends fc.Arbitrary<infer T> ? T : never,
) {
  const latest = new Map<string, Offered[]>()
  for (const { key, priority, displayName, creationTimestamp, offers } of worlds) {
    const source = catalogSource(key, { priority, displayName, creationTimestamp })
    const made = Object.entries(offers).map(([name, { description, tier }]) => ({
      source,
      offered: offer(source, name, 1, { description, labels: { tier, zone: '1', 'a.b/c': '2' } }),
    }))
    latest.set(key, made)
    await resource.replace(
      source,
      made.map(({ offered }) => offered),
    )
  }
  return [...latest.values()].flat()
}

const selections: readonly (Partial<ListRequest> & {
  readonly label: string
  readonly keep: (plain: Plain) => boolean
})[] = [
  { label: 'everything', keep: () => true },
  { label: 'catalog=a', ...selecting('catalog=a'), keep: ({ source }) => source.name === 'a' },
  { label: 'tier!=gold', ...selecting('tier!=gold'), keep: ({ metadata }) => metadata.labels.tier !== 'gold' },
  { label: 'a name', ...selecting('', 'metadata.name=p1'), keep: ({ metadata }) => metadata.name === 'p1' },
  { label: 'nothing', ...selecting('tier=none'), keep: () => false },
]

t.test('lists', async (t) => {
  await fc.assert(
    fc.asyncProperty(catalogs, fc.constantFrom(undefined, 'olm', 'team', 'else<where'), async (worlds, namespace) => {
      const resource = createPackageManifestResource({ globalNamespace: 'olm', now: () => NOW })
      const all = await fill(resource, worlds)
      const seen = await Promise.all(visible(all, namespace).map((each) => plainOf(resource, each, namespace)))
      const version = String(resource.stored.store.state().version)
      for (const form of FORMS) {
        for (const { label, keep, ...selection } of selections) {
          const expected = `${goJson(listOf(seen.filter(keep), form, version))}\n`
          const etags = new Set<string | undefined>()
          for (const encoding of ['identity', 'gzip', 'identity', 'identity', 'gzip', 'gzip'] as const) {
            const payload = await resource.list(listRequest({ namespace, form, ...selection }))
            const body = Buffer.concat((await payload.bytes(encoding)) ?? [])
            const got = (encoding === 'gzip' ? gunzipSync(body) : body).toString()
            if (got !== expected) throw new Error(`${label} ${JSON.stringify(form)} ${encoding}\n${got}\n${expected}`)
            etags.add(payload.etag)
          }
          if (etags.size !== 1) throw new Error('an ETag that wavers')
        }
      }
      resource.close()
    }),
    { numRuns: 25 },
  )
  t.pass('held')
})

t.test('single objects and events', async (t) => {
  await fc.assert(
    fc.asyncProperty(catalogs, fc.constantFrom('olm', 'team', 'elsewhere'), async (worlds, namespace) => {
      const resource = createPackageManifestResource({ globalNamespace: 'olm', now: () => NOW })
      const all = await fill(resource, worlds)
      const seen = await Promise.all(visible(all, namespace).map((each) => plainOf(resource, each, namespace)))
      for (const form of FORMS) {
        for (const plain of seen.filter(
          (each) => each === seen.find((other) => other.metadata.name === each.metadata.name),
        )) {
          const { resourceVersion = '' } = plain.metadata as { resourceVersion?: string }
          const expected = `${goJson(singleOf(plain, form, resourceVersion))}\n`
          const payload = await resource.get(getRequest(namespace, plain.metadata.name, { form }))
          const zipped = gunzipSync(Buffer.concat((await payload.bytes('gzip')) ?? [])).toString()
          if ((await textOf(payload)) !== expected || zipped !== expected) throw new Error(`${zipped}\n${expected}`)
        }
        const cursor = await resource.watch(watchRequest({ namespace, form }))
        const frames = cursor.read(1e9).frames.map((frame) => Buffer.from(frame).toString())
        const frameOf = (plain: Plain, index: number) => {
          const { resourceVersion = '' } = plain.metadata as { resourceVersion?: string }
          return goJson({ type: 'ADDED', object: singleOf(plain, form, resourceVersion, index === 0) })
        }
        const byName = Map.groupBy(seen, (plain) => plain.metadata.name)
        const expected = [...byName.values()].flatMap((group) => group.toReversed()).map(frameOf)
        if (frames.join('\n') !== expected.join('\n')) throw new Error(`${frames.join('\n')}\n\n${expected.join('\n')}`)
        cursor.close()
      }
      resource.close()
    }),
    { numRuns: 25 },
  )
  t.pass('held')
})

t.test(
  'two replicas give equal bytes in whatever order catalogs come, numbers aside, and equal ETags (R021)',
  async (t) => {
    await fc.assert(
      fc.asyncProperty(catalogs, async (worlds) => {
        const unique = [...new Map(worlds.map((world) => [world.key, world])).values()]
        const texts: string[] = []
        for (const order of [unique, unique.toReversed()]) {
          const resource = createPackageManifestResource({ globalNamespace: 'olm', now: () => NOW })
          await fill(resource, order)
          for (const namespace of [undefined, 'team']) {
            const payload = await resource.list(listRequest({ namespace }))
            const text = await textOf(payload)
            texts.push(`${payload.etag} ${text.replaceAll(/"resourceVersion":"\d+"/g, '')}`)
          }
          resource.close()
        }
        return texts[0] === texts[2] && texts[1] === texts[3]
      }),
      { numRuns: 60 },
    )
    t.pass('held')
  },
)

for (const count of [0, 1, 10_000]) {
  t.test(`${count} packages: gzip joined from pieces is the plain body`, async (t) => {
    const resource = createPackageManifestResource({ globalNamespace: 'olm', now: () => NOW })
    const source = catalogSource('olm/a')
    const names = Array.from({ length: count }, (_, index) => `package-${index}`)
    await resource.replace(
      source,
      names.map((name) => offer(source, name)),
    )
    const list = () => resource.list(listRequest({ namespace: 'elsewhere' }))
    const zipped = gunzipSync(Buffer.concat((await (await list()).bytes('gzip')) ?? []))
    const text = await textOf(await list())
    t.equal(zipped.toString(), text)
    t.equal((JSON.parse(text) as { items: unknown[] }).items.length, count)
    resource.close()
  })
}
