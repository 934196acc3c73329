// By hand what the property tests of watches show at large: who is told, and in what order.
import t from 'tap'
import { announce, type Telling } from '../../src/package-server/announcements.ts'
import type { Content } from '../../src/package-server/content.ts'
import { keyOf, smallContent } from '../fixtures/small-contents.ts'

const global = smallContent('olm/a/dup')
const high = smallContent('olm/b/dup', { priority: 5 })
const own = smallContent('team/c/dup')
const other = smallContent('solo/d/dup')

function told(change: Partial<Telling>, after: readonly Content[]): readonly string[] {
  const telling: Telling = { deleted: [], changed: [], reordered: new Set(), ...change }
  const named = (name: string) => after.filter((content) => content.name === name)
  return announce(telling, named, 'olm').map(({ type, content }) => `${type} ${keyOf(content)}`)
}

const added = (content: Content) => ({ type: 'ADDED', content, previous: undefined }) as const
const modified = (content: Content, previous: Content) => ({ type: 'MODIFIED', content, previous }) as const

t.test('a name of one catalog: itself alone', async (t) => {
  t.same(told({ changed: [added(global)] }, [global]), ['ADDED olm/a/dup'])
  t.same(told({ deleted: [global] }, []), ['DELETED olm/a/dup'])
  t.same(told({ reordered: new Set(['dup']) }, [global]), [])
})

t.test('a winner comes: nobody else; a loser comes: whoever ranks above it after it', async (t) => {
  t.same(told({ changed: [added(high)] }, [global, high]), ['ADDED olm/b/dup'])
  t.same(told({ changed: [added(global)] }, [global, high]), ['ADDED olm/a/dup', 'MODIFIED olm/b/dup'])
  t.same(told({ changed: [added(own)] }, [global, own]), ['ADDED team/c/dup'])
})

t.test('a global object changes: the own ones of every namespace are told after it', async (t) => {
  const changed = smallContent('olm/a/dup', { text: 'new' })
  t.same(told({ changed: [modified(changed, global)] }, [changed, own, other]), [
    'MODIFIED olm/a/dup',
    'MODIFIED solo/d/dup',
    'MODIFIED team/c/dup',
  ])
})

t.test(
  'somebody goes: all that stay are told, and what is told in one namespace is outranked in the others',
  async (t) => {
    t.same(told({ deleted: [high] }, [global]), ['DELETED olm/b/dup', 'MODIFIED olm/a/dup'])
    t.same(told({ deleted: [own] }, [global, other]), [
      'DELETED team/c/dup',
      'MODIFIED olm/a/dup',
      'MODIFIED solo/d/dup',
    ])
    t.same(told({ deleted: [own] }, [other]), ['DELETED team/c/dup'], 'who shares no namespace is not concerned')
  },
)

t.test(
  'a winner with other labels is told twice: before the others, since it may leave a selection, and after them',
  async (t) => {
    const relabelled = smallContent('olm/b/dup', { priority: 5, labels: { tier: 'lead' } })
    t.same(told({ changed: [modified(relabelled, high)] }, [global, relabelled]), [
      'MODIFIED olm/b/dup',
      'MODIFIED olm/a/dup',
      'MODIFIED olm/b/dup',
    ])
    t.same(told({ changed: [modified(relabelled, high)] }, [relabelled]), ['MODIFIED olm/b/dup'])
  },
)

t.test('ranks change: everybody, in the new order', async (t) => {
  t.same(told({ reordered: new Set(['dup']) }, [global, high]), ['MODIFIED olm/a/dup', 'MODIFIED olm/b/dup'])
})
