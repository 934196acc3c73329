import type { FaultRow } from './fault-row.ts'
export const PROCESS_ROWS: readonly FaultRow[] = []
