import fc from 'fast-check'
import t from 'tap'
import { comparePlaces, createNamespaceView, firstIndex, merged } from '../../src/package-server/namespace-view.ts'
import { itemOf, keyOf, smallContent } from '../fixtures/small-contents.ts'

const items = ['olm/b/dup', 'olm/a/dup', 'olm/a/x', 'team/c/dup', 'team/c/y', 'zoo/d/z']
  .map((key) => itemOf(smallContent(key, { priority: key === 'olm/b/dup' ? 5 : 0 })))
  .toSorted((x, y) => comparePlaces(x.content, y.content))
const keys = (found: readonly { content: Parameters<typeof keyOf>[0] }[]) => found.map(({ content }) => keyOf(content))

t.test('what a namespace sees, in order', async (t) => {
  const view = createNamespaceView('olm')
  t.equal(view.items(items, undefined), items)
  t.same(keys(items), ['olm/b/dup', 'olm/a/dup', 'olm/a/x', 'team/c/dup', 'team/c/y', 'zoo/d/z'])
  t.same(keys(view.items(items, 'olm')), ['olm/b/dup', 'olm/a/dup', 'olm/a/x'])
  t.same(keys(view.items(items, 'team')), ['team/c/dup', 'olm/b/dup', 'olm/a/dup', 'olm/a/x', 'team/c/y'])
  t.same(keys(view.items(items, 'anywhere')), ['olm/b/dup', 'olm/a/dup', 'olm/a/x'])
  t.same(keys(view.named(items, 'team', 'dup')), ['team/c/dup', 'olm/b/dup', 'olm/a/dup'])
  t.same(keys(view.named(items, 'olm', 'dup')), ['olm/b/dup', 'olm/a/dup'])
  t.same(keys(view.named(items, 'team', 'du')), [])
  t.same(
    [view.sees('team', 'olm'), view.sees('team', 'team'), view.sees('team', 'zoo'), view.sees(undefined, 'zoo')],
    [true, true, false, true],
  )
})

t.test('without a global namespace each sees its own', async (t) => {
  const view = createNamespaceView('')
  t.same(keys(view.items(items, 'team')), ['team/c/dup', 'team/c/y'])
  t.same(keys(view.items(items, 'anywhere')), [])
  t.equal(view.sees('team', ''), false)
})

t.test('the order of a view is that of its comparison', async (t) => {
  const view = createNamespaceView('olm')
  for (const namespace of [undefined, 'olm', 'team', 'anywhere']) {
    const seen = view.items(items, namespace)
    t.same(
      seen,
      seen.toSorted((x, y) => view.compare(namespace, x.content, y.content)),
    )
  }
})

t.test('searching and merging sorted runs', async (t) => {
  const numbers = fc.array(fc.integer({ min: 0, max: 20 })).map((all) => all.toSorted((x, y) => x - y))
  fc.assert(
    fc.property(numbers, numbers, fc.integer({ min: -1, max: 21 }), (a, b, bound) => {
      t.same(
        merged(a, b, (x, y) => x - y),
        [...a, ...b].toSorted((x, y) => x - y),
      )
      const found = a.findIndex((each) => each >= bound)
      return firstIndex(a, (each) => each >= bound) === (found < 0 ? a.length : found)
    }),
  )
})
