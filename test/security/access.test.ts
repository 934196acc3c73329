// Attacks on what one may do: an API server that errs, paths that say one thing and mean another, selectors and tokens that reach
// further than the permission. Each against the real server over TLS.
import t, { type Test } from 'tap'
import { clusterBinding, clusterRole, group, role, roleBinding, user } from '../fixtures/cluster-defaults.ts'
import { type DelegatedServer, startDelegatedServer } from '../fixtures/delegated-server.ts'
import type { KubeFault } from '../fixtures/kube-faults.ts'

const GROUP = 'packages.operators.coreos.com'
const API = `/apis/${GROUP}/v1`
const LIST = `${API}/packagemanifests`
const READ = {
  apiGroups: [GROUP],
  resources: ['packagemanifests', 'packagemanifests/icon'],
  verbs: ['get', 'list', 'watch'],
}

function as({ frontProxy }: DelegatedServer, name: string) {
  return { as: frontProxy, headers: { 'X-Remote-User': name } }
}

/** `tenant` may read in the namespace `team`, nowhere else. */
async function tenancy(t: Test): Promise<DelegatedServer> {
  const cluster = await startDelegatedServer(t)
  role(cluster.api.store, 'team', 'reader', [READ])
  roleBinding(cluster.api.store, 'team', 'reader', { kind: 'Role', name: 'reader' }, [user('tenant')])
  return cluster
}

t.test('an API server that does not say yes is never taken for one that does', async (t) => {
  const review = (status: object) => ({ status: 201, body: { kind: 'SubjectAccessReview', status } })
  const rows: readonly (readonly [name: string, answer: KubeFault['answer'], status: number])[] = [
    ['says nothing at all', 'hang', 503],
    ['cuts the connection', 'reset', 503],
    ['500', { status: 500 }, 503],
    ['429', { status: 429 }, 503],
    ['401', { status: 401 }, 503],
    ['403: we may not ask', { status: 403 }, 500],
    ['404: no such API', { status: 404 }, 500],
    ['HTML with 200', { status: 200, body: '<html>allowed: true</html>' }, 503],
    ['an empty object', { status: 201, body: {} }, 503],
    ['a status without a word', review({}), 503],
    ['"true" as a text', review({ allowed: 'true' }), 503],
    ['1', review({ allowed: 1 }), 503],
    ['a list', review([true]), 503],
    ['yes and no at once', review({ allowed: true, denied: true }), 403],
    ['no', review({ allowed: false, denied: true, reason: 'because' }), 403],
    ['no opinion', review({ allowed: false }), 403],
    ['yes in metadata', { status: 201, body: { metadata: { allowed: true }, status: { allowed: false } } }, 403],
  ]
  const cluster = await startDelegatedServer(t, { settings: { reviewDeadline: 300 } })
  for (const [index, [name, answer, status]] of rows.entries()) {
    cluster.api.faults.add({ on: 'subjectaccessreviews', times: 100, ...(answer === undefined ? {} : { answer }) })
    const reply = await cluster.ask(LIST, as(cluster, `user-${index}`))
    cluster.api.faults.clear()
    t.equal(reply.status, status, name)
    t.match(reply.json, { kind: 'Status', status: 'Failure', code: status })
    if (status === 503) t.ok(reply.headers['retry-after'], 'says when to come again')
  }
  clusterRole(cluster.api.store, 'all', [READ])
  clusterBinding(cluster.api.store, 'all', 'all', [group('system:authenticated')])
  t.equal((await cluster.ask(LIST, as(cluster, 'user-0'))).status, 200, 'no error is kept: asked again at once')
})

t.test('a slow API server: the answer waits for it, and for no longer than its bound', async (t) => {
  const cluster = await startDelegatedServer(t, { settings: { reviewDeadline: 400 } })
  cluster.api.faults.add({ on: 'subjectaccessreviews', delay: 150 })
  t.equal((await cluster.ask(LIST, as(cluster, 'a'))).status, 403)
  cluster.api.faults.add({ on: 'subjectaccessreviews', delay: 5000 })
  const started = Date.now()
  t.equal((await cluster.ask(LIST, as(cluster, 'b'))).status, 503)
  t.ok(Date.now() - started < 3000)
  t.equal((await cluster.ask('/livez')).status, 200)
})

t.test('a token reviewer that errs is 503, never somebody', async (t) => {
  const cluster = await startDelegatedServer(t, { settings: { reviewDeadline: 300 } })
  const rows: readonly (readonly [KubeFault['answer'], number])[] = [
    ['hang', 503],
    [{ status: 500 }, 503],
    [{ status: 403 }, 503],
    [{ status: 201, body: {} }, 401],
    [{ status: 201, body: { status: { authenticated: 'true', user: { username: 'admin' } } } }, 401],
    [{ status: 201, body: { status: { authenticated: true } } }, 401],
    [
      { status: 201, body: { status: { authenticated: true, user: { username: 7, groups: ['system:masters'] } } } },
      401,
    ],
  ]
  for (const [index, [answer, status]] of rows.entries()) {
    cluster.api.faults.add({ on: 'tokenreviews', times: 100, ...(answer === undefined ? {} : { answer }) })
    const reply = await cluster.ask(LIST, { headers: { Authorization: `Bearer token-${index}` } })
    cluster.api.faults.clear()
    t.equal(reply.status, status, JSON.stringify(answer))
  }
})

