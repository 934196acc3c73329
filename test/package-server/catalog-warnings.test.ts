import t from 'tap'
import { createCatalogWarnings, warningOf } from '../../src/package-server/catalog-warnings.ts'
import { createNamespaceView } from '../../src/package-server/namespace-view.ts'
import { catalogFacts } from '../fixtures/catalog-facts.ts'
import { catalogSource } from '../fixtures/offered-manifests.ts'

const since = Date.parse('2026-12-01T11:30:00Z')
const failure = { since, reason: 'UNAVAILABLE: connection refused' }

t.test('which catalog, since when, why', async (t) => {
  t.equal(warningOf(catalogFacts('olm/a')), undefined)
  t.equal(
    warningOf(catalogFacts('olm/a', { failure })),
    'catalog olm/a: shown as read 2026-12-01T11:00:00Z, unread since 2026-12-01T11:30:00Z: UNAVAILABLE: connection refused',
  )
  t.equal(
    warningOf(catalogFacts('olm/a', { reading: undefined, failure })),
    'catalog olm/a: missing, unread since 2026-12-01T11:30:00Z: UNAVAILABLE: connection refused',
  )
  t.match(warningOf(catalogFacts('olm/a', { reading: undefined })), /missing, is being read for the first time/)
  const nowhere = catalogFacts('olm/a', { reading: undefined, source: catalogSource('olm/a') })
  t.match(warningOf(nowhere), /missing, has no address yet/)
})

t.test('of what the answer rests on, and no more than a few', async (t) => {
  const all = ['olm/a', 'olm/b', 'team/c', 'solo/d', 'solo/e', 'solo/f'].map((key) => catalogFacts(key, { failure }))
  const warnings = createCatalogWarnings(() => [...all, ...all], createNamespaceView('olm'))
  const named = (texts: readonly string[]) => texts.map((text) => /^catalog (\S+):/.exec(text)?.[1] ?? text)
  t.same(named(warnings({ namespace: 'team', owners: undefined })), ['olm/a', 'olm/b', 'team/c'])
  t.same(named(warnings({ namespace: 'default', owners: ['olm/b'] })), ['olm/b'])
  t.same(named(warnings({ namespace: undefined, owners: undefined })), [
    'olm/a',
    'olm/b',
    'team/c',
    'and 3 more catalogs: see catalogstatuses',
  ])
})

t.test('whatever a registry says fits into a header', async (t) => {
  const reason = `x"\r\nset-cookie: a=b\u0000ü${'y'.repeat(5000)}`
  const text = warningOf(catalogFacts('olm/a', { failure: { since, reason } })) ?? ''
  t.match(text, /^[\x20-\x7e]{1,240}$/)
})
