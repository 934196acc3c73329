// Random lives of a cluster against the model, a seed each. `npm run simulate -- --seed N` runs one again.
import t from 'tap'
import { simulate } from './cluster-model.ts'

const ALL = process.argv.includes('all')
const FIRST = 1
const COUNT = ALL ? 1000 : 60

/** Seeds that once found something. */
const KEPT: readonly number[] = []

t.test('whatever happens, what must be visible is', { timeout: ALL ? 1_500_000 : 170_000 }, async (t) => {
  let folders = 0
  const base = t.testdir()
  let passed = 0
  const seeds = [...KEPT, ...Array.from({ length: COUNT }, (_, index) => FIRST + index)]
  for (const seed of seeds) passed += await simulate(seed, () => `${base}/${folders++}`)
  t.comment(`${seeds.length} seeds, ${(passed / 3_600_000).toFixed(1)} hours of simulated time`)
  t.ok(passed > 0)
})
