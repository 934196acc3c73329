// The fault matrix: what a cluster can do.

import { CLUSTER_ROWS } from './cluster-rows.ts'
import { testRows } from './fault-matrix.ts'

testRows('Cluster', CLUSTER_ROWS, 1, true)
