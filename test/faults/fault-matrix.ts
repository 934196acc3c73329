// Runs rows of the fault matrix to their end, with real processes. `npm test` runs the quick ones, `npm run test:faults` all; what was
// measured then makes docs/reliability.md. Receives rows, hands on tests and measurements.
import { mkdirSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { type FaultWorld, startFaultWorld } from '../fixtures/fault-world.ts'
import { type FaultRow, judge, type Part, type RowResult } from './fault-row.ts'

const ALL = process.argv.includes('all')
const TIMEOUT = ALL ? 2_000_000 : 175_000
const RESULTS = fileURLToPath(new URL('../../.tap/faults', import.meta.url))

/** `jobs` rows at a time; `shared`: all in one world. */
export function testRows(part: Part, rows: readonly FaultRow[], jobs: number, shared: boolean): void {
  const chosen = rows.filter(({ fast }) => ALL || fast === true)
  const file = part.toLowerCase().replace(/\W+/g, '-')
  const results: RowResult[] = []
  t.setTimeout(TIMEOUT)
  t.test(part, { jobs, timeout: TIMEOUT }, async (t) => {
    let world: Promise<FaultWorld> | undefined
    const open = (own: Test) => () => {
      if (!shared) return startFaultWorld(own)
      world ??= startFaultWorld(t)
      return world
    }
    const tests = chosen.map((row, index) => {
      const denied = row.denied?.()
      const skip = denied === undefined ? false : `skipped: not permitted (${denied})`
      const about = { part, fault: row.fault, promise: row.promise }
      if (skip !== false) results.push({ ...about, skipped: skip })
      return t.test(row.fault, { buffered: true, skip, timeout: TIMEOUT }, async (t) => {
        const measured = await row.run(t, { world: open(t), name: `${file}-${index}` })
        results.push({ ...about, ...measured })
        t.comment(JSON.stringify(measured))
        judge(t, measured)
      })
    })
    await Promise.all(tests)
  })
  t.teardown(() => {
    if (!ALL) return
    mkdirSync(RESULTS, { recursive: true })
    writeFileSync(`${RESULTS}/${file}.json`, `${JSON.stringify(results, undefined, 1)}\n`)
  })
}