t.test('a permission for one namespace opens exactly that, with the global packages seen from it (R080)', async (t) => {
  const cluster = await tenancy(t)
  const mine = await cluster.ask(`${API}/namespaces/team/packagemanifests`, as(cluster, 'tenant'))
  t.equal(mine.status, 200)
  const { items } = mine.json as { items: { metadata: { name: string; namespace: string } }[] }
  t.same(
    items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
    ['team/alpha-operator', 'team/beta-operator'],
  )
  t.equal(
    (await cluster.ask(`${API}/namespaces/team/packagemanifests/alpha-operator/icon`, as(cluster, 'tenant'))).status,
    200,
  )
  for (const path of [
    LIST,
    `${API}/namespaces/olm/packagemanifests`,
    `${API}/namespaces/olm/packagemanifests/alpha-operator`,
  ])
    t.equal((await cluster.ask(path, as(cluster, 'tenant'))).status, 403, path)
})

t.test('paths that would be authorized as one thing and served as another', async (t) => {
  const cluster = await tenancy(t)
  const olm = `${API}/namespaces/olm/packagemanifests`
  const team = `${API}/namespaces/team`
  const paths = [
    `${team}/../olm/packagemanifests`,
    `${team}/%2e%2e/olm/packagemanifests`,
    `${team}/.%2e/olm/packagemanifests`,
    `${team}%2f..%2folm/packagemanifests`,
    `${team}%2F%2E%2E%2Folm/packagemanifests`,
    `${team}%252f..%252folm/packagemanifests`,
    `${team}%5c..%5colm/packagemanifests`,
    `${team}/..%5colm/packagemanifests`,
    `${team};/../olm/packagemanifests`,
    `${API}/namespaces/team;x=1/packagemanifests`,
    `${API}/namespaces/olm;team/packagemanifests`,
    `${API}/namespaces/olm%00team/packagemanifests`,
    `${API}/namespaces/team%00/packagemanifests`,
    `${API}/namespaces/team%0a/packagemanifests`,
    `${API}/namespaces/team%20/packagemanifests`,
    `${API}/namespaces//packagemanifests`,
    `${API}//namespaces/olm/packagemanifests`,
    `/${olm}`,
    `/.${olm}`,
    `${olm}/.`,
    `${olm}/%2e`,
    `${API}/namespaces/./olm/packagemanifests`,
    `${API}/Namespaces/olm/packagemanifests`,
    `${API}/namespaces/OLM/packagemanifests`,
    `${API}/namespaces/team/PackageManifests`,
    `${API}/namespaces/ol%6D/packagemanifests`,
    `${API}/namespaces/%c0%afolm/packagemanifests`,
    `${API}/namespaces/ｏｌｍ/packagemanifests`.replace('ｏｌｍ', encodeURIComponent('ｏｌｍ')),
    `${olm}?namespace=team`,
    `${olm}?path=/healthz`,
    `/healthz/..${olm}`,
    `/healthz%2f..${olm}`,
    `/healthz?${olm}`.replace('?', '%3f'),
    `/healthz;${olm}`,
    `/livez/../apis`,
  ]
  for (const path of paths) {
    const reply = await cluster.ask(path, as(cluster, 'tenant'))
    t.ok([400, 403, 404].includes(reply.status), `${reply.status} ${path}`)
    t.notMatch(reply.text, /PackageManifestList|APIGroup/, path)
  }
  const asked = cluster.api.accessReviews.filter(({ user }) => user === 'tenant')
  for (const { resourceAttributes, nonResourceAttributes } of asked) {
    const parts = [resourceAttributes?.namespace, resourceAttributes?.name, nonResourceAttributes?.path]
    // Encoded twice, it is decoded once, for both readers: a name with percent signs in it.
    for (const part of parts.filter((one) => typeof one === 'string' && one !== 'team%2f..%2folm'))
      t.notMatch(part, /\.\.|\/\/|%2f|\\|\0|\n/i, `asked about ${JSON.stringify(part)}`)
  }
})

t.test('health paths are open, and nothing else by way of them', async (t) => {
  const cluster = await startDelegatedServer(t)
  for (const [path, status] of [
    ['/healthz', 200],
    ['/livez?verbose', 200],
    ['/readyz?exclude=ping', 200],
    ['/healthz/ping', 403],
    ['/readyz/cluster-trust', 403],
    ['/healthzz', 403],
    ['/metrics', 403],
    ['/debug/pprof/', 403],
  ] as const) {
    const reply = await cluster.ask(path)
    t.equal(reply.status, status, path)
    t.notMatch(reply.text, /items|APIGroup/)
  }
  t.equal((await cluster.ask('/healthz', { method: 'DELETE' })).status < 500, true)
})

