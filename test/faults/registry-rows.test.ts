// The fault matrix: registries and the network before them.
import { testRows } from './fault-matrix.ts'
import { REGISTRY_ROWS } from './registry-rows.ts'

testRows('Registry', REGISTRY_ROWS, 8, true)
