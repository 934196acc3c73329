// The operator registry on large catalogs: starts cold and warm, what memory that takes, how it answers.
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { baseFolders } from './catalog-base.ts'
import { makeLargeCatalog } from './large-catalog.ts'
import { measureServing, type StartFigures } from './registry-serving.ts'
import type { Row } from './result.ts'
import type { Run } from './run-bench.ts'

const MEGABYTE = 1e6

export async function registryRows({ folder, quick }: Run): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const megabytes of quick ? [20] : [50, 188]) rows.push(...(await rowsOf(megabytes, folder)))
  return rows
}

async function rowsOf(megabytes: number, folder: string): Promise<readonly Row[]> {
  const catalog = join(folder, `catalog-${megabytes}`)
  const cache = join(folder, `cache-${megabytes}`)
  await mkdir(cache)
  const bytes = await makeLargeCatalog(await jsonFolders(), catalog, megabytes * MEGABYTE)
  const group = `Operator registry, a catalog of ${Math.round(bytes / MEGABYTE)} MB`
  try {
    const cold = await measureServing(catalog, cache, true)
    const warm = await measureServing(catalog, cache, false)
    const peakGoal = megabytes === 188 ? 400 : Math.min(400, 150 + (2 * bytes) / MEGABYTE)
    const { answers } = cold
    return [
      ...startRows(group, 'cold', cold.start, { atMost: peakGoal }),
      ...startRows(group, 'warm', warm.start, { atMost: peakGoal }),
      ...(answers === undefined
        ? []
        : [
            { group, name: `ListBundles of ${answers.bundles}`, unit: 'ms', value: answers.listBundlesMs },
            { group, name: 'GetBundleForChannel, one after the other', unit: '/s', value: answers.headsPerSecond },
            {
              group,
              name: 'GetChannelEntriesThatProvide, median with its call',
              unit: 'ms',
              value: answers.providersMedianMs,
            },
          ]),
    ]
  } finally {
    await rm(catalog, { recursive: true, force: true })
    await rm(cache, { recursive: true, force: true })
  }
}

function startRows(group: string, how: string, start: StartFigures, peak: Row['goal']): readonly Row[] {
  const warm = how === 'warm' ? { goal: { atMost: 1 } } : {}
  return [
    { group, name: `${how}: serving`, unit: 's', value: start.seconds, ...warm },
    { group, name: `${how}: resident`, unit: 'MB', value: start.residentMB },
    { group, name: `${how}: peak`, unit: 'MB', value: start.peakMB, ...(peak === undefined ? {} : { goal: peak }) },
    { group, name: `${how}: health checks meanwhile, slowest`, unit: 'ms', value: start.probes.maxMs },
  ]
}

/** Folders whose catalogs are JSON: those can be copied by their text. */
async function jsonFolders(): Promise<readonly string[]> {
  const found: string[] = []
  for (const folder of baseFolders(false)) {
    const [first = ''] = await readdir(folder)
    const files = await readdir(join(folder, first))
    if (files.some((file) => file.endsWith('.json'))) found.push(folder)
  }
  return found
}
