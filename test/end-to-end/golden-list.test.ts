// The lists that the Go server served of the five shared catalogs, against those that our whole program serves: registry,
// gRPC, package-server, TLS. The same comparison as a person would run by hand.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { eventually } from '../fixtures/eventually.ts'
import { type Comparison, withOneOrder } from '../fixtures/golden-comparison.ts'
import { credentialsOf, secureGet } from '../fixtures/secure-request.ts'
import { serveRegistry } from '../fixtures/served-registries.ts'
import { startStandalone } from '../fixtures/standalone-process.ts'

const SHARED = fileURLToPath(new URL('../../../shared', import.meta.url))
const CATALOGS: Readonly<Record<string, number>> = {
  community: 127,
  second: 104,
  redhat: 28,
  marketplace: 18,
  'odd-shared': 52,
}
const LIST = '/apis/packages.operators.coreos.com/v1/packagemanifests'

t.test('329 of 329 over TLS', { skip: existsSync(SHARED) ? false : 'skipped: no ../shared' }, async (t) => {
  const { compareLists } = (await import(join(SHARED, 'golden/compare.mjs'))) as Comparison
  const json = (path: string) => JSON.parse(readFileSync(join(SHARED, 'golden', path), 'utf8'))
  const files: Record<string, string> = {}
  for (const name of Object.keys(CATALOGS)) {
    const address = await serveRegistry(t, join(SHARED, 'catalogs', name))
    const recorded = json(`catalog-sources/${name}.json`)
    files[`${name}.json`] = JSON.stringify({ ...recorded, spec: { ...recorded.spec, address } })
  }
  const folder = t.testdir({ none: {}, sources: files })
  const data = join(folder, 'data')
  const server = await startStandalone(
    data,
    '--catalogs',
    join(folder, 'none'),
    '--catalog-sources',
    join(folder, 'sources'),
  )
  t.teardown(() => server.stop())
  await eventually('five catalogs are read', () => server.stderr().match(/^\S+: \d+ packages/gm)?.length === 5, 60_000)
  for (const [name, count] of Object.entries(CATALOGS)) {
    const { body } = await secureGet(`${server.server}${LIST}?labelSelector=catalog%3D${name}`, credentialsOf(data))
    const golden = withOneOrder(json(`packagemanifests/${name}.json`))
    const { total, equal, ...faults } = compareLists(golden, JSON.parse(body.toString()))
    t.strictSame(faults, { differ: [], missing: [], extra: [] }, name)
    t.strictSame([total, equal], [count, count], `${name}: ${equal} of ${total}`)
  }
})
