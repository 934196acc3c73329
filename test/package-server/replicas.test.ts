// Replicas share nothing. A client that moves from one to another, or over a restart, is right or is told to list again.
import fc from 'fast-check'
import t from 'tap'
import {
  createPackageManifestResource,
  type PackageManifestResource,
} from '../../src/package-server/package-manifest-resource.ts'
import { applyChange, type Change, change, GLOBAL_NAMESPACE, NAMESPACES } from '../fixtures/catalog-changes.ts'
import { bodyOf, catalogSource, listRequest, offer, watchRequest } from '../fixtures/offered-manifests.ts'
import { createReflector, type ObjectList, type Reflector, type Scope } from '../fixtures/reflector.ts'

const START = Date.UTC(2026, 5, 1)

type Step =
  | { readonly kind: 'change'; readonly replica: number; readonly change: Change }
  | { readonly kind: 'read'; readonly replica: number; readonly bytes: number }
  | { readonly kind: 'switch' }
  | { readonly kind: 'restart'; readonly replica: number }
  | { readonly kind: 'time'; readonly ms: number }

const replica = fc.integer({ min: 0, max: 1 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('change' as const), replica, change }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('read' as const), replica, bytes: fc.constantFrom(1, 1e9) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('switch' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const), replica }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('time' as const), ms: fc.integer({ min: 0, max: 3000 }) }) },
)

/** Content by namespace and name, the winner of each, numbers aside. */
function contents(items: Iterable<unknown>): string {
  const winners = new Map<string, string>()
  for (const item of items) {
    const text = JSON.stringify(item)
      .replace(/"resourceVersion":"\d+",?/, '')
      .replace(/"kind":"PackageManifest","apiVersion":"[^"]+",/, '')
    const { metadata } = JSON.parse(text) as { metadata: { namespace: string; name: string } }
    const key = `${metadata.namespace}/${metadata.name}`
    if (!winners.has(key)) winners.set(key, text)
  }
  return JSON.stringify([...winners].sort())
}

async function holdsTheList(reflector: Reflector, resource: PackageManifestResource, scope: Scope): Promise<void> {
  await reflector.settle(resource)
  const list = await bodyOf<ObjectList>(await resource.list(listRequest(scope)))
  const [held, listed] = [contents(reflector.objects.values()), contents(list.items)]
  if (held !== listed) throw new Error(`held ${held}\nlisted ${listed}`)
}

t.test('wherever a client reads to the end, it holds what that replica lists', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 40 }),
      fc.integer({ min: -5000, max: 5000 }),
      fc.constantFrom(...NAMESPACES),
      fc.record({ bookmarks: fc.boolean(), streamingList: fc.boolean() }),
      async (steps, skew, namespace, options) => {
        let now = START
        const start = (index: number) =>
          createPackageManifestResource({ globalNamespace: GLOBAL_NAMESPACE, now: () => now + index * skew })
        const replicas = [start(0), start(1)]
        const scope = { namespace }
        const reflector = createReflector({ scope, ...options })
        for (const each of steps) {
          if (each.kind === 'time') now += each.ms
          else if (each.kind === 'switch') reflector.disconnect()
          else {
            const resource = replicas[each.replica]
            if (resource === undefined) continue
            if (each.kind === 'read') await reflector.step(resource, each.bytes)
            else if (each.kind === 'change') await applyChange(resource, each.change)
            else {
              reflector.disconnect()
              resource.close()
              replicas[each.replica] = start(each.replica)
            }
          }
        }
        for (const resource of [...replicas, ...replicas]) {
          reflector.disconnect()
          await holdsTheList(reflector, resource, scope)
        }
        for (const resource of replicas) resource.close()
      },
    ),
    { numRuns: 400 },
  )
  t.pass('held')
})

t.test(
  'equal replicas vouch for each other: no 410, whatever came in what order, whatever their clocks say',
  async (t) => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(change, { minLength: 1, maxLength: 5, selector: ({ catalog }) => catalog }),
        fc.array(change, { maxLength: 4 }),
        fc.integer({ min: -60_000, max: 60_000 }),
        async (changes, later, skew) => {
          const replicas = [0, skew].map((ahead) =>
            createPackageManifestResource({ globalNamespace: GLOBAL_NAMESPACE, now: () => START + ahead }),
          )
          const [one, other] = replicas
          if (one === undefined || other === undefined) return
          for (const each of changes) await applyChange(one, each)
          for (const each of changes.toReversed()) await applyChange(other, each)
          const reflector = createReflector({ scope: {}, bookmarks: true, streamingList: false })
          await reflector.settle(one)
          for (const each of later) {
            reflector.disconnect()
            await reflector.settle(other)
            if (reflector.lists !== 1) throw new Error('listed again')
            await applyChange(one, each)
            await applyChange(other, each)
            await reflector.settle(other)
            await holdsTheList(reflector, other, {})
            replicas.reverse()
          }
          for (const resource of replicas) resource.close()
        },
      ),
      { numRuns: 200 },
    )
    t.pass('held')
  },
)

