// `npm run docs:reliability`: makes docs/reliability.md of what `npm run test:faults` measured, of the soak's result, and of the reports
// from the field.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { RowResult } from './fault-row.ts'
import { UNTESTED_REPORTS } from './field-report-reasons.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Number of a report → files of tests whose titles bear it. */
export function reportTests(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>()
  for (const file of readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })) {
    if (!/(\.test|-rows)\.ts$/.test(file)) continue
    for (const line of readFileSync(join(ROOT, 'test', file), 'utf8').split('\n')) {
      for (const [number] of line.matchAll(/\bR\d{3}\b/g)) {
        found.set(number, (found.get(number) ?? new Set()).add(`test/${file}`))
      }
    }
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([number, files]) => [number, [...files].sort()]))
}

interface SoakResult {
  readonly minutes: number
  readonly requests: number
  readonly lost: number
  readonly wrong: number
  readonly failed: number
  readonly heapGrowth: number
  readonly memoryLastThirdToSecond: number
  readonly judgements: Readonly<Record<string, boolean>>
}

function rowText(row: RowResult): string {
  if (row.skipped !== undefined) return `| ${row.fault} | ${row.promise} | ${row.skipped} | | | | |`
  const recovered = row.recoveredMs === undefined ? '' : `${(row.recoveredMs / 1000).toFixed(1)} s`
  const cells = [
    row.lost ?? '',
    row.wrong ?? '',
    row.failed === undefined ? '' : `${row.failed} of ${row.requests ?? '?'}`,
    recovered,
    row.note ?? '',
  ]
  return `| ${row.fault} | ${row.promise} | ${cells.join(' | ')} |`
}

function page(rows: readonly RowResult[], soak: SoakResult | undefined): string {
  const parts = [...new Set(rows.map(({ part }) => part))]
  const tables = parts.map((part) => {
    const own = rows.filter((row) => row.part === part).map(rowText)
    return `### ${part}\n\n| fault | promise | lost | wrong | failed | recovered after | |\n| --- | --- | --- | --- | --- | --- | --- |\n${own.join('\n')}`
  })
  const reports = [...reportTests()].map(
    ([number, files]) => `| ${number} | ${files.map((file) => `\`${file}\``).join(', ')} |`,
  )
  const untested = Object.entries(UNTESTED_REPORTS).map(([number, reason]) => `| ${number} | ${reason} |`)
  return `# Reliability

Made by \`npm run docs:reliability\` from what was measured; do not edit. A row is shown again by \`npm run test:faults\` (all) or
\`npm test\` (the quick ones); one alone by \`npx tap --test-arg=all --grep='/NAME/' test/faults/*-rows.test.ts\`.

## Promises

1. A package once read stays listed until a whole new reading lacks it, or holds it with no channel that decodes, or its CatalogSource is deleted.
2. A list is never a mixture of two readings of one catalog.
3. Two replicas with the same inputs give the same answers.
4. One bad bundle, package, catalog, registry or client never costs another anything.
5. The process neither dies nor hangs: discovery answers on.
6. Stale data says so and recovers by itself within one back-off (half a minute at most) after the cause is gone.
7. Memory, sockets, timers and handles return to where they were.
8. What a watcher saw, put together, is what a list says.

## Faults

*lost*: the most packages that were missing from a list at one moment. *wrong*: lists that were a mixture or held what no registry said.
*failed*: requests that were not answered with 200, of all that were asked meanwhile. *recovered after*: from the end of the cause to a list that is right and fresh.

${tables.join('\n\n')}

## Where a promise cannot hold

- What the kernel kills for memory cannot answer. With \`--state-dir\` the next life lists what the last one read, before any registry answers.
- A restart without \`--state-dir\`, or with the API server out of reach: CatalogSources are not kept, so nothing is listed before they are known; readiness is false and unknown names are 503 until then.
- A registry that ends an answer cleanly is believed: half a catalog, or none, is what it said. The log and an Event say how many packages went.
- Bits that flip on the way and still decode count as what the registry said.
- A registry that holds its connection open and says nothing is noticed when the deadline of a call ends: 30 s for one package, 120 s for a list.
- A content that changes under the same bundle names while it is read cannot be told from one that does not: such a reading may hold both, until the next.

## Random lives, and long ones

\`npm run simulate -- --seed N\` runs a cluster's life of that seed in simulated time against a model of what must be visible; \`npm test\` runs 60 seeds, \`npm run test:faults\` 2,000.
\`npm run fuzz\` tries 100,000 inputs of structure-aware mutations; what finds something is kept in \`test/fuzz/kept\` and tried by every \`npm test\`.
\`npm run soak -- --minutes N\` keeps a server busy and judges what is left at the end.
${soak === undefined ? '' : soakText(soak)}
## Reports from the field

| report | test |
| --- | --- |
${reports.join('\n')}

Without a test, and why:

| report | reason |
| --- | --- |
${untested.join('\n')}
`
}

function soakText(soak: SoakResult): string {
  const judged = Object.entries(soak.judgements).map(([what, good]) => `| ${what} | ${good ? 'yes' : '**no**'} |`)
  const facts = [
    `${soak.minutes} minutes, ${soak.requests} requests: ${soak.lost} packages lost, ${soak.wrong} wrong answers, ${soak.failed} failed.`,
    `Heap after collection ${(soak.heapGrowth * 100).toFixed(1)} % against after warm-up; memory of the last third ${soak.memoryLastThirdToSecond} times that of the second.`,
  ]
  return `\nThe latest soak: ${facts.join(' ')}\n\n| judged | |\n| --- | --- |\n${judged.join('\n')}\n\n![memory, latency and delay of the event loop over time](soak.svg)\n`
}

/** Of every part that was measured. */
function measuredRows(): readonly RowResult[] {
  const folder = join(ROOT, '.tap/faults')
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return files.flatMap((name) => read<RowResult[]>(`.tap/faults/${name}`) ?? [])
}

function read<T>(path: string): T | undefined {
  const file = join(ROOT, path)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : undefined
}

if (import.meta.main) {
  const rows = measuredRows()
  if (rows.length === 0) {
    process.stderr.write('nothing was measured yet: npm run test:faults\n')
    process.exitCode = 1
  } else writeFileSync(join(ROOT, 'docs/reliability.md'), page(rows, read('docs/soak.json')))
}
