// Alerts ask for metrics that exist, and each has its place in the runbook; promtool reads them where this machine has it.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse, stringify } from 'yaml'
import { PACKAGE_SERVER_METRICS } from '../../src/package-server/metrics.ts'
import { ROOT } from '../presubmit/source-files.ts'

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly for: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly runbook: string }
}

const { spec } = parse(readFileSync(join(ROOT, 'apiservice/components/prometheus/rules.yaml'), 'utf8')) as {
  spec: { groups: readonly { name: string; rules: readonly Rule[] }[] }
}
const rules = spec.groups.flatMap((group) => group.rules)
const runbook = readFileSync(join(ROOT, 'docs/runbook.md'), 'utf8')
/** Of the process, and of Prometheus itself. */
const OTHERS = new Set(['up', 'nodejs_eventloop_lag_p99_seconds'])
// Functions, labels, and units of time.
const NOT_METRICS = /^(absent|time|max|min|sum|rate|increase|by|catalog|catalog_namespace|job|code|result|m|h)$/
const known: ReadonlySet<string> = new Set(Object.values(PACKAGE_SERVER_METRICS).map(({ name }) => name))

t.test('every metric that is asked for exists', async (t) => {
  t.ok(rules.length >= 10)
  for (const { alert, expr } of rules) {
    const names = expr.replace(/"[^"]*"/g, '').match(/[a-z_][a-z_0-9]+/g) ?? []
    for (const name of names)
      if (!NOT_METRICS.test(name)) t.ok(known.has(name) || OTHERS.has(name), `${alert}: ${name}`)
  }
})

t.test('every alert has a section with symptom, cause, commands and way out; every section has an alert', async (t) => {
  const sections = [...runbook.matchAll(/^### (\w+)\n([\s\S]*?)(?=\n##)/gm)]
  t.strictSame(sections.map(([, name]) => name).sort(), rules.map(({ alert }) => alert).sort())
  for (const [, name, text = ''] of sections)
    for (const part of ['Symptom', 'Cause', 'Commands', 'Way out']) t.match(text, `- **${part}:**`, `${name}: ${part}`)
  for (const { alert, annotations, labels } of rules) {
    t.equal(annotations.runbook, `docs/runbook.md#${alert.toLowerCase()}`)
    t.match(labels.severity, /^(critical|warning|info)$/)
  }
})

function promtoolMissing(): string | false {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' })
    return false
  } catch {
    return 'skipped: no promtool'
  }
}

t.test('promtool reads the rules, and they fire when they should', { skip: promtoolMissing() }, async (t) => {
  const folder = t.testdir()
  writeFileSync(join(folder, 'rules.yaml'), stringify({ groups: spec.groups }))
  execFileSync('promtool', ['check', 'rules', join(folder, 'rules.yaml')], { stdio: 'pipe' })
  const catalog = '{catalog_namespace="olm",catalog="a"'
  const fires = (alert: string, labels: object, time = '30m') => {
    const rule = rules.find((one) => one.alert === alert)
    const summary = rule?.annotations.summary.replace('{{ $labels.catalog_namespace }}/{{ $labels.catalog }}', 'olm/a')
    return {
      eval_time: time,
      alertname: alert,
      exp_alerts: [
        {
          exp_labels: { severity: rule?.labels.severity, ...labels },
          exp_annotations: { summary, runbook: rule?.annotations.runbook },
        },
      ],
    }
  }
  const silent = (alert: string) => ({ eval_time: '30m', alertname: alert, exp_alerts: [] })
  const tests = {
    rule_files: ['rules.yaml'],
    tests: [
      {
        interval: '1m',
        input_series: [
          // One of two replicas can read it.
          { series: `package_server_catalog_failing${catalog},pod="1"}`, values: '1x60' },
          { series: `package_server_catalog_failing${catalog},pod="2"}`, values: '0x60' },
          { series: 'up{job="packageserver-service",pod="1"}', values: '1x60' },
          { series: 'package_server_aggregator_last_request_timestamp_seconds{pod="1"}', values: '0+60x60' },
          { series: 'package_server_certificate_not_after_timestamp_seconds{pod="1"}', values: '9000000x60' },
        ],
        alert_rule_test: [
          silent('PackageServerCatalogUnreadable'),
          silent('PackageServerDown'),
          silent('PackageServerUnreached'),
          silent('PackageServerCertificateEnds'),
        ],
      },
      {
        interval: '1m',
        input_series: [
          { series: `package_server_catalog_failing${catalog},pod="1"}`, values: '1x200' },
          { series: `package_server_catalog_left_out${catalog},what="channel",reason="content"}`, values: '2x200' },
          { series: 'up{job="packageserver-service",pod="1"}', values: '0x200' },
          { series: 'package_server_aggregator_last_request_timestamp_seconds{pod="1"}', values: '0x200' },
          { series: 'package_server_certificate_not_after_timestamp_seconds{pod="1"}', values: '90000x200' },
          { series: 'package_server_requests_total{code="200"}', values: '0+90x200' },
          { series: 'package_server_requests_total{code="500"}', values: '0+10x200' },
          { series: 'package_server_access_reviews_total{result="error"}', values: '0+1x200' },
        ],
        alert_rule_test: [
          fires('PackageServerCatalogUnreadable', { catalog_namespace: 'olm', catalog: 'a' }),
          fires('PackageServerPackagesLeftOut', { catalog_namespace: 'olm', catalog: 'a' }, '90m'),
          fires('PackageServerDown', {}),
          fires('PackageServerUnreached', {}),
          fires('PackageServerCertificateEnds', {}, '90m'),
          fires('PackageServerErrors', {}),
          fires('PackageServerAccessReviewsFail', {}),
        ],
      },
    ],
  }
  writeFileSync(join(folder, 'tests.yaml'), stringify(tests))
  try {
    execFileSync('promtool', ['test', 'rules', join(folder, 'tests.yaml')], { stdio: 'pipe', cwd: folder })
    t.pass('they fire')
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: Buffer; stderr?: Buffer }
    t.fail(`${stdout ?? ''}${stderr ?? ''}`)
  }
})
