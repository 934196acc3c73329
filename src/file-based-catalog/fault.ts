// One thing that is wrong with a catalog: where, by which rule, and how to mend it.
import type { Rule } from './rules.ts'

export interface Fault {
  /** Stable name of the rule that is broken. */
  readonly rule: Rule
  /** What is wrong, in one line. */
  readonly message: string
  /** How to mend it. */
  readonly remedy: string
  /** Path within the catalog's folder, `/` between names; `""` where no file is at fault. */
  readonly file: string
  /** From 1; undefined where unknown. */
  readonly line: number | undefined
  readonly column: number | undefined
  readonly package: string | undefined
  readonly channel: string | undefined
  readonly bundle: string | undefined
  /** The reference program's own words for this fault; several lines where it has several. */
  readonly reference: string
}
