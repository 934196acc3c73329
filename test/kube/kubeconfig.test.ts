import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { OlmError } from '../../src/errors.ts'
import { createApiClient } from '../../src/kube/api-client.ts'
import { loadKubeconfig } from '../../src/kube/kubeconfig.ts'
import { startKubeApi } from '../fixtures/kube-api.ts'

const GET = { method: 'GET', path: '/api/v1/namespaces/olm/secrets', deadline: 5000 } as const

const api = await startKubeApi()
t.teardown(() => api.close())

function config(more: { readonly user?: unknown; readonly cluster?: unknown } = {}): string {
  const kubeconfig = JSON.parse(api.kubeconfig())
  if (more.user !== undefined) kubeconfig.users[0].user = more.user
  if (more.cluster !== undefined) kubeconfig.clusters[0].cluster = more.cluster
  return JSON.stringify(kubeconfig)
}

t.test('a file with a token: asks as that user, in its namespace', async (t) => {
  const file = join(t.testdir({ kubeconfig: config() }), 'kubeconfig')
  const kubeconfig = await loadKubeconfig({ file, now: Date.now })
  t.equal(kubeconfig.namespace, 'olm')
  const client = createApiClient(kubeconfig, { userAgent: 'test' })
  t.teardown(() => client.close())
  t.match(await client.request(GET), { status: 200 })
  t.equal(api.requests.at(-1)?.user, 'system:serviceaccount:olm:packageserver')
})

t.test('a token file is read again after a minute, and at once when it was refused', async (t) => {
  const dir = t.testdir({ token: 'old\n' })
  writeFileSync(join(dir, 'kubeconfig'), config({ user: { tokenFile: join(dir, 'token') } }))
  let now = 0
  const kubeconfig = await loadKubeconfig({ file: join(dir, 'kubeconfig'), now: () => now })
  const client = createApiClient(kubeconfig, { userAgent: 'test' })
  t.teardown(() => client.close())
  t.match(await client.request(GET), { status: 401 })
  writeFileSync(join(dir, 'token'), 'service-account\n')
  t.match(await client.request(GET), { status: 200 }, 'after 401 at once')
  writeFileSync(join(dir, 'token'), 'other\n')
  api.tokens.set('other', { user: { username: 'other', groups: ['system:masters'] } })
  await client.request(GET)
  t.equal(api.requests.at(-1)?.user, 'system:serviceaccount:olm:packageserver')
  now += 60_001
  await client.request(GET)
  t.equal(api.requests.at(-1)?.user, 'other')
})

t.test('exec: a program that prints a credential', async (t) => {
  const credential = {
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    status: { token: 'service-account' },
  }
  const dir = t.testdir({ 'credential.sh': `#!/bin/sh\necho '${JSON.stringify(credential)}'\n` })
  chmodSync(join(dir, 'credential.sh'), 0o700)
  const exec = { apiVersion: credential.apiVersion, command: join(dir, 'credential.sh'), interactiveMode: 'Never' }
  writeFileSync(join(dir, 'kubeconfig'), config({ user: { exec } }))
  const client = createApiClient(await loadKubeconfig({ file: join(dir, 'kubeconfig'), now: Date.now }), {
    userAgent: 'test',
  })
  t.teardown(() => client.close())
  t.match(await client.request(GET), { status: 200 })
})

t.test('in a pod: service account, CA and namespace from their folder', async (t) => {
  const url = new URL(api.url)
  const before = { host: process.env.KUBERNETES_SERVICE_HOST, port: process.env.KUBERNETES_SERVICE_PORT }
  t.teardown(() => {
    if (before.host === undefined) delete process.env.KUBERNETES_SERVICE_HOST
    if (before.port === undefined) delete process.env.KUBERNETES_SERVICE_PORT
  })
  const root = t.testdir()
  await t.rejects(
    loadKubeconfig({ file: undefined, now: Date.now, root }),
    { code: 'KUBE_NO_CLUSTER' },
    'no pod, no cluster',
  )
  const dir = join(root, 'var/run/secrets/kubernetes.io/serviceaccount')
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'token'), 'service-account')
  writeFileSync(join(dir, 'namespace'), 'olm\n')
  writeFileSync(join(dir, 'ca.crt'), api.ca)
  process.env.KUBERNETES_SERVICE_HOST = url.hostname
  process.env.KUBERNETES_SERVICE_PORT = url.port
  const kubeconfig = await loadKubeconfig({ file: undefined, now: Date.now, root })
  t.match(kubeconfig, { source: 'in-cluster', namespace: 'olm' })
  const client = createApiClient(kubeconfig, { userAgent: 'test' })
  t.teardown(() => client.close())
  t.match(await client.request(GET), { status: 200 })
})

t.test('files that are no kubeconfig: an error that names the file', async (t) => {
  const dir = t.testdir({
    empty: '',
    list: '- 1\n',
    broken: '{',
    noCluster: '{"clusters":[],"users":[],"contexts":[]}',
  })
  for (const name of ['missing', 'empty', 'list', 'broken', 'noCluster']) {
    const file = join(dir, name)
    const error = await loadKubeconfig({ file, now: Date.now }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    t.ok(error instanceof OlmError && error.message.includes(file), name)
  }
})

t.test('no answer: an error with method, path and reason, never with the token', async (t) => {
  const file = join(t.testdir({ kubeconfig: config() }), 'kubeconfig')
  const client = createApiClient(await loadKubeconfig({ file, now: Date.now }), { userAgent: 'test' })
  t.teardown(() => client.close())
  api.faults.add({ on: '/secrets', answer: 'hang' })
  const late = await client.request({ ...GET, deadline: 100 }).catch((error: unknown) => error)
  t.match(late, {
    code: 'KUBE_UNREACHABLE',
    message: /GET \/api\/v1\/namespaces\/olm\/secrets .*no answer within 100 ms/,
  })
  api.faults.add({ on: '/secrets', answer: 'reset' })
  const cut = await client.request(GET).catch((error: unknown) => error)
  t.notMatch(String(cut), 'service-account')
})
