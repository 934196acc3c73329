// A loaded catalog and what its texts lie in: memory, a file without a name, or a cache file. Whoever holds it closes it.
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { OlmError, reasonOf } from '../errors.ts'
import type { LoadCatalog } from '../file-based-catalog/load-catalog.ts'
import type { PackageIndex } from '../file-based-catalog/package-index.ts'
import type { Logger } from '../log.ts'
import { openCatalogFile } from './catalog-file.ts'
import { type LoadIntoFile, type LoadReport, reportOf } from './load-into-file.ts'

export interface HeldCatalog extends LoadReport {
  readonly index: PackageIndex
  readonly from: 'cache' | 'files'
  /** Gives up whatever the index's texts lie in. */
  close(): Promise<void>
}

export interface Holding {
  /** In this process, where there is no file to load into. */
  readonly load: LoadCatalog
  readonly intoFile: LoadIntoFile
  /** Where a file without a name may lie; undefined: in memory. */
  readonly temporaryFolder: string | undefined
  readonly log: Logger
  readonly signal: AbortSignal
  readonly now: () => number
}

export async function holdInMemory(catalog: string, holding: Holding): Promise<HeldCatalog> {
  const loaded = await holding.load(catalog, holding)
  return { ...reportOf(loaded), index: loaded.index, from: 'files', close: async () => undefined }
}

/** In a file that loses its name at once: nothing is left behind, however this process ends. */
export async function holdInFile(catalog: string, holding: Holding): Promise<HeldCatalog> {
  const { temporaryFolder, log } = holding
  if (temporaryFolder === undefined) return await holdInMemory(catalog, holding)
  try {
    const folder = await mkdtemp(join(temporaryFolder, 'olm-registry-')).catch((thrown: unknown) => {
      const reason = reasonOf(thrown)
      throw new OlmError('CACHE_UNWRITABLE', { directory: temporaryFolder, reason }, { cause: thrown })
    })
    try {
      const path = join(folder, 'catalog')
      const report = await holding.intoFile(catalog, { path, digest: NO_DIGEST }, holding)
      return await heldFile(path, NO_DIGEST, report, holding.signal)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  } catch (thrown) {
    if (!(thrown instanceof OlmError) || thrown.code !== 'CACHE_UNWRITABLE') throw thrown
    log.warn({ reason: thrown.message }, 'no place for a file: the catalog is held in memory')
    return await holdInMemory(catalog, holding)
  }
}

/** A file that was just loaded into. */
export async function heldFile(
  path: string,
  digest: string,
  report: LoadReport,
  signal: AbortSignal,
): Promise<HeldCatalog> {
  const { index, close } = await openCatalogFile(path, digest, signal)
  return { ...report, index, from: 'files', close }
}

/** Of a file that nobody looks for. */
const NO_DIGEST = '00'.repeat(32)