t.test('other open paths: exactly those', async (t) => {
  const settings = { alwaysAllowPaths: ['/livez', '/readyz', '/openapi/*'] }
  const { api, ask } = await startDelegatedServer(t, { settings })
  api.store.remove('rbac.authorization.k8s.io/clusterrolebindings', undefined, 'system:public-info-viewer')
  t.equal((await ask('/livez')).status, 200)
  t.equal((await ask('/healthz')).status, 403)
  t.equal((await ask('/openapi/v2')).status, 200)
  t.equal((await ask('/openapi')).status, 403)
})

t.test('a permission for one name is no permission for a selector that reaches further', async (t) => {
  const cluster = await startDelegatedServer(t)
  clusterRole(cluster.api.store, 'one', [{ ...READ, resourceNames: ['alpha-operator'] }])
  clusterBinding(cluster.api.store, 'one', 'one', [user('narrow')])
  const ask = (query: string) => cluster.ask(`${LIST}?${query}`, as(cluster, 'narrow'))
  const good = await ask('fieldSelector=metadata.name%3Dalpha-operator')
  t.equal(good.status, 200)
  t.equal((good.json as { items: unknown[] }).items.length, 1)
  for (const query of [
    '',
    'fieldSelector=',
    'fieldSelector=metadata.name%21%3Dalpha-operator',
    'fieldSelector=metadata.name%3Dbeta-operator',
    'fieldSelector=metadata.namespace%3Dolm',
    'fieldSelector=&fieldSelector=metadata.name%3Dalpha-operator',
    'fieldselector=metadata.name%3Dalpha-operator',
    'labelSelector=metadata.name%3Dalpha-operator',
  ])
    t.equal((await ask(query)).status, 403, query)
  for (const query of [
    'fieldSelector=metadata.name%3Dalpha-operator&fieldSelector=metadata.name%3Dbeta-operator',
    'fieldSelector=metadata.name%3Dalpha-operator%2Cmetadata.name%3Dbeta-operator',
    'fieldSelector=metadata.name%3Dalpha-operator&name=beta-operator&metadata.name=beta-operator',
  ])
    t.notMatch((await ask(query)).text, /"name":"beta-operator"/, query)
})

t.test("another's continue token opens nothing", async (t) => {
  const cluster = await tenancy(t)
  const admin = { as: cluster.frontProxy, headers: { 'X-Remote-User': 'a', 'X-Remote-Group': 'system:masters' } }
  const page = (await cluster.ask(`${LIST}?limit=1`, admin)).json as { metadata: { continue: string } }
  t.ok(page.metadata.continue)
  const token = encodeURIComponent(page.metadata.continue)
  const reply = await cluster.ask(
    `${API}/namespaces/team/packagemanifests?limit=500&continue=${token}`,
    as(cluster, 'tenant'),
  )
  t.notMatch(reply.text, /"namespace":"olm"/)
})

t.test('headers that would change the method or the path change neither', async (t) => {
  const cluster = await tenancy(t)
  for (const headers of [
    { 'X-HTTP-Method-Override': 'GET' },
    { 'X-Original-URL': `${API}/namespaces/team/packagemanifests`, 'X-Rewrite-URL': '/healthz' },
    { 'X-Forwarded-Uri': '/healthz', 'X-Forwarded-Prefix': '/healthz' },
  ]) {
    const { as: frontProxy, headers: own } = as(cluster, 'tenant')
    t.equal((await cluster.ask(LIST, { as: frontProxy, headers: { ...own, ...headers } })).status, 403)
  }
})

t.test('a WebSocket without permission gets a 403, not a stream', async (t) => {
  const cluster = await tenancy(t)
  const upgrade =
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
  const text = await cluster.raw(`GET ${LIST}?watch=1 HTTP/1.1\r\nHost: x\r\nX-Remote-User: tenant\r\n${upgrade}\r\n`, {
    as: cluster.frontProxy,
    until: /\r\n\r\n/,
  })
  t.match(text, /^HTTP\/1\.1 403/)
})

t.test('a watch ends when its permission ends', async (t) => {
  const cluster = await startDelegatedServer(t, {
    settings: { allowedTtl: 50, deniedTtl: 50 },
    server: { bounds: { reauthorizeMilliseconds: 100 } },
  })
  clusterRole(cluster.api.store, 'all', [READ])
  clusterBinding(cluster.api.store, 'all', 'all', [user('watcher')])
  let ended = false
  const watch = cluster.ask(`${LIST}?watch=1`, as(cluster, 'watcher')).then((reply) => {
    ended = true
    return reply
  })
  await new Promise((resolve) => setTimeout(resolve, 1500))
  t.notOk(ended, 'runs on while it is allowed')
  cluster.api.store.remove('rbac.authorization.k8s.io/clusterrolebindings', undefined, 'all')
  t.equal((await watch).status, 200)
  t.ok(ended)
})
