// `npm run simulate -- --seed N [--runs M]`: runs the simulation of one seed, or of so many from it on, and says what it found.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { simulate } from './cluster-model.ts'

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, runs: { type: 'string', default: '1' } },
})
const base = mkdtempSync(join(tmpdir(), 'simulate-'))
let folders = 0
const first = Number(values.seed)
try {
  for (let seed = first; seed < first + Number(values.runs); seed++) {
    const began = performance.now()
    const passed = await simulate(seed, () => join(base, String(folders++)))
    const hours = (passed / 3_600_000).toFixed(2)
    process.stdout.write(
      `seed ${seed}: ${hours} h of simulated time in ${Math.round(performance.now() - began)} ms: all as promised\n`,
    )
  }
} catch (error) {
  const cause = error instanceof Error && error.cause instanceof Error ? `\n${error.cause.stack}` : ''
  process.stdout.write(`${error instanceof Error ? error.message : String(error)}${cause}\n`)
  process.exitCode = 1
} finally {
  rmSync(base, { recursive: true, force: true })
}
