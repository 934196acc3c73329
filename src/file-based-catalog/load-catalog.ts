// From a folder of file-based catalog files to a package index and the list of all its faults.
import type { Logger } from '../log.ts'
import type { Fault } from './fault.ts'
import type { PackageIndex } from './package-index.ts'

export interface CatalogLimits {
  /** Bytes of one YAML or JSON document. */
  readonly documentBytes: number
  /** Files read in all. */
  readonly files: number
}

export interface LoadOptions {
  readonly signal: AbortSignal
  readonly limits?: Partial<CatalogLimits>
  readonly log: Logger
}

export interface LoadedCatalog {
  /** Holds the packages that no fault concerns: with `faults` empty, the whole catalog; otherwise what `--lenient` serves. */
  readonly index: PackageIndex
  readonly faults: readonly Fault[]
  /** The reference program's error message, the first it would have met; undefined where it accepts the catalog. */
  readonly error: string | undefined
  readonly files: number
  readonly bytes: number
}

export type LoadCatalog = (directory: string, options: LoadOptions) => Promise<LoadedCatalog>
