// A row of the fault matrix: what happens, what is promised all the same, and how to make it happen. Receives measurements, hands on
// what the page of reliability shows.
import type { Test } from 'tap'
import type { FaultWorld, Observed } from '../fixtures/fault-world.ts'

export type Part = 'Registry' | 'Registry: names and processes' | 'Cluster' | 'Clients' | 'Process'

export interface Measured extends Partial<Observed> {
  /** From the end of the cause to a right and fresh list, ms. */
  readonly recoveredMs?: number
  readonly note?: string
}

export interface FaultRow {
  readonly fault: string
  readonly promise: string
  /** Part of `npm test`; the others run with `npm run test:faults` alone. */
  readonly fast?: true
  /** Reason why this machine does not permit it; undefined: it does. */
  readonly denied?: () => string | undefined
  run(t: Test, stage: Stage): Promise<Measured>
}

export interface Stage {
  /** Shared by the rows of a part. */
  readonly world: () => Promise<FaultWorld>
  /** A name for a catalog of this row alone. */
  readonly name: string
}

export interface RowResult extends Measured {
  readonly part: Part
  readonly fault: string
  readonly promise: string
  readonly skipped?: string
}

/** Time to recover that is promised: one back-off (30 s), a deadline of the reading that runs, and room for a busy machine. */
export const RECOVERY_MS = 60_000

export function judge(t: Test, measured: Measured): void {
  t.equal(measured.lost ?? 0, 0, 'packages lost')
  t.equal(measured.wrong ?? 0, 0, 'wrong answers')
  t.equal(measured.failed ?? 0, 0, 'requests failed')
  t.ok((measured.recoveredMs ?? 0) < RECOVERY_MS, `recovered after ${measured.recoveredMs} ms`)
}
