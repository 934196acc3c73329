import fc from 'fast-check'
import t from 'tap'
import type { CatalogSource } from '../../src/api/catalog-source.ts'
import { type ClusterServiceVersion, decodeClusterServiceVersion } from '../../src/api/cluster-service-version.ts'
import { PACKAGE_MANIFEST_SCHEMA } from '../../src/api/package-manifest-schema.ts'
import { createCheck } from '../../src/api/schema-check.ts'
import type { SnapshotChannel, SnapshotEntry, SnapshotPackage } from '../../src/catalog/snapshot.ts'
import { toPackageManifest, toPackageManifests } from '../../src/package-server/to-package-manifest.ts'

const SOURCE: CatalogSource = {
  namespace: 'olm',
  name: 'cat',
  uid: undefined,
  creationTimestamp: '2026-03-01T00:00:00Z',
  labels: { tier: 'gold' },
  displayName: 'Cat',
  publisher: 'Us',
  priority: 0,
  address: 'localhost:50051',
}

function csv(document: object): ClusterServiceVersion {
  const decoded = decodeClusterServiceVersion(JSON.stringify(document))
  if ('reason' in decoded) throw new Error(decoded.reason)
  return decoded.csv
}

function head(name: string, spec: object = {}, labels: object = {}): ClusterServiceVersion {
  return csv({ metadata: { name, labels }, spec })
}

function entry(name: string, version: string, deprecation?: string): SnapshotEntry {
  return { name, version, deprecation, replaces: '', skips: [], skipRange: '' }
}

function channel(name: string, of: ClusterServiceVersion, more: Partial<SnapshotChannel> = {}): SnapshotChannel {
  return { name, deprecation: undefined, head: of, entries: [entry(of.name, of.version)], ...more }
}

function content(more: Partial<SnapshotPackage> = {}): SnapshotPackage {
  return { name: 'tide', deprecation: undefined, defaultChannel: 'stable', channels: [], ...more }
}

function made(package_: SnapshotPackage, source: CatalogSource = SOURCE) {
  const one = toPackageManifest(package_, source)
  if (one === undefined) throw new Error('left out')
  return one
}

t.test('one whole manifest, member by member in the order of the wire', async (t) => {
  const v1 = head('tide.v1.0.0', { version: '1.0.0', provider: { name: 'Harbour' } })
  const v2 = head('tide.v2.0.0-rc.1', { version: '2.0.0-rc.1' })
  const package_ = content({
    deprecation: 'Use ebb.',
    channels: [
      channel('stable', v1, {
        deprecation: 'Frozen.',
        entries: [entry('tide.v0.9.0', '0.9.0', 'Leaks.'), entry('tide.v1.0.0', '1.0.0')],
      }),
      channel('candidate', v2),
    ],
  })
  const { manifest, icon } = made(package_)
  const nothing = { customresourcedefinitions: {}, apiservicedefinitions: {} }
  t.equal(
    JSON.stringify(manifest, null, 1),
    JSON.stringify(
      {
        kind: 'PackageManifest',
        apiVersion: 'packages.operators.coreos.com/v1',
        metadata: {
          name: 'tide',
          namespace: 'olm',
          creationTimestamp: '2026-03-01T00:00:00Z',
          labels: {
            catalog: 'cat',
            'catalog-namespace': 'olm',
            'operatorframework.io/arch.amd64': 'supported',
            'operatorframework.io/os.linux': 'supported',
            provider: 'Harbour',
            'provider-url': '',
            tier: 'gold',
          },
        },
        spec: {},
        status: {
          catalogSource: 'cat',
          catalogSourceDisplayName: 'Cat',
          catalogSourcePublisher: 'Us',
          catalogSourceNamespace: 'olm',
          provider: { name: 'Harbour' },
          packageName: 'tide',
          deprecation: { message: 'Use ebb.' },
          channels: [
            {
              name: 'candidate',
              currentCSV: 'tide.v2.0.0-rc.1',
              currentCSVDesc: { version: '2.0.0-rc.1', provider: {}, ...nothing },
              entries: [{ name: 'tide.v2.0.0-rc.1', version: '2.0.0-rc.1' }],
            },
            {
              name: 'stable',
              currentCSV: 'tide.v1.0.0',
              currentCSVDesc: { version: '1.0.0', provider: { name: 'Harbour' }, ...nothing },
              deprecation: { message: 'Frozen.' },
              entries: [
                { name: 'tide.v1.0.0', version: '1.0.0' },
                { name: 'tide.v0.9.0', version: '0.9.0', deprecation: { message: 'Leaks.' } },
              ],
            },
          ],
          defaultChannel: 'stable',
        },
      },
      null,
      1,
    ),
  )
  t.equal(icon, undefined)
})

