// `node build/dashboard.ts`: the Grafana dashboard, written to apiservice/components/prometheus/dashboard.json. What it asks Prometheus
// for stands here once; a test compares the names with the metrics that there are.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Dashboard } from '@grafana/schema'

export const DASHBOARD_FILE = fileURLToPath(
  new URL('../apiservice/components/prometheus/dashboard.json', import.meta.url),
)

interface Question {
  readonly title: string
  readonly unit: string
  /** By the legend of its lines. */
  readonly lines: Readonly<Record<string, string>>
  readonly description?: string
}

const OWN = 'job="packageserver-service"'
const CATALOG = '{{catalog_namespace}}/{{catalog}}'

const ROWS: Readonly<Record<string, readonly Question[]>> = {
  Catalogs: [
    {
      title: 'Age of what is shown',
      unit: 's',
      lines: { [CATALOG]: 'max by (catalog_namespace, catalog) (package_server_catalog_age_seconds)' },
      description:
        'Rises to the interval and falls to nothing, over and over; a line that only rises is a registry that cannot be read.',
    },
    {
      title: 'Packages',
      unit: 'short',
      lines: { [CATALOG]: 'max by (catalog_namespace, catalog) (package_server_catalog_packages)' },
    },
    {
      title: 'Left out',
      unit: 'short',
      lines: {
        [`${CATALOG}: {{what}}, {{reason}}`]:
          'max by (catalog_namespace, catalog, what, reason) (package_server_catalog_left_out)',
      },
    },
    {
      title: 'Failing',
      unit: 'short',
      lines: { [CATALOG]: 'max by (catalog_namespace, catalog) (package_server_catalog_failing)' },
    },
    {
      title: 'Calls to registries',
      unit: 'ops',
      lines: {
        '{{method}} {{code}}': 'sum by (method, code) (rate(package_server_registry_calls_total[$__rate_interval]))',
      },
    },
    {
      title: 'Duration of readings',
      unit: 's',
      lines: { [CATALOG]: 'max by (catalog_namespace, catalog) (package_server_catalog_reading_duration_seconds)' },
    },
  ],
  Requests: [
    {
      title: 'Requests',
      unit: 'reqps',
      lines: {
        '{{verb}} {{resource}}': 'sum by (verb, resource) (rate(package_server_requests_total[$__rate_interval]))',
      },
    },
    {
      title: 'Errors and refusals',
      unit: 'reqps',
      lines: { '{{code}}': 'sum by (code) (rate(package_server_requests_total{code=~"[45].."}[$__rate_interval]))' },
    },
    {
      title: '99 of 100 answered within',
      unit: 's',
      lines: {
        '{{verb}}':
          'histogram_quantile(0.99, sum by (verb, le) (rate(package_server_request_duration_seconds_bucket[$__rate_interval])))',
      },
    },
    {
      title: 'Watches',
      unit: 'short',
      lines: {
        '{{pod}}': 'package_server_watches',
        cut: 'sum(rate(package_server_watches_cut_total[$__rate_interval]))',
      },
    },
    {
      title: 'Access: decisions, and those asked of the API server',
      unit: 'ops',
      lines: {
        '{{result}}': 'sum by (result) (rate(package_server_authorizations_total[$__rate_interval]))',
        'asked: {{result}}': 'sum by (result) (rate(package_server_access_reviews_total[$__rate_interval]))',
      },
    },
    {
      title: 'Since the API server last asked',
      unit: 's',
      lines: { '{{pod}}': 'time() - package_server_aggregator_last_request_timestamp_seconds' },
    },
  ],
  Process: [
    { title: 'Memory', unit: 'bytes', lines: { '{{pod}}': `process_resident_memory_bytes{${OWN}}` } },
    {
      title: 'Processor',
      unit: 'short',
      lines: { '{{pod}}': `rate(process_cpu_seconds_total{${OWN}}[$__rate_interval])` },
    },
    { title: 'Event loop behind by', unit: 's', lines: { '{{pod}}': `nodejs_eventloop_lag_p99_seconds{${OWN}}` } },
    {
      title: 'Certificate ends in',
      unit: 's',
      lines: { '{{pod}}': 'package_server_certificate_not_after_timestamp_seconds - time()' },
    },
  ],
}

const WIDTH = 8
const HEIGHT = 8
const PER_ROW = 3

/** Pure. */
export function dashboard() {
  const source = { type: 'prometheus', uid: '$datasource' }
  const panels: Dashboard['panels'] = []
  let y = 0
  for (const [title, questions] of Object.entries(ROWS)) {
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title,
      collapsed: false,
      panels: [],
      gridPos: { x: 0, y, w: 24, h: 1 },
    })
    y += 1
    for (const [index, { title: name, unit, lines, description }] of questions.entries()) {
      panels.push({
        id: panels.length + 1,
        type: 'timeseries',
        title: name,
        ...(description === undefined ? {} : { description }),
        datasource: source,
        fieldConfig: { defaults: { unit, min: 0, custom: {} }, overrides: [] },
        gridPos: { x: (index % PER_ROW) * WIDTH, y: y + Math.floor(index / PER_ROW) * HEIGHT, w: WIDTH, h: HEIGHT },
        targets: Object.entries(lines).map(([legendFormat, expr], line) => ({
          refId: String.fromCharCode(65 + line),
          datasource: source,
          ...{ expr, legendFormat },
        })),
      })
    }
    y += Math.ceil(questions.length / PER_ROW) * HEIGHT
  }
  return {
    uid: 'olm-package-server',
    title: 'OLM package-server',
    description: 'Catalogs, requests and the process of the package-server.',
    tags: ['olm'],
    schemaVersion: 39,
    editable: true,
    refresh: '1m',
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [{ name: 'datasource', type: 'datasource', label: 'Prometheus', query: 'prometheus', hide: 0 }],
    },
    panels,
  } satisfies Dashboard
}

if (import.meta.main) writeFileSync(DASHBOARD_FILE, `${JSON.stringify(dashboard(), null, 2)}\n`)
