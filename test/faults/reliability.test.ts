// Every report from the field has a test that bears its number, or a reason; the page of reliability knows every row.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { CLIENT_ROWS } from './client-rows.ts'
import { CLUSTER_ROWS } from './cluster-rows.ts'
import { UNTESTED_REPORTS } from './field-report-reasons.ts'
import { NAME_ROWS } from './name-rows.ts'
import { PROCESS_ROWS } from './process-rows.ts'
import { REGISTRY_ROWS } from './registry-rows.ts'
import { reportTests } from './reliability-page.ts'

const REPORTS = fileURLToPath(new URL('../../../shared/reference/field-reports.md', import.meta.url))
const PAGE = fileURLToPath(new URL('../../docs/reliability.md', import.meta.url))

t.test('every report has a test or a reason', { skip: !existsSync(REPORTS) && 'skipped: no ../shared' }, async (t) => {
  const numbers = [...readFileSync(REPORTS, 'utf8').matchAll(/^### (R\d{3})/gm)].map(([, number]) => number ?? '')
  t.ok(numbers.length > 70)
  const tests = reportTests()
  for (const number of numbers) t.ok(tests.has(number) !== number in UNTESTED_REPORTS, number)
})

t.test('the page knows every row', async (t) => {
  const page = readFileSync(PAGE, 'utf8')
  const rows = [...REGISTRY_ROWS, ...NAME_ROWS, ...CLUSTER_ROWS, ...CLIENT_ROWS, ...PROCESS_ROWS]
  for (const { fault } of rows) t.ok(page.includes(`| ${fault} |`), fault)
})
