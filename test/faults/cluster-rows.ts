import type { FaultRow } from './fault-row.ts'
export const CLUSTER_ROWS: readonly FaultRow[] = []
