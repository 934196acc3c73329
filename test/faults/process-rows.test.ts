// The fault matrix: what can happen to the process itself.
import { testRows } from './fault-matrix.ts'
import { PROCESS_ROWS } from './process-rows.ts'

testRows('Process', PROCESS_ROWS, 3, false)
