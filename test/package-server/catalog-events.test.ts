// Which news of a catalog becomes an Event.
import t from 'tap'
import type { CatalogSource } from '../../src/api/catalog-source.ts'
import { createCatalogEvents } from '../../src/package-server/catalog-events.ts'

const SOURCE: CatalogSource = {
  ...{ namespace: 'olm', name: 'a', uid: 'u', creationTimestamp: undefined, labels: {} },
  ...{ displayName: '', publisher: '', priority: 0, address: 'a:1' },
}
const GOOD = { readAt: 0, packages: 3, channels: 3, bytes: 1, leftOut: [] }

function told() {
  const events: string[] = []
  const news = createCatalogEvents({
    async record({ name }, { type, reason, note }) {
      events.push(`${name} ${type} ${reason}: ${note}`)
    },
  })
  return { events, news }
}

t.test('a first reading is no news', async (t) => {
  const { events, news } = told()
  news.listed(SOURCE, GOOD)
  t.strictSame(events, [])
})

t.test('became unreadable once, however often it fails; then recovered', async (t) => {
  const { events, news } = told()
  news.listed(SOURCE, GOOD)
  news.failed(SOURCE, 'refused')
  news.failed(SOURCE, 'refused again')
  news.listed(SOURCE, GOOD)
  news.listed(SOURCE, GOOD)
  t.strictSame(events, [
    'a Warning CatalogUnreadable: the catalog cannot be read: refused',
    'a Normal CatalogRecovered: the catalog can be read again: 3 packages',
  ])
})

t.test('packages left out: told when they change, named up to five', async (t) => {
  const { events, news } = told()
  const leftOut = Array.from({ length: 7 }, (_, index) => ({ package: `p${index}`, channel: 'c', reason: 'bad' }))
  news.listed(SOURCE, { ...GOOD, leftOut })
  news.listed(SOURCE, { ...GOOD, leftOut })
  news.listed(SOURCE, { ...GOOD, leftOut: [{ package: 'q', channel: undefined, reason: 'gone' }] })
  news.listed(SOURCE, GOOD)
  t.strictSame(events, [
    'a Warning PackagesLeftOut: left out: p0 (c): bad; p1 (c): bad; p2 (c): bad; p3 (c): bad; p4 (c): bad; and 2 more: see its catalogstatus',
    'a Warning PackagesLeftOut: left out: q: gone',
    'a Normal PackagesComplete: nothing is left out any more',
  ])
})

t.test('packages that went: how many, five of them by name', async (t) => {
  const { events, news } = told()
  news.gone(SOURCE, ['p', 'q'])
  news.gone(
    SOURCE,
    Array.from({ length: 7 }, (_, index) => `p${index}`),
  )
  t.strictSame(events, [
    'a Warning PackagesGone: the catalog does not hold 2 packages any more: p, q',
    'a Warning PackagesGone: the catalog does not hold 7 packages any more: p0, p1, p2, p3, p4 and 2 more',
  ])
})
