// The whole walk against the reference server's recorded lists: our registry serves each shared catalog, our client reads it,
// the conversion makes its manifests. Differences wanted by the rule book are put into one form on both sides, and named here.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { parseCatalogSource } from '../../src/api/catalog-source.ts'
import type { ChannelEntry, CsvDescription, PackageManifest } from '../../src/api/package-manifest.ts'
import { channelEntries } from '../../src/package-server/channel-entries.ts'
import { toPackageManifests } from '../../src/package-server/to-package-manifest.ts'
import { servedSnapshot } from '../fixtures/served-snapshot.ts'

const SHARED = fileURLToPath(new URL('../../../shared', import.meta.url))
const CATALOGS: Readonly<Record<string, number>> = {
  community: 127,
  second: 104,
  redhat: 28,
  marketplace: 18,
  'odd-shared': 52,
}

interface Comparison {
  compareLists(
    golden: unknown,
    served: unknown,
  ): {
    readonly total: number
    readonly equal: number
    readonly differ: readonly unknown[]
    readonly missing: readonly string[]
    readonly extra: readonly string[]
  }
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

/**
 * Two things stand in random order there and are sorted here, in the golden answer as in ours: related images, and versions
 * that differ in build metadata alone, which are level by semver (now one comes first, now the other, within one package).
 * Everything else must already stand in the order that we give it.
 */
function withOneOrder(list: Record<string, unknown>): readonly PackageManifest[] {
  const items = list.items as readonly PackageManifest[]
  return items.map((item) => ({
    ...item,
    status: {
      ...item.status,
      channels: item.status.channels.map((channel) => ({
        ...channel,
        currentCSVDesc: withSortedImages(channel.currentCSVDesc),
        entries: tiesByName(channel.entries ?? []),
      })),
    },
  }))
}

function withSortedImages(description: CsvDescription): CsvDescription {
  const { relatedImages } = description
  return relatedImages === undefined ? description : { ...description, relatedImages: [...relatedImages].sort() }
}

function tiesByName(entries: readonly ChannelEntry[]): readonly ChannelEntry[] {
  const byName = new Map(entries.map((entry) => [entry.name, entry]))
  const bare = entries.map(({ name, version = '' }) => ({
    name,
    version,
    deprecation: undefined,
    replaces: '',
    skips: [],
    skipRange: '',
  }))
  const swapped = [...entries]
  for (const [index, { name }] of channelEntries(bare).entries()) {
    const entry = byName.get(name)
    const before = swapped[index]
    if (entry !== undefined && before !== undefined && release(entry) === release(before)) swapped[index] = entry
  }
  return swapped
}

function release({ version = '' }: ChannelEntry): string {
  return version.replace(/\+.*$/, '')
}
