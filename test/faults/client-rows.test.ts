// The fault matrix: what clients can do.

import { CLIENT_ROWS } from './client-rows.ts'
import { testRows } from './fault-matrix.ts'

testRows('Clients', CLIENT_ROWS, 1, false)
