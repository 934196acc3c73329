import type { FaultRow } from './fault-row.ts'
export const CLIENT_ROWS: readonly FaultRow[] = []
