// What an informer holds after any changes, reads and broken connections is what a fresh list says.
import fc from 'fast-check'
import t from 'tap'
import { createPackageManifestResource } from '../../src/package-server/package-manifest-resource.ts'
import { applyChange, type Change, change, GLOBAL_NAMESPACE, NAMESPACES } from '../fixtures/catalog-changes.ts'
import { bodyOf, getRequest, listRequest, selecting } from '../fixtures/offered-manifests.ts'
import {
  createReflector,
  type ObjectList,
  type Reflector,
  type StoredObject,
  type WatchEvent,
} from '../fixtures/reflector.ts'

type Step =
  | Change
  | { readonly kind: 'read'; readonly reader: number; readonly bytes: number }
  | { readonly kind: 'disconnect'; readonly reader: number }
  | { readonly kind: 'time'; readonly ms: number }

const READERS = 3
const reader = fc.integer({ min: 0, max: READERS - 1 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: change },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('read' as const), reader, bytes: fc.constantFrom(1, 900, 1e9) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('disconnect' as const), reader }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('time' as const), ms: fc.integer({ min: -500, max: 2000 }) }) },
)

const SELECTORS = ['', 'catalog=a', 'catalog=a,catalog-namespace=olm', 'tier=gold', 'tier!=gold', 'catalog in (b,c)']
const options = fc.record({
  namespace: fc.constantFrom(...NAMESPACES),
  selector: fc.constantFrom(...SELECTORS),
  field: fc.constantFrom('', '', 'metadata.name=p1', 'metadata.name!=p1'),
  bookmarks: fc.boolean(),
  streamingList: fc.boolean(),
})

/** Numbers of events rise strictly after the initial ones, bookmarks never fall behind. */
function checkStream(stream: readonly WatchEvent[], beginsWithState: boolean): void {
  let last = 0
  let initial = beginsWithState
  for (const { type, object } of stream) {
    if (type === 'ERROR') return
    const version = Number(object.metadata.resourceVersion)
    if (initial) {
      if (type === 'BOOKMARK' && object.metadata.annotations?.['k8s.io/initial-events-end'] === 'true') initial = false
      else if (type !== 'ADDED') throw new Error(`${type} among the initial events`)
      last = Math.max(last, version)
      continue
    }
    if (type === 'BOOKMARK' ? version < last : version <= last) throw new Error(`${type} ${version} after ${last}`)
    last = version
  }
}

const keyed = (items: Iterable<StoredObject>) => {
  const map = new Map<string, StoredObject>()
  for (const item of items) {
    const key = `${item.metadata.namespace}/${item.metadata.name}`
    if (!map.has(key)) map.set(key, item)
  }
  return map
}

/** Kind and apiVersion are in events and not in list items. */
const plain = (object: StoredObject | undefined, numbered = true) => {
  if (object === undefined) return undefined
  const { metadata, ...rest } = object
  const { resourceVersion } = metadata
  const number = numbered ? { resourceVersion } : { resourceVersion: undefined }
  return JSON.stringify({ metadata: { ...metadata, ...number }, ...rest, kind: undefined, apiVersion: undefined })
}

/** `numbered`: numbers too. A client that was told that it is up to date by the state's digest may hold an older one. */
function checkStore(reflector: Reflector, list: ObjectList, numbered: boolean): void {
  const winners = keyed(list.items)
  if (winners.size !== reflector.objects.size) {
    throw new Error(`holds ${[...reflector.objects.keys()]}, the list ${[...winners.keys()]}`)
  }
  for (const [key, item] of winners) {
    const held = reflector.objects.get(key)
    if (plain(item, numbered) !== plain(held, numbered)) {
      throw new Error(`${key}: list ${plain(item)}, store ${plain(held)}`)
    }
  }
}

for (const history of [{ events: 20_000 }, { events: 6 }]) {
  t.test(`informers of any selection, ${history.events} events remembered`, async (t) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(options, { minLength: READERS, maxLength: READERS }),
        fc.array(step, { minLength: 5, maxLength: 40 }),
        async (wanted, steps) => {
          let now = Date.UTC(2026, 5, 1)
          const resource = createPackageManifestResource({ globalNamespace: GLOBAL_NAMESPACE, now: () => now, history })
          const readers = wanted.map(({ namespace, selector, field, bookmarks, streamingList }) => {
            const scope = { namespace, ...selecting(selector, field) }
            const reflector = createReflector({ scope, bookmarks, streamingList, onStreamEnd: checkStream })
            return { scope, reflector }
          })
          for (const each of steps) {
            if (each.kind === 'time') now += each.ms
            else if (each.kind === 'read') await readers[each.reader]?.reflector.step(resource, each.bytes)
            else if (each.kind === 'disconnect') readers[each.reader]?.reflector.disconnect()
            else await applyChange(resource, each)
          }
          for (const { scope, reflector } of readers) {
            await reflector.settle(resource)
            checkStore(
              reflector,
              await bodyOf<ObjectList>(await resource.list(listRequest(scope))),
              history.events > 1000,
            )
            reflector.disconnect()
          }
          resource.close()
        },
      ),
      { numRuns: 300 },
    )
    t.pass('held')
  })
}

t.test('what an informer without selector holds of a name is what get answers', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('olm', 'team', 'solo', 'elsewhere'),
      fc.boolean(),
      fc.array(change, { minLength: 1, maxLength: 15 }),
      fc.integer({ min: 0, max: 14 }),
      async (namespace, streamingList, changes, begin) => {
        const resource = createPackageManifestResource({ globalNamespace: GLOBAL_NAMESPACE, now: Date.now })
        const reflector = createReflector({ scope: { namespace }, bookmarks: false, streamingList })
        for (const [index, each] of changes.entries()) {
          if (index === begin) await reflector.settle(resource)
          await applyChange(resource, each)
        }
        await reflector.settle(resource)
        for (const held of reflector.objects.values()) {
          const answer = await bodyOf<StoredObject>(await resource.get(getRequest(namespace, held.metadata.name)))
          if (plain(answer) !== plain(held)) throw new Error(`${plain(answer)}\n${plain(held)}`)
        }
        resource.close()
      },
    ),
    { numRuns: 200 },
  )
  t.pass('held')
})

t.test(
  "an object's number changes if and only if its content does, or a namesake's that it must be told after",
  async (t) => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 2, maxLength: 15 }), async (changes) => {
        const resource = createPackageManifestResource({ globalNamespace: '', now: Date.now })
        let before = new Map<string, string>()
        for (const each of changes) {
          await applyChange(resource, each)
          const { items } = await bodyOf<ObjectList>(await resource.list(listRequest()))
          const after = new Map<string, string>()
          for (const item of items) {
            const { resourceVersion, uid } = item.metadata
            const content = JSON.stringify({ ...item, metadata: { ...item.metadata, resourceVersion: undefined } })
            after.set(content, resourceVersion)
            const old = before.get(content)
            const namesakes = items.filter(
              (other) => other.metadata.name === item.metadata.name && other.metadata.uid !== uid,
            )
            if (old !== undefined && old !== resourceVersion && namesakes.length === 0 && each.kind !== 'remove') {
              const others = [...before.keys()].filter((text) => text.includes(`"name":"${item.metadata.name}"`))
              if (others.length < 2) throw new Error(`${item.metadata.name} was renumbered for nothing`)
            }
            if (old === undefined && [...before.values()].includes(resourceVersion)) throw new Error('an old number')
          }
          before = after
        }
        resource.close()
      }),
    )
    t.pass('held')
  },
)
