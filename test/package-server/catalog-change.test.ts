import t from 'tap'
import { catalogChange } from '../../src/package-server/catalog-change.ts'
import { movedDigest } from '../../src/package-server/resource-version.ts'
import { itemOf, smallContent } from '../fixtures/small-contents.ts'

const p = smallContent('olm/a/p')
const q = smallContent('olm/a/q')
const before = new Map([
  ['p', itemOf(p, 7)],
  ['q', itemOf(q, 8)],
])

t.test('the same again is no change, in any order', async (t) => {
  t.equal(catalogChange(before, [smallContent('olm/a/q'), smallContent('olm/a/p')], 0), undefined)
  t.equal(catalogChange(new Map(), [], 0), undefined)
})

t.test('what comes, changes and goes', async (t) => {
  const [changed, fresh] = [smallContent('olm/a/p', { text: 'new' }), smallContent('olm/a/r')]
  const change = catalogChange(before, [changed, fresh], 100)
  t.same(change?.changed, [
    { type: 'MODIFIED', content: changed, previous: p },
    { type: 'ADDED', content: fresh, previous: undefined },
  ])
  t.same(change?.deleted, [q])
  t.same(change?.superseded, [p, q])
  const moves = [
    [changed, 1],
    [fresh, 1],
    [p, -1],
    [q, -1],
  ] as const
  t.equal(
    change?.digest,
    moves.reduce((sum, [content, direction]) => movedDigest(sum, content.digest, direction), 100),
  )
})

t.test('another uid is another object', async (t) => {
  const again = smallContent('olm/a/p', { uid: 'new' })
  const change = catalogChange(before, [again, q], 0)
  t.same(change?.deleted, [p])
  t.same(change?.changed, [{ type: 'ADDED', content: again, previous: undefined }])
})

t.test('another rank keeps number and bytes', async (t) => {
  const change = catalogChange(before, [smallContent('olm/a/p', { priority: 3 }), q], 0)
  t.same([...(change?.reordered ?? [])], ['p'])
  t.same(change?.changed, [])
  t.equal(change?.items.get('p')?.version, 7)
  t.equal(change?.items.get('p')?.content.priority, 3)
  t.equal(change?.items.get('p')?.content.tail, p.tail)
  t.equal(change?.items.get('q')?.content, q)
})

t.test('of two of one name the first counts', async (t) => {
  const change = catalogChange(new Map(), [p, smallContent('olm/a/p', { text: 'second' })], 0)
  t.same(
    change?.changed.map(({ content }) => content),
    [p],
  )
})
