// A fault before its place in the file is known as line and column: found by a rule, placed by place.ts.
import type { Extent } from './documents.ts'
import type { Rule } from './rules.ts'
import type { Path } from './shape.ts'

/** Where a blob lies. */
export interface BlobSource {
  readonly file: SourceFile
  readonly extent: Extent
}

export interface SourceFile {
  readonly path: string
  readonly location: Buffer
}

/**
 * When the reference program meets it: while reading files; while putting blobs together, where it stops at the first;
 * when checking the whole, where it tells all in a tree; or not in its `validate`, but only when it serves.
 */
export type Stage = 'read' | 'convert' | 'check' | 'serve'

export interface Problem {
  readonly stage: Stage
  readonly rule: Rule
  readonly message: string
  /** One text, or several where the reference program has several for it. */
  readonly reference: string | readonly string[]
  readonly source: BlobSource | undefined
  /** From the blob to the field at fault. */
  readonly path: Path
  /** Bytes from the start of the document, for what is not even a value. */
  readonly at?: number
  readonly package?: string | undefined
  readonly channel?: string | undefined
  readonly bundle?: string | undefined
  /** Follows from another fault, and is left out of the list; the reference program tells it all the same. */
  readonly implied?: boolean
}

export type Report = (problem: Problem) => void
