import t from 'tap'
import { ownCatalogSource } from '../../src/standalone/own-catalog-sources.ts'

t.test('what an administrator would have written', async (t) => {
  const made = ownCatalogSource(
    { name: 'community-operators', address: '127.0.0.1:50051', since: 1_700_000_000_999 },
    'olm',
  )
  t.match(made, {
    source: {
      namespace: 'olm',
      name: 'community-operators',
      creationTimestamp: '2023-11-14T22:13:20Z',
      displayName: 'Community Operators',
      publisher: '',
      priority: 0,
      address: '127.0.0.1:50051',
    },
  })
})

t.test('a folder whose name is none for an object', async (t) => {
  for (const name of ['My Catalog', '_x', 'UPPER']) {
    const made = ownCatalogSource({ name, address: '127.0.0.1:1', since: 0 }, 'olm')
    t.match(made, { reason: /lower-case/ }, name)
  }
})
