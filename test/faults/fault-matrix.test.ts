// The fault matrix: every row to its end, with real processes. `npm test` runs the quick ones, `npm run test:faults` all; what was
// measured then makes docs/reliability.md.
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { type FaultWorld, startFaultWorld } from '../fixtures/fault-world.ts'
import { CLIENT_ROWS } from './client-rows.ts'
import { CLUSTER_ROWS } from './cluster-rows.ts'
import { type FaultRow, judge, type Part, type RowResult } from './fault-row.ts'
import { NAME_ROWS } from './name-rows.ts'
import { PROCESS_ROWS } from './process-rows.ts'
import { REGISTRY_ROWS } from './registry-rows.ts'

const ALL = process.argv.includes('all')
const RESULTS = fileURLToPath(new URL('../../.tap/faults', import.meta.url))
const TIMEOUT = ALL ? 2_000_000 : 170_000
const results: RowResult[] = []

function part(name: Part, rows: readonly FaultRow[], jobs: number, shared: boolean): void {
  const chosen = rows.filter(({ fast }) => ALL || fast === true)
  t.test(name, { jobs, timeout: TIMEOUT }, async (t) => {
    let world: Promise<FaultWorld> | undefined
    const open = (own: Test) => () => {
      if (!shared) return startFaultWorld(own)
      world ??= startFaultWorld(t)
      return world
    }
    const tests = chosen.map((row, index) => {
      const denied = row.denied?.()
      const skip = denied === undefined ? false : `skipped: not permitted (${denied})`
      const about = { part: name, fault: row.fault, promise: row.promise }
      if (skip !== false) results.push({ ...about, skipped: skip })
      return t.test(row.fault, { buffered: true, skip, timeout: TIMEOUT }, async (t) => {
        const measured = await row.run(t, {
          world: open(t),
          name: `${name.toLowerCase().replace(/\W+/g, '-')}-${index}`,
        })
        results.push({ ...about, ...measured })
        t.comment(JSON.stringify(measured))
        judge(t, measured)
      })
    })
    await Promise.all(tests)
  })
}

t.jobs = 1
t.setTimeout(TIMEOUT)
part('Registry', REGISTRY_ROWS, 8, true)
part('Registry: names and processes', NAME_ROWS, 3, false)
part('Cluster', CLUSTER_ROWS, 1, true)
part('Clients', CLIENT_ROWS, 1, false)
part('Process', PROCESS_ROWS, 3, false)
t.teardown(() => {
  if (!ALL) return
  mkdirSync(RESULTS, { recursive: true })
  writeFileSync(`${RESULTS}/matrix.json`, `${JSON.stringify(results, undefined, 1)}\n`)
})
