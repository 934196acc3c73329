// What single watches say, frame by frame.
import t from 'tap'
import type { WatchCursor, WatchRequest } from '../../src/http/resource.ts'
import {
  createPackageManifestResource,
  type PackageManifestOptions,
} from '../../src/package-server/package-manifest-resource.ts'
import { catalogSource, offer, selecting, watchRequest } from '../fixtures/offered-manifests.ts'

const a = catalogSource('olm/a')
const b = catalogSource('olm/b', { priority: 1 })
const NOW = Date.parse('2026-12-01T12:00:00Z')

const create = (more: Partial<PackageManifestOptions> = {}) =>
  createPackageManifestResource({ globalNamespace: 'olm', now: () => NOW, ...more })

interface Frame {
  readonly type: string
  readonly object: {
    readonly kind: string
    readonly code?: number
    readonly metadata: {
      readonly name?: string
      readonly namespace?: string
      readonly resourceVersion: string
      readonly labels?: Record<string, string>
    }
    readonly columnDefinitions?: unknown
    readonly rows?: readonly { readonly cells: readonly string[] }[]
  }
}

function read(cursor: WatchCursor, bytes = 1e9): Frame[] {
  return cursor.read(bytes).frames.map((frame) => JSON.parse(Buffer.from(frame).toString()) as Frame)
}

const brief = (frames: readonly Frame[]) =>
  frames.map(({ type, object }) =>
    `${type} ${object.metadata.name ?? ''} ${object.metadata.labels?.catalog ?? ''}`.trim(),
  )

t.test('a selector tells what leaves as DELETED, as it last was, and what enters as ADDED', async (t) => {
  const resource = create()
  await resource.replace(a, [
    offer(a, 'p', 1, { labels: { tier: 'gold' } }),
    offer(a, 'q', 1, { labels: { tier: 'lead' } }),
  ])
  const request = watchRequest({
    resourceVersion: String(resource.stored.store.state().version),
    ...selecting('tier=gold'),
  })
  const cursor = await resource.watch(request)
  t.same(read(cursor), [])
  await resource.replace(a, [
    offer(a, 'p', 1, { labels: { tier: 'lead' } }),
    offer(a, 'q', 1, { labels: { tier: 'gold' } }),
  ])
  const frames = read(cursor)
  t.same(brief(frames).toSorted(), ['ADDED q a', 'DELETED p a'])
  const left = frames.find(({ type }) => type === 'DELETED')
  t.equal(left?.object.metadata.labels?.tier, 'gold')
  t.ok(frames.every(({ object }) => Number(object.metadata.resourceVersion) > Number(request.resourceVersion)))
  cursor.close()
  resource.close()
})

t.test('a global package is seen from every namespace, with that namespace', async (t) => {
  const resource = create()
  const cursor = await resource.watch(watchRequest({ namespace: 'elsewhere' }))
  await resource.replace(a, [offer(a, 'p')])
  t.same(
    read(cursor).map(({ type, object }) => `${type} ${object.metadata.namespace}`),
    ['ADDED elsewhere'],
  )
  const team = catalogSource('team/own')
  await resource.replace(team, [offer(team, 'q')])
  t.same(read(cursor), [], 'and nothing of others')
  cursor.close()
  resource.close()
})

t.test('the winner goes, the survivor follows with a greater number', async (t) => {
  const resource = create()
  for (const source of [a, b]) await resource.replace(source, [offer(source, 'dup')])
  const cursor = await resource.watch(watchRequest({ namespace: 'default' }))
  t.same(brief(read(cursor)), ['ADDED dup a', 'ADDED dup b'], 'the loser first')
  resource.remove('olm/b')
  const frames = read(cursor)
  t.same(brief(frames), ['DELETED dup b', 'MODIFIED dup a'])
  await resource.replace(b, [offer(b, 'dup')])
  t.same(brief(read(cursor)), ['ADDED dup b'], 'the winner comes: nobody else need be told')
  await resource.replace(a, [offer(a, 'dup', 2)])
  t.same(brief(read(cursor)), ['MODIFIED dup a', 'MODIFIED dup b'], 'the loser changes: the winner is told after it')
  const low = { ...b, priority: -1 }
  await resource.replace(low, [offer(low, 'dup')])
  t.same(brief(read(cursor)), ['MODIFIED dup b', 'MODIFIED dup a'], 'ranks change: all are told in their new order')
  cursor.close()
  resource.close()
})

t.test(
  'a watch from a list tells the winners of shared names, then a bookmark; one that resumes does not',
  async (t) => {
    const resource = create()
    for (const source of [a, b])
      await resource.replace(source, [offer(source, 'dup'), offer(source, `only-${source.name}`)])
    const { version } = resource.stored.store.state()
    const watch = (more: Partial<WatchRequest>) => resource.watch(watchRequest({ allowBookmarks: true, ...more }))
    const listed = read(await watch({ resourceVersion: String(version) }))
    t.same(brief(listed), ['MODIFIED dup b', 'BOOKMARK'])
    const mark = listed.at(-1)?.object.metadata.resourceVersion ?? ''
    t.same(read(await watch({ resourceVersion: mark })), [])
    t.same(
      brief(read(await watch({ resourceVersion: String(version), ...selecting('catalog=a') }))),
      [],
      'one of them selected: not shared',
    )
    t.same(brief(read(await watch({ resourceVersion: String(version), allowBookmarks: false }))), ['MODIFIED dup b'])
    const table = { as: 'table', version: 'v1', includeObject: 'Metadata' } as const
    t.same(read(await watch({ resourceVersion: String(version), form: table })), [], 'a table repeats no row')
    resource.close()
  },
)

