// The fault matrix: names, proxies and registries as processes.
import { testRows } from './fault-matrix.ts'
import { NAME_ROWS } from './name-rows.ts'

testRows('Registry: names and processes', NAME_ROWS, 3, false)
