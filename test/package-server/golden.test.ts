// The whole walk against the reference server's recorded lists: our registry serves each shared catalog, our client reads it,
// the conversion makes its manifests. Differences wanted by the rule book are put into one form on both sides, and named here.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { parseCatalogSource } from '../../src/api/catalog-source.ts'
import type { PackageManifest } from '../../src/api/package-manifest.ts'
import { toPackageManifests } from '../../src/package-server/to-package-manifest.ts'
import { type Comparison, withOneOrder } from '../fixtures/golden-comparison.ts'
import { servedSnapshot } from '../fixtures/served-snapshot.ts'

const SHARED = fileURLToPath(new URL('../../../shared', import.meta.url))
const CATALOGS: Readonly<Record<string, number>> = {
  community: 127,
  second: 104,
  redhat: 28,
  marketplace: 18,
  'odd-shared': 52,
}

t.test('329 of 329', { skip: existsSync(SHARED) ? false : 'skipped: no ../shared', timeout: 150_000 }, async (t) => {
  const { compareLists }: Comparison = await import(new URL('../../../shared/golden/compare.mjs', import.meta.url).href)
  for (const [catalog, count] of Object.entries(CATALOGS)) {
    const recorded = await json(`catalog-sources/${catalog}.json`)
    const { address, snapshot } = await servedSnapshot(`${SHARED}/catalogs/${catalog}`)
    const { source } = parseCatalogSource({ ...recorded, spec: { ...Object(recorded.spec), address } })
    if (source?.address !== address) throw new Error(`${catalog}: no address`)
    t.strictSame(snapshot.leftOut, [], `${catalog}: nothing is left out`)
    const served = toPackageManifests(snapshot, source).map(({ manifest }) => manifest)
    const golden = withOneOrder(await json(`packagemanifests/${catalog}.json`))
    const { total, equal, ...faults } = compareLists(golden, JSON.parse(JSON.stringify(served)))
    t.strictSame(faults, { differ: [], missing: [], extra: [] }, catalog)
    t.strictSame([total, equal], [count, count], `${catalog}: ${equal} of ${total}`)
    t.strictSame(differingTexts(golden, served), [], `${catalog}: members stand in the same order`)
  }
})

/** Names of those whose JSON text is not the same to the byte. */
function differingTexts(golden: readonly PackageManifest[], served: readonly PackageManifest[]): readonly string[] {
  const texts = new Map(golden.map((item) => [item.metadata.name, JSON.stringify(item)]))
  const ours = served.map(({ kind: _, apiVersion: __, ...item }) => [item.metadata.name, JSON.stringify(item)] as const)
  return ours.filter(([name, text]) => texts.get(name) !== text).map(([name]) => name)
}

async function json(path: string): Promise<Record<string, unknown>> {
  const value: unknown = JSON.parse(await readFile(`${SHARED}/golden/${path}`, 'utf8'))
  return Object(value)
}