t.test('the default channel', async (t) => {
  const icon = (data: string) => [{ base64data: data, mediatype: 'image/png' }]
  const alpha = channel('alpha', head('a', { provider: { name: 'A' }, icon: icon('AAAA') }, { from: 'alpha' }))
  const beta = channel('beta', head('b', { provider: { name: 'B' }, icon: icon('BBBB') }, { from: 'beta' }))
  const table: readonly (readonly [string, string, 'A' | 'B'])[] = [
    ['alpha', 'alpha', 'A'],
    ['beta', 'beta', 'B'],
    ['', '', 'A'],
    ['elided', 'alpha', 'A'],
  ]
  for (const [said, shown, of] of table) {
    const { manifest, icon } = made(content({ defaultChannel: said, channels: [beta, alpha] }))
    t.equal(manifest.status.defaultChannel, shown, `"${said}"`)
    t.strictSame(manifest.status.provider, { name: of })
    t.equal(manifest.metadata.labels?.provider, of)
    t.equal(manifest.metadata.labels?.from, of === 'A' ? 'alpha' : 'beta')
    t.equal(icon?.base64data, of.repeat(4))
  }
})

t.test('channels sort bytewise (R060)', async (t) => {
  const names = ['stable', 'alpha', 'candidate-1.9', 'candidate-1.10', 'Beta', '\u{10000}', '\ufffd']
  const { manifest } = made(content({ channels: names.map((name) => channel(name, head(name))) }))
  const sorted = ['Beta', 'alpha', 'candidate-1.10', 'candidate-1.9', 'stable', '\ufffd', '\u{10000}']
  t.strictSame(
    manifest.status.channels.map(({ name }) => name),
    sorted,
  )
})

t.test('currentCSV is the name inside the CSV, whatever the entries are called', async (t) => {
  const one = channel('stable', head('inner.v1'), { entries: [entry('outer.v1', '1.0.0')] })
  const { manifest } = made(content({ channels: [one] }))
  t.equal(manifest.status.channels[0]?.currentCSV, 'inner.v1')
  t.strictSame(manifest.status.channels[0]?.entries, [{ name: 'outer.v1', version: '1.0.0' }])
  const none = made(content({ channels: [channel('stable', head('x'), { entries: [] })] }))
  t.strictSame(none.manifest.status.channels[0]?.entries, [], 'entries are always a list')
})

t.test('deprecations stand at their own level and nowhere else; an empty message is still one (R064)', async (t) => {
  const levels = (manifest: ReturnType<typeof made>['manifest']) => [
    manifest.status.deprecation,
    manifest.status.channels[0]?.deprecation,
    manifest.status.channels[0]?.entries[0]?.deprecation,
  ]
  const of = (p?: string, c?: string, e?: string) => {
    const entries = [entry('x', '1.0.0', e)]
    return levels(
      made(content({ deprecation: p, channels: [channel('stable', head('x'), { deprecation: c, entries })] })).manifest,
    )
  }
  t.strictSame(of(), [undefined, undefined, undefined])
  t.strictSame(of('p'), [{ message: 'p' }, undefined, undefined])
  t.strictSame(of(undefined, 'c\nü'), [undefined, { message: 'c\nü' }, undefined])
  t.strictSame(of(undefined, undefined, ''), [undefined, undefined, { message: '' }])
})

t.test('a package without a channel is left out; packages sort by name', async (t) => {
  const channels = [channel('stable', head('x'))]
  const packages = [content({ name: 'b', channels }), content({ name: 'none' }), content({ name: 'a', channels })]
  const snapshot = { packages, leftOut: [], hash: '', readAt: 0, bytes: 0 }
  t.strictSame(
    toPackageManifests(snapshot, SOURCE).map(({ manifest }) => manifest.metadata.name),
    ['a', 'b'],
  )
})

