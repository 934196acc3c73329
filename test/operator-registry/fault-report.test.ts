// Faults as text, JSON, YAML and annotations: each form holds every fault, and no text of a catalog moves a terminal.
import t from 'tap'
import { parse } from 'yaml'
import type { Fault } from '../../src/file-based-catalog/fault.ts'
import { describeFaults, reportVerdict } from '../../src/operator-registry/fault-report.ts'

const fault: Fault = {
  rule: 'heads-several',
  message: 'multiple channel heads found in graph: a\u001b[31m, b\nc',
  remedy: 'let all entries but one be replaced or skipped',
  file: 'a:b,\u0007c.yaml',
  line: 3,
  column: 5,
  package: 'foo',
  channel: 'stable',
  bundle: undefined,
  reference: 'multiple channel heads',
}
const nowhere: Fault = { ...fault, file: '', line: undefined, column: undefined, channel: undefined }
const verdict = {
  directory: './catalog/',
  error: 'invalid index',
  faults: [fault, nowhere],
  warnings: [fault],
  summary: 'catalog: 2 faults',
}

t.test('text', async (t) => {
  t.equal(
    describeFaults([fault, nowhere]),
    [
      'a:b,\\x07c.yaml:3:5: multiple channel heads found in graph: a\\x1b[31m, b c',
      '    package foo, channel stable, rule heads-several',
      '    to mend it: let all entries but one be replaced or skipped',
      'multiple channel heads found in graph: a\\x1b[31m, b c',
      '    package foo, rule heads-several',
      '    to mend it: let all entries but one be replaced or skipped',
      '',
    ].join('\n'),
  )
  const text = reportVerdict(verdict, 'text')
  t.match(text, /^a:b,\\x07c\.yaml:3:5: warning: multiple/m)
  t.ok(text.endsWith('\ncatalog: 2 faults\n'))
  t.notOk(/\p{Cc}/u.test(text.replaceAll('\n', '')))
})

t.test('structured', async (t) => {
  const read: Readonly<Record<'json' | 'yaml', (text: string) => unknown>> = { json: JSON.parse, yaml: parse }
  for (const format of ['json', 'yaml'] as const) {
    const answer = read[format](reportVerdict(verdict, format))
    t.match(answer, {
      passed: false,
      error: { message: 'invalid index' },
      faults: [
        { rule: fault.rule, file: fault.file, line: 3, column: 5, channel: 'stable' },
        { rule: fault.rule, package: 'foo' },
      ],
      warnings: [{ rule: fault.rule }],
    })
    const [, second] = (answer as { readonly faults: readonly object[] }).faults
    t.strictSame(Object.keys(second ?? {}).sort(), ['message', 'package', 'reference', 'remedy', 'rule'])
    const sound = { ...verdict, error: undefined, faults: [], warnings: [] }
    t.strictSame(read[format](reportVerdict(sound, format)), { passed: true, faults: [] })
  }
})

t.test('annotations', async (t) => {
  const lines = reportVerdict(verdict, 'github').trimEnd().split('\n')
  t.equal(lines.length, 3)
  t.equal(
    lines[0]?.replaceAll('\u001b', '').replaceAll('\u0007', ''),
    '::error file=catalog/a%3Ab%2Cc.yaml,line=3,col=5,title=heads-several::multiple channel heads found in graph: a[31m, b%0Ac%0ATo mend it: let all entries but one be replaced or skipped',
  )
  t.match(lines[1], /^::error file=catalog\/?,title=/)
  t.match(lines[2], /^::warning /)
})
