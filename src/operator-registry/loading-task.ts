// What goes between the process that serves and the process that loads by structured clone.
import type { ErrorCode, ErrorFacts } from '../errors.ts'
import type { CatalogLimits } from '../file-based-catalog/load-catalog.ts'
import type { FileTarget, LoadReport } from './load-into-file.ts'

export interface LoadingTask {
  readonly directory: string
  readonly target: FileTarget
  readonly limits: Partial<CatalogLimits>
}

export type LoadingAnswer =
  | { readonly kind: 'loaded'; readonly report: LoadReport }
  | {
      readonly kind: 'failed'
      readonly reason: string
      /** Of a failure with a name. */
      readonly error: { readonly code: ErrorCode; readonly facts: ErrorFacts } | undefined
    }