t.test('a catalog made again is deleted and added, not modified', async (t) => {
  const resource = create()
  await resource.replace(a, [offer(a, 'p')])
  const cursor = await resource.watch(watchRequest({ sendInitialEvents: false }))
  const again = { ...a, uid: 'another' }
  await resource.replace(again, [offer(again, 'p')])
  t.same(brief(read(cursor)), ['DELETED p a', 'ADDED p a'])
  resource.close()
})

t.test('table events: columns once, the age as of now, no event because time passes', async (t) => {
  let now = NOW
  const resource = create({ now: () => now })
  const fresh = { ...a, creationTimestamp: '2026-12-01T11:59:50Z' }
  await resource.replace(fresh, [offer(fresh, 'p')])
  const cursor = await resource.watch(
    watchRequest({ form: { as: 'table', version: 'v1', includeObject: 'Metadata' }, allowBookmarks: true }),
  )
  const [first] = read(cursor)
  t.match(first, { type: 'ADDED', object: { kind: 'Table', rows: [{ cells: ['p', 'Catalog a', '10s'] }] } })
  t.ok(Array.isArray(first?.object.columnDefinitions))
  now += 20_000
  t.same(read(cursor), [])
  await resource.replace(fresh, [offer(fresh, 'p', 2)])
  const [second] = read(cursor)
  t.match(second, { type: 'MODIFIED', object: { rows: [{ cells: ['p', 'Catalog a', '30s'] }] } })
  t.equal(second?.object.columnDefinitions, null)
  const bookmark = JSON.parse(Buffer.from(cursor.bookmark() ?? []).toString()) as Frame
  t.match(bookmark, { type: 'BOOKMARK', object: { kind: 'Table', rows: [{ cells: ['', '', ''] }] } })
  cursor.close()
  resource.close()
})

t.test('a bookmark says where the reader stands, and only to who wants one', async (t) => {
  const resource = create()
  await resource.replace(a, [offer(a, 'p')])
  const without = await resource.watch(watchRequest())
  t.equal(without.bookmark(), undefined)
  const cursor = await resource.watch(watchRequest({ allowBookmarks: true }))
  t.equal(cursor.bookmark(), undefined, 'not before the initial events are read')
  read(cursor)
  const at = () =>
    Number((JSON.parse(Buffer.from(cursor.bookmark() ?? []).toString()) as Frame).object.metadata.resourceVersion)
  const before = at()
  await resource.replace(a, [offer(a, 'p', 2)])
  t.equal(at(), before, 'what was not read does not move it')
  read(cursor)
  t.ok(at() > before)
  cursor.close()
  t.equal(cursor.bookmark(), undefined)
  resource.close()
})

t.test('a reader that falls behind the history gets ERROR 410 and its end; others lose nothing', async (t) => {
  const resource = create({ history: { events: 5 } })
  const slow = await resource.watch(watchRequest({ sendInitialEvents: false }))
  const quick = await resource.watch(watchRequest({ sendInitialEvents: false }))
  let seen = 0
  for (let revision = 0; revision < 12; revision++) {
    await resource.replace(a, [offer(a, 'p', revision)])
    seen += read(quick).length
  }
  t.equal(seen, 12)
  const { frames, ended } = slow.read(1e9)
  t.equal(ended, true)
  t.match(JSON.parse(Buffer.from(frames[0] ?? []).toString()), {
    type: 'ERROR',
    object: { kind: 'Status', code: 410, reason: 'Expired' },
  })
  t.same(slow.read(1e9), { frames: [], ended: true })
  resource.close()
})

t.test('history is bounded by the bytes of what it alone keeps', async (t) => {
  const resource = create({ history: { bytes: 500_000 } })
  const cursor = await resource.watch(watchRequest({ sendInitialEvents: false }))
  for (let revision = 0; revision < 20; revision++) {
    await resource.replace(a, [offer(a, 'p', revision, { description: `${revision}`.repeat(100_000) })])
  }
  t.match(read(cursor), [{ type: 'ERROR' }])
  resource.close()
})

t.test('reads are bounded, and listeners hear of changes until they are closed', async (t) => {
  const resource = create()
  await resource.replace(
    a,
    ['p', 'q', 'r'].map((name) => offer(a, name)),
  )
  const cursor = await resource.watch(watchRequest())
  t.equal(read(cursor, 1).length, 1, 'at least one')
  t.equal(read(cursor, 1).length, 1)
  t.equal(read(cursor).length, 1)
  let heard = 0
  cursor.onReadable(() => heard++)
  await resource.replace(a, [offer(a, 'p')])
  t.equal(heard, 1)
  await resource.replace(a, [offer(a, 'p')])
  t.equal(heard, 1, 'nothing changed')
  cursor.close()
  await resource.replace(a, [])
  t.equal(heard, 1)
  t.same(cursor.read(1e9), { frames: [], ended: true })
  resource.close()
})

t.test('an event is made once for all who want the same', async (t) => {
  const resource = create()
  const cursors = await Promise.all(
    Array.from({ length: 50 }, () => resource.watch(watchRequest({ sendInitialEvents: false }))),
  )
  await resource.replace(a, [offer(a, 'p')])
  const frames = new Set(cursors.map((cursor) => cursor.read(1e9).frames[0]))
  t.equal(frames.size, 1)
  resource.close()
})
