// The dashboard: as its source says, and every metric that it asks for exists.
import { readFileSync } from 'node:fs'
import t from 'tap'
import { DASHBOARD_FILE, dashboard } from '../../build/dashboard.ts'
import { PACKAGE_SERVER_METRICS } from '../../src/package-server/metrics.ts'
import { kubectlMissing } from '../fixtures/kubectl.ts'
import { manifestOf, renderOverlay } from '../fixtures/manifests.ts'

const known: ReadonlySet<string> = new Set([
  ...Object.values(PACKAGE_SERVER_METRICS).flatMap(({ name, kind }) =>
    kind === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  ),
  ...['process_resident_memory_bytes', 'process_cpu_seconds_total', 'nodejs_eventloop_lag_p99_seconds'],
])

t.test('the file is what its source makes', async (t) => {
  const made = JSON.parse(JSON.stringify(dashboard()))
  t.strictSame(JSON.parse(readFileSync(DASHBOARD_FILE, 'utf8')), made, '`node build/dashboard.ts` makes it so')
})

t.test('every metric exists, every panel has its place', async (t) => {
  const places = new Set<string>()
  const ids = new Set<unknown>()
  for (const panel of dashboard().panels ?? []) {
    ids.add(panel.id)
    places.add(JSON.stringify([panel.gridPos?.x, panel.gridPos?.y]))
    for (const target of ('targets' in panel ? panel.targets : undefined) ?? []) {
      const names = String(target.expr).match(/\b(package_server|process|nodejs)_\w+/g) ?? []
      t.ok(names.length > 0, String(panel.title))
      for (const name of names) t.ok(known.has(name), name)
    }
  }
  t.equal(ids.size, dashboard().panels?.length)
  t.equal(places.size, dashboard().panels?.length)
})

t.test('Grafana finds it in the cluster', { skip: kubectlMissing() }, async (t) => {
  const manifests = await renderOverlay(t, { components: ['prometheus'], namespace: 'elsewhere' })
  const { metadata, data } = manifestOf(manifests, 'ConfigMap', 'packageserver-dashboard')
  t.match(metadata, { namespace: 'elsewhere', labels: { grafana_dashboard: '1' } })
  const { 'package-server.json': text = '' } = data as Readonly<Record<string, string>>
  t.strictSame(JSON.parse(text), JSON.parse(readFileSync(DASHBOARD_FILE, 'utf8')))
})
