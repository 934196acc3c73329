// `npm run bench`: the judge. Measures the server against limits of the same run; writes one JSON file, prints one table, fails
// nobody. `--help` says what it takes. Docs: docs/performance.md.
import { readFile, writeFile } from 'node:fs/promises'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { BENCH_OPTIONS, type BenchOptions, benchHelp } from './bench-options.ts'
import { resultTable } from './result.ts'
import { runBench } from './run-bench.ts'

const { values } = parseArgs({ options: BENCH_OPTIONS, strict: true })
if (values.help === true) {
  process.stdout.write(benchHelp())
  process.exit(0)
}
const read = async (file: string | undefined) => (file === undefined ? '' : await readFile(file, 'utf8'))
const peer: BenchOptions['peer'] =
  values.peer === undefined
    ? undefined
    : { origin: values.peer, ca: await read(values.ca), cert: await read(values.cert), key: await read(values.key) }
const only = values.only?.split(',') ?? []
const say = (line: string) => void process.stderr.write(`${line}\n`)
const result = await runBench({
  quick: values.quick === true,
  only,
  peer,
  rows: values.rows,
  profiles: values.profiles,
  say,
})
await writeFile(values.out, `${JSON.stringify(result, undefined, 2)}\n`)
process.stdout.write(`${resultTable(result)}\nwritten to ${values.out}\n`)
process.exit(0)
