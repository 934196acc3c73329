// Loads a catalog into a file, from which it is then served: its texts stay on disk.
import { dirname } from 'node:path'
import { OlmError } from '../errors.ts'
import type { Fault } from '../file-based-catalog/fault.ts'
import type { LoadCatalog, LoadedCatalog, LoadOptions } from '../file-based-catalog/load-catalog.ts'
import { accessReason } from './access-reason.ts'
import { writeCatalogFile } from './catalog-file.ts'

export interface FileTarget {
  /** Does not exist yet. */
  readonly path: string
  /** Of the folder that is loaded; `""` where nobody will ask for it. */
  readonly digest: string
}

/** What is known of a loaded catalog beside its index. */
export interface LoadReport {
  readonly faults: readonly Fault[]
  /** The reference program's error; undefined where it serves the catalog. */
  readonly error: string | undefined
  readonly files: number
  readonly bytes: number
}

/** The file holds the sound packages, whatever the report says. */
export type LoadIntoFile = (directory: string, target: FileTarget, options: LoadOptions) => Promise<LoadReport>

/** In this process. Fails with FILE_UNREADABLE, and with CACHE_UNWRITABLE where the file cannot be written. */
export function loadIntoFileHere(load: LoadCatalog): LoadIntoFile {
  return async (directory, { path, digest }, options) => {
    const catalog = await load(directory, options)
    const report = reportOf(catalog)
    try {
      await writeCatalogFile(path, catalog.index, { digest, files: report.files, bytes: report.bytes })
    } catch (thrown) {
      const folder = dirname(path)
      const reason = await accessReason(folder, thrown)
      throw new OlmError('CACHE_UNWRITABLE', { directory: folder, reason }, { cause: thrown })
    }
    return report
  }
}

/** Serving knows no catalog that is valid but not to be served: both kinds of faults are faults. */
export function reportOf({ faults, servingFaults, error, files, bytes }: LoadedCatalog): LoadReport {
  return { faults: [...faults, ...servingFaults], error: error ?? servingFaults[0]?.reference, files, bytes }
}