t.test('channels with one head share one description, and all is frozen', async (t) => {
  const one = head('x', { description: 'long' })
  const { manifest } = made(content({ channels: [channel('a', one), channel('b', one), channel('c', head('x'))] }))
  const [a, b, c] = manifest.status.channels
  t.equal(a?.currentCSVDesc, b?.currentCSVDesc)
  t.not(a?.currentCSVDesc, c?.currentCSVDesc)
  const thawed: string[] = []
  const look = (value: unknown, path: string) => {
    if (typeof value !== 'object' || value === null) return
    if (!Object.isFrozen(value)) thawed.push(path)
    for (const [key, member] of Object.entries(value)) look(member, `${path}.${key}`)
  }
  look(made(content({ channels: [channel('a', one, { deprecation: 'd' })] })), '')
  t.strictSame(thawed, [])
})

t.test('an unknown time of creation is left out', async (t) => {
  const { manifest } = made(content({ channels: [channel('a', head('x'))] }), {
    ...SOURCE,
    creationTimestamp: undefined,
  })
  t.notOk('creationTimestamp' in manifest.metadata)
})

t.test('whatever a CSV says, the manifest fits its schema and never holds what breaks clients', async () => {
  const check = createCheck(closed(PACKAGE_MANIFEST_SCHEMA))
  const text = fc.oneof(fc.string({ maxLength: 4 }), fc.constantFrom('', '__proto__', 'a'))
  const maybe = <T>(of: fc.Arbitrary<T>) => fc.oneof(of, fc.constant(null), fc.constant(undefined))
  const listOf = (of: fc.Arbitrary<unknown>) => maybe(fc.array(maybe(of), { maxLength: 3 }))
  const object = (...keys: readonly string[]) => fc.record(Object.fromEntries(keys.map((key) => [key, maybe(text)])))
  const map = maybe(fc.dictionary(text, maybe(text), { maxKeys: 3 }))
  const crds = fc.record({
    owned: listOf(object('name', 'kind', 'displayName')),
    required: listOf(object('name', 'description')),
  })
  const document = fc.record({
    metadata: maybe(fc.record({ name: maybe(text), labels: map, annotations: map })),
    spec: maybe(
      fc.record({
        version: fc.constantFrom(undefined, null, '1', 'v2.0.0-rc.1'),
        provider: maybe(object('name', 'url')),
        keywords: listOf(text),
        links: listOf(object('name', 'url')),
        maintainers: listOf(object('name', 'email')),
        description: maybe(text),
        customresourcedefinitions: maybe(crds),
        apiservicedefinitions: maybe(crds),
        installModes: listOf(fc.record({ type: maybe(text), supported: maybe(fc.boolean()) })),
        relatedImages: listOf(object('image')),
      }),
    ),
  })
  const channels = fc.array(
    fc.record({
      name: text,
      deprecation: fc.option(text, { nil: undefined }),
      head: document.map(csv),
      entries: fc.array(fc.record({ name: text, version: text, deprecation: fc.option(text, { nil: undefined }) }), {
        maxLength: 3,
      }),
    }),
    { minLength: 1, maxLength: 3 },
  )
  fc.assert(
    fc.property(channels, text, fc.option(text, { nil: undefined }), (drawn, defaultChannel, deprecation) => {
      const filled = drawn.map((one) => ({
        ...one,
        entries: one.entries.map((e) => ({ ...entry(e.name, e.version), ...e })),
      }))
      const { manifest } = made(content({ channels: filled, defaultChannel, deprecation }))
      const wire: unknown = JSON.parse(JSON.stringify(manifest))
      const checked = check(wire)
      if (!checked.ok) throw new Error(checked.reason)
      if (/:null|"deprecation":\{\}|"icon":/.test(JSON.stringify(wire))) throw new Error(JSON.stringify(wire))
      for (const { currentCSVDesc, entries } of manifest.status.channels) {
        if ([currentCSVDesc, ...entries].some(({ version }) => version === '')) throw new Error('an empty version')
      }
      const channelNames = manifest.status.channels.map(({ name }) => name)
      return manifest.status.defaultChannel === '' || channelNames.includes(manifest.status.defaultChannel)
    }),
    { numRuns: 500 },
  )
})

/** The same schema, refusing members that it does not name; Ajv knows no formats. */
function closed(schema: unknown): object {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    const kept = Object.entries(value).filter(([key]) => key !== 'format')
    const copy = Object.fromEntries(kept.map(([key, member]) => [key, walk(member)]))
    const isObjectSchema = copy.type === 'object' && typeof copy.additionalProperties !== 'object'
    return isObjectSchema ? { ...copy, additionalProperties: false } : copy
  }
  return walk(schema) as object
}
