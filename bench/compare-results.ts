// `node bench/compare-results.ts OLD.json NEW.json [PERCENT]`: what became slower, larger or later from one run to another by
// more than so many percent (20). Ratios are compared where there are any: they do not depend on the machine's load.
import { readFile } from 'node:fs/promises'
import process from 'node:process'
import type { BenchResult } from './result.ts'
import { differences } from './result-differences.ts'

const [before, after, percent = '20'] = process.argv.slice(2)
if (before === undefined || after === undefined || !(Number(percent) > 0)) {
  process.stderr.write('Usage: node bench/compare-results.ts OLD.json NEW.json [PERCENT]\n')
  process.exit(2)
}
const read = async (file: string) => JSON.parse(await readFile(file, 'utf8')) as BenchResult
const found = differences(await read(before), await read(after), Number(percent) / 100)
for (const { verdict, text } of found) process.stdout.write(`${verdict.padEnd(7)} ${text}\n`)
const worse = found.filter(({ verdict }) => verdict === 'worse').length
process.stdout.write(`${worse} of ${found.length} rows are worse by more than ${percent} %\n`)
process.exit(worse > 0 ? 1 : 0)
