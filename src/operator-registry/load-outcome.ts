// What came of one attempt to load a catalog, in numbers and reasons: for logs, metrics, exit codes and whoever embeds us.
import { OlmError } from '../errors.ts'
import type { Fault } from '../file-based-catalog/fault.ts'
import type { PackageIndex } from '../file-based-catalog/package-index.ts'

export interface ContentCounts {
  readonly packages: number
  readonly channels: number
  readonly bundles: number
}

export type LoadOutcome =
  | {
      readonly kind: 'served'
      readonly counts: ContentCounts
      readonly from: 'cache' | 'files'
      readonly files: number
      readonly bytes: number
      readonly seconds: number
      /** Of what was left out; empty unless lenient. */
      readonly faults: readonly Fault[]
    }
  | {
      readonly kind: 'refused'
      /** CATALOG_REFUSED where the catalog has faults; otherwise why it could not be read, or its cache not used. */
      readonly error: OlmError
      readonly faults: readonly Fault[]
      readonly seconds: number
      /** Whether an earlier content goes on being served. */
      readonly kept: boolean
    }

/** Packages, channels and bundles; a bundle in several channels counts once. */
export function countsOf(index: PackageIndex): ContentCounts {
  let channels = 0
  let bundles = 0
  for (const pkg of index.packages.values()) {
    channels += pkg.channels.size
    bundles += pkg.bundles.size
  }
  return { packages: index.packages.size, channels, bundles }
}

/** The one line that says why a catalog with faults is not served; the faults themselves are told apart. */
export function refusedFor(
  directory: string,
  catalog: { readonly faults: readonly Fault[]; readonly error: string | undefined },
): OlmError {
  const count = catalog.faults.length === 1 ? '1 fault' : `${catalog.faults.length} faults`
  const reason = `${count}: ${catalog.error ?? catalog.faults[0]?.message ?? ''}`
  return new OlmError('CATALOG_REFUSED', { directory, reason })
}
