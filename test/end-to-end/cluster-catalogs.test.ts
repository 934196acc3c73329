// The process of the package-server beside a cluster: the fake API server, which decides by RBAC, stands for it.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { issueServing } from '../../src/certificates/issue.ts'
import { clusterBinding, clusterRole, user } from '../fixtures/cluster-defaults.ts'
import { issueClusterAuthorities, issueUser, trustConfigMap } from '../fixtures/cluster-trust.ts'
import { eventually } from '../fixtures/eventually.ts'
import { startKubeApi } from '../fixtures/kube-api.ts'
import { kubectl, kubectlMissing } from '../fixtures/kubectl.ts'
import { samplePackage } from '../fixtures/sample-catalogs.ts'
import { secureGet } from '../fixtures/secure-request.ts'
import { serveRegistry } from '../fixtures/served-registries.ts'
import { runProgram, waitFor } from '../fixtures/standalone-process.ts'

const LIST = '/apis/packages.operators.coreos.com/v1/packagemanifests'

function catalogSource(name: string, namespace: string, address: string, more: Readonly<Record<string, unknown>> = {}) {
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'CatalogSource',
    metadata: { name, namespace },
    spec: { sourceType: 'grpc', displayName: name, address, ...more },
  }
}

/** A cluster with a front proxy, one who may read, and the program beside it with the flags that OLM passes. */
async function startBesideCluster(t: Test, ...flags: readonly string[]) {
  const base = t.testdir({ catalog: { 'a.json': samplePackage({ name: 'a' }) }, certificates: {}, home: {} })
  const api = await startKubeApi()
  t.teardown(() => api.close())
  const authorities = await issueClusterAuthorities()
  api.put(trustConfigMap({ clientCa: authorities.client.certificate, proxyCa: authorities.proxy.certificate }))
  clusterRole(api.store, 'reader', [
    { apiGroups: ['packages.operators.coreos.com'], resources: ['*'], verbs: ['get', 'list', 'watch'] },
  ])
  clusterBinding(api.store, 'reader', 'reader', [user('viewer')])
  api.tokens.set('viewer-token', { user: { username: 'viewer', uid: '7', groups: [] } })
  api.tokens.set('stranger-token', { user: { username: 'stranger', uid: '8', groups: [] } })
  const address = await serveRegistry(t, join(base, 'catalog'))
  writeFileSync(join(base, 'kubeconfig'), api.kubeconfig())
  const serving = await issueServing(
    authorities.serving,
    { commonName: 'packageserver-service.olm.svc', hosts: ['127.0.0.1', 'packageserver-service.olm.svc'] },
    { now: Date.now(), lifetime: 3_600_000 },
  )
  const certificates = join(base, 'certificates')
  const writeCertificate = () => {
    writeFileSync(join(certificates, 'apiserver.key'), serving.key)
    writeFileSync(join(certificates, 'apiserver.crt'), serving.certificate)
  }
  const spawned = performance.now()
  const run = runProgram('package-server/main.ts', [
    '-v=4',
    '--secure-port',
    '0',
    '--bind-address',
    '127.0.0.1',
    '--global-namespace',
    'olm',
    '--kubeconfig',
    join(base, 'kubeconfig'),
    '--cert-dir',
    certificates,
    ...flags,
  ])
  t.teardown(async () => {
    run.child.kill('SIGTERM')
    await run.ended
  })
  const port = await waitFor(run, () => /serving.* port=(\d+)/.exec(run.stderr())?.[1])
  const server = `https://127.0.0.1:${port}`
  const startedWithin = performance.now() - spawned
  const ca = authorities.serving.certificate
  return { api, authorities, address, base, run, server, startedWithin, writeCertificate, ca }
}

t.test('from CatalogSources of the cluster to packages, for whom the cluster lets in', async (t) => {
  const { api, authorities, address, base, run, server, startedWithin, writeCertificate, ca } =
    await startBesideCluster(t)
  api.put(catalogSource('first', 'olm', address))
  await eventually('unready without a certificate', () => /serving certificate not taken/.test(run.stderr()))
  writeCertificate()
  const ready = await eventually(
    'ready',
    async () => {
      const answer = await secureGet(`${server}/readyz?verbose`, { ca }).catch(() => undefined)
      return answer?.status === 200 && answer
    },
    20_000,
  )
  for (const check of ['serving-certificate', 'cluster-trust', 'catalog-sources-synced', 'catalogs-tried']) {
    t.ok(ready.body.toString().includes(`[+]${check} ok`), check)
  }

  const proxy = await issueUser(authorities.proxy, 'front-proxy-client')
  const asViewer = (path: string, name = 'viewer') =>
    secureGet(`${server}${path}`, { ca, cert: proxy.certificate, key: proxy.key }, { 'x-remote-user': name })
  const names = async (path = LIST) =>
    (
      JSON.parse((await asViewer(path)).body.toString()) as {
        items: { metadata: { name: string; namespace: string } }[]
      }
    ).items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
  await eventually('the package', async () => (await names()).join() === 'olm/a')
  t.equal((await asViewer(LIST, 'stranger')).status, 403)
  t.equal((await secureGet(`${server}${LIST}`, { ca })).status, 403, 'anonymous may not')
  const bearer = (token: string) => secureGet(`${server}${LIST}`, { ca }, { authorization: `Bearer ${token}` })
  t.strictSame(
    await Promise.all(['viewer-token', 'stranger-token', 'junk'].map(async (token) => (await bearer(token)).status)),
    [200, 403, 401],
  )

  api.put(catalogSource('second', 'team', address))
  await eventually('a catalog that was added', async () => (await names()).join() === 'olm/a,team/a')
  t.strictSame(await names(`/apis/packages.operators.coreos.com/v1/namespaces/team/packagemanifests`), [
    'team/a',
    'team/a',
  ])
  const begun = performance.now()
  api.take('CatalogSource', 'olm', 'first')
  await eventually('a catalog that was deleted', async () => (await names()).join() === 'team/a')
  t.ok(
    performance.now() - begun < 1000 * Math.max(1, startedWithin / 1000),
    `gone within ${Math.round(performance.now() - begun)} ms`,
  )

  api.put(catalogSource('second', 'team', address, { displayName: 'Renamed' }))
  const display = async () =>
    JSON.parse((await asViewer(LIST)).body.toString()).items[0]?.status.catalogSourceDisplayName
  await eventually('another name without another reading', async () => (await display()) === 'Renamed')

  if (kubectlMissing() === false) {
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'c',
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      clusters: [{ name: 'c', cluster: { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') } }],
      users: [{ name: 'u', user: { token: 'viewer-token' } }],
    }
    writeFileSync(join(base, 'viewer'), JSON.stringify(config))
    t.match(await kubectl(join(base, 'viewer'), join(base, 'home'), 'get', 'packagemanifests', '-A', '--no-headers'), {
      code: 0,
      stdout: /^team +a +Renamed +/,
    })
  }
})
