import t from 'tap'
import { type Content, encodeContent } from '../../src/package-server/content.ts'
import { createHistory, type HistoryEvent } from '../../src/package-server/history.ts'
import { BOOKMARK } from '../../src/package-server/resource-version.ts'

const content = (name: string, size = 10): Content =>
  encodeContent({
    owner: 'olm/a',
    namespace: 'olm',
    name,
    catalog: 'a',
    priority: 0,
    uid: name,
    creationTimestamp: undefined,
    labels: undefined,
    members: `"spec":"${'x'.repeat(size)}"`,
    cells: [],
  })

const event = (
  version: number,
  of = content(`p${version}`),
  previous: Content | undefined = undefined,
): HistoryEvent => ({
  version,
  type: previous === undefined ? 'ADDED' : 'MODIFIED',
  content: of,
  previous,
})

const change = (events: readonly HistoryEvent[], version: number, superseded: readonly Content[] = []) => ({
  events,
  superseded,
  version,
  digest: version % 7,
})

t.test('places: after an event, at a state, at a bookmark, and nowhere else', async (t) => {
  const history = createHistory(1000, 0, { events: 100, bytes: 1e6 })
  t.same(history.placeOf(1000), { place: 0, listed: true })
  t.same(history.placeOf(1000 + BOOKMARK), { place: 0, listed: false })
  history.append(change([event(5001), event(5002)], 5003))
  t.same(history.placeOf(1000), { place: 0, listed: true }, 'the state before is still known')
  t.same(history.placeOf(5001), { place: 1, listed: false })
  t.same(history.placeOf(5002), { place: 2, listed: false })
  t.same(history.placeOf(5003), { place: 2, listed: true })
  t.same(history.placeOf(5003 + BOOKMARK), { place: 2, listed: false })
  for (const version of [0, 998, 1001, 5000, 5004, 6000]) {
    t.equal(history.placeOf(version), undefined, String(version))
    t.equal(history.remembers(version), false)
  }
  t.equal(history.end(), 2)
  t.equal(history.at(1), (history.at(1) as HistoryEvent).version === 5002 ? history.at(1) : undefined)
  t.equal(history.at(2), undefined)
})

t.test('the number of events is bounded, that of the latest change is not', async (t) => {
  const history = createHistory(1000, 0, { events: 3, bytes: 1e6 })
  history.append(
    change(
      [1, 2, 3, 4, 5].map((index) => event(5000 + index)),
      5006,
    ),
  )
  t.equal((history.at(0) as HistoryEvent).version, 5001, 'whoever watches can still read all of it')
  history.append(change([event(9001)], 9002))
  t.equal(history.at(2), 'gone')
  t.equal((history.at(3) as HistoryEvent).version, 5004)
  t.same(history.placeOf(5003), { place: 3, listed: false }, 'the last one dropped is known as a place')
  t.equal(history.placeOf(5002), undefined)
  t.equal(history.remembers(5002), true, 'and the number as ours')
})

t.test('superseded texts are paid for by the events that keep them', async (t) => {
  const history = createHistory(1000, 0, { events: 100, bytes: 25_000 })
  const [old, unchanged] = [content('p', 20_000), content('q', 20_000)]
  history.append(change([event(5001, old), event(5002, unchanged)], 5003))
  history.append(change([event(6001, content('r'))], 6002))
  t.not(history.at(0), 'gone', 'what is served costs the history nothing')
  const next = content('p', 20_001)
  history.append(change([event(7001, next, next)], 7002, [old]))
  t.not(history.at(0), 'gone')
  history.append(change([event(8001, content('p', 5), content('p', 5))], 8002, [next]))
  t.equal(history.at(0), 'gone', 'two superseded texts are too much: the oldest goes')
  t.not(history.at(1), 'gone')
})

t.test('the latest states are known by their digests', async (t) => {
  const history = createHistory(1000, 5, { events: 4, bytes: 1e6 })
  for (let index = 1; index <= 20; index++) history.append(change([event(index * 5000)], index * 5000 + 1))
  const milestones = history.milestones()
  t.ok(milestones.length <= 4)
  t.equal(milestones[0]?.version, 100_001)
  t.ok(milestones.every(({ place }) => history.at(place) !== 'gone'))
})