t.test('twenty informers that list at one replica and watch at the other', async (t) => {
  const replicas = [0, 1700].map((ahead) =>
    createPackageManifestResource({ globalNamespace: 'olm', now: () => Date.now() + ahead }),
  )
  const [one, other] = replicas
  if (one === undefined || other === undefined) throw new Error('no replicas')
  for (const key of ['olm/a', 'olm/b']) {
    const source = catalogSource(key)
    for (const resource of key === 'olm/a' ? replicas : replicas.toReversed()) {
      await resource.replace(
        source,
        ['p', key.replace('/', '-')].map((name) => offer(source, name)),
      )
    }
  }
  for (let attempt = 0; attempt < 20; attempt++) {
    const [from, to] = attempt % 2 === 0 ? [one, other] : [other, one]
    const list = await bodyOf<ObjectList>(await from.list(listRequest()))
    const cursor = await to.watch(watchRequest({ resourceVersion: list.metadata.resourceVersion }))
    const frames = cursor.read(1e9).frames.map((frame) => JSON.parse(Buffer.from(frame).toString()) as { type: string })
    t.notOk(frames.some(({ type }) => type === 'ERROR'))
    cursor.close()
  }
  for (const resource of replicas) resource.close()
})

t.test(
  'clocks seconds apart do not freeze a console: what changed bears a greater number, from either replica',
  async (t) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            wait: fc.integer({ min: 10_000, max: 60_000 }),
            first: replica,
            lag: fc.integer({ min: 0, max: 4000 }),
          }),
          { minLength: 2, maxLength: 10 },
        ),
        fc.integer({ min: -5000, max: 5000 }),
        async (changes, skew) => {
          let now = START
          const replicas = [0, 1].map((index) =>
            createPackageManifestResource({ globalNamespace: 'olm', now: () => now + index * skew }),
          )
          const source = catalogSource('olm/a')
          const greatest = new Map<string, number>()
          for (const [revision, { wait, first, lag }] of changes.entries()) {
            now += wait
            const before = Math.max(0, ...greatest.values())
            for (const index of [first, 1 - first]) {
              const resource = replicas[index]
              await resource?.replace(source, [offer(source, 'p', revision)])
              const version = resource?.stored.store.state().items[0]?.version ?? 0
              if (version <= before) throw new Error(`${version} after ${before}`)
              greatest.set(`${revision}`, Math.max(version, greatest.get(`${revision}`) ?? 0))
              now += lag
            }
          }
          for (const resource of replicas) resource.close()
        },
      ),
    )
    t.pass('held')
  },
)

t.test('a clock that steps back does not turn numbers back', async (t) => {
  let now = START
  const resource = createPackageManifestResource({ globalNamespace: '', now: () => now })
  const source = catalogSource('olm/a')
  const numbers: number[] = []
  for (let revision = 0; revision < 10; revision++) {
    now -= 60_000
    await resource.replace(source, [offer(source, 'p', revision)])
    numbers.push(resource.stored.store.state().version)
  }
  t.same(
    numbers,
    numbers.toSorted((a, b) => a - b),
  )
  t.equal(new Set(numbers).size, 10)
  resource.close()
})

t.test(
  'a number that a client brings from a replica ahead is passed by the next change; one far ahead is not believed',
  async (t) => {
    const slow = createPackageManifestResource({ globalNamespace: '', now: () => START })
    const ahead = createPackageManifestResource({ globalNamespace: '', now: () => START + 9 * 60_000 })
    const far = createPackageManifestResource({ globalNamespace: '', now: () => START + 11 * 60_000 })
    const source = catalogSource('olm/a')
    for (const resource of [slow, ahead, far]) await resource.replace(source, [offer(source, 'p')])
    const first = async (resourceVersion: number) => {
      const cursor = await slow.watch(watchRequest({ resourceVersion: String(resourceVersion), allowBookmarks: true }))
      const [frame] = cursor.read(1e9).frames
      const bookmark = cursor.bookmark()
      cursor.close()
      return `${frame ?? bookmark}`
    }
    const theirs = ahead.stored.store.state().version
    t.match(await first(theirs), /"BOOKMARK"/)
    t.match(await first(far.stored.store.state().version), /"code":410/)
    await slow.replace(source, [offer(source, 'p', 2)])
    t.ok(slow.stored.store.state().version > theirs)
    t.ok(slow.stored.store.state().version < far.stored.store.state().version)
    for (const resource of [slow, ahead, far]) resource.close()
  },
)
