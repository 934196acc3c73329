// The package-server as an administrator operates it: metrics, levels of the log, the interval out of the cluster.
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { PACKAGE_SERVER_METRICS } from '../../src/package-server/metrics.ts'
import { clusterBinding, clusterRole, user } from '../fixtures/cluster-defaults.ts'
import { startClusterProgram } from '../fixtures/cluster-program.ts'
import { issueClusterAuthorities, issueUser, trustConfigMap } from '../fixtures/cluster-trust.ts'
import { eventually } from '../fixtures/eventually.ts'
import { startKubeApi } from '../fixtures/kube-api.ts'
import { samplePackage } from '../fixtures/sample-catalogs.ts'
import { serveRegistry } from '../fixtures/served-registries.ts'

const LIST = '/apis/packages.operators.coreos.com/v1/packagemanifests'
t.setTimeout(120_000)

const authorities = await issueClusterAuthorities()
const frontProxy = await issueUser(authorities.proxy, 'front-proxy-client')

async function operated(t: Test, ...flags: readonly string[]) {
  const api = await startKubeApi()
  t.teardown(() => api.close())
  api.put(trustConfigMap({ clientCa: authorities.client.certificate, proxyCa: authorities.proxy.certificate }))
  clusterRole(api.store, 'scraper', [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }])
  clusterBinding(api.store, 'scraper', 'scraper', [user('prometheus')])
  api.tokens.set('prometheus-token', { user: { username: 'prometheus', uid: '1', groups: [] } })
  const address = await serveRegistry(t, join(t.testdir({ 'a.json': samplePackage({ name: 'a' }) }), '.'))
  api.put({
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'CatalogSource',
    metadata: { name: 'fine', namespace: 'olm' },
    spec: { sourceType: 'grpc', address },
  })
  const program = await startClusterProgram(t, api, {
    flags: ['--certificate-secret=packageserver-certificate', '--global-namespace=olm', ...flags],
  })
  return { api, program }
}

t.test('metrics: to whom the cluster lets, in both formats, and every one that there is', async (t) => {
  const { program } = await operated(t, '--metrics-address=127.0.0.1:0')
  t.equal((await program.ask('/metrics')).status, 403, 'not to everybody')
  const admin = { as: frontProxy, headers: { 'X-Remote-User': 'admin', 'X-Remote-Group': 'system:masters' } }
  await eventually('a list', async () => /"name":"a"/.test((await program.ask(LIST, admin)).text))
  const bearer = { Authorization: 'Bearer prometheus-token' }
  const { status, text, headers } = await program.ask('/metrics', { headers: bearer })
  t.equal(status, 200)
  t.match(headers['content-type'], 'text/plain')
  const seldom = new Set(['package_server_registry_reconnects_total', 'package_server_catalog_left_out'])
  for (const { name } of Object.values(PACKAGE_SERVER_METRICS)) {
    t.match(text, `# TYPE ${name} `)
    if (!seldom.has(name) && !/watch|handshake/.test(name))
      t.match(text, new RegExp(`^${name}(_count)?[{ ]`, 'm'), name)
  }
  const at = /^package_server_aggregator_last_request_timestamp_seconds ([\d.]+)$/m.exec(text)?.[1]
  t.ok(Math.abs(Number(at) * 1000 - Date.now()) < 60_000, 'the aggregator was here a moment ago')
  t.match(text, /^package_server_requests_total\{verb="list",resource="packagemanifests",code="200"\} \d+$/m)
  t.match(text, /^package_server_registry_calls_total\{method="ListPackages",code="OK"\} 1$/m)
  t.match(text, /^package_server_catalog_packages\{catalog_namespace="olm",catalog="fine"\} 1$/m)
  t.match(text, /^nodejs_eventloop_lag_seconds /m)
  const open = await program.ask('/metrics', { headers: { ...bearer, Accept: 'application/openmetrics-text' } })
  t.match(open.text, /# EOF\n$/)

  const port = await eventually('a port of its own', () => /"port":(\d+),"msg":"metrics/.exec(program.stderr())?.[1])
  const plain = await fetch(`http://127.0.0.1:${port}/metrics`)
  t.match(await plain.text(), /^package_server_build_info/m)
})

t.test('SIGUSR2 goes from one level of the log to the next, and round again', async (t) => {
  const { program } = await operated(t)
  for (const level of ['debug', 'trace', 'info']) {
    program.child.kill('SIGUSR2')
    await eventually(level, () =>
      program.stderr().includes(`"detail":"${level}","msg":"the log is kept at another level"`),
    )
  }
})

t.test('OLMConfig: set, changed, junk, removed', async (t) => {
  const { api, program } = await operated(t)
  const say = (packageServerSyncInterval: unknown) =>
    api.put({
      apiVersion: 'operators.coreos.com/v1',
      kind: 'OLMConfig',
      metadata: { name: 'cluster' },
      spec: { features: { packageServerSyncInterval } },
    })
  const told = (text: string, times = 1) => eventually(text, () => program.stderr().split(text).length > times)
  say('30m')
  await told('"interval":"30m"')
  say('1s')
  await told('"interval":"1s"')
  say('soon')
  await told('"said":"\\"soon\\""')
  await told('"interval":"5m"')
  say('0s')
  await told('"said":"\\"0s\\""')
  say('-3m')
  await told('"said":"\\"-3m\\""')
  say('1h')
  await told('"interval":"1h"')
  api.take('OLMConfig', undefined, 'cluster')
  await told('"interval":"5m"', 2)
  t.equal(program.child.exitCode, null, 'without a restart')
})
