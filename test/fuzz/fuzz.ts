// `npm run fuzz -- [--inputs 100000] [--seed N]`: tries so many inputs, keeps those that find something, and says so.
import process from 'node:process'
import { parseArgs } from 'node:util'
import { keepFindings, runFuzz } from './fuzz-run.ts'

const { values } = parseArgs({
  options: { inputs: { type: 'string', default: '100000' }, seed: { type: 'string' } },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000_000)
const began = performance.now()
const { tried, slowestMs, findings } = await runFuzz({
  inputs: Number(values.inputs),
  seed,
  onProgress(count) {
    if (count % 10_000 === 0) process.stderr.write(`${count} inputs\n`)
  },
})
const seconds = Math.round((performance.now() - began) / 1000)
process.stdout.write(
  `seed ${seed}: ${JSON.stringify(tried)} in ${seconds} s, the slowest ${Math.round(slowestMs)} ms\n`,
)
for (const [index, file] of keepFindings(findings).entries()) {
  process.stdout.write(`${file} (seed ${findings[index]?.seed}): ${findings[index]?.reason}\n`)
}
if (findings.length > 0) process.exitCode = 1
