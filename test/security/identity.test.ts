// Whom the server believes: what the aggregator sends is the caller, and nothing else is.
import t from 'tap'
import { clusterBinding, clusterRole, group, user } from '../fixtures/cluster-defaults.ts'
import { startDelegatedServer } from '../fixtures/delegated-server.ts'

const LIST = '/apis/packages.operators.coreos.com/v1/packagemanifests'
const OLM_LIST = '/apis/packages.operators.coreos.com/v1/namespaces/olm/packagemanifests'

t.test('the SubjectAccessReview of a request holds everything and nothing else', async (t) => {
  const { api, ask, frontProxy } = await startDelegatedServer(t)
  const headers = {
    'x-remote-user': 'viewer',
    'X-REMOTE-GROUP': ['a/b c', 'one,two', '', 'dev'],
    'X-Remote-Uid': '77',
    'X-Remote-Extra-Scopes.example.com': ['x', 'y'],
    'X-Remote-Extra-Authentication.kubernetes.io%2fcredential-Id': 'X509SHA256=00',
  }
  const identity = {
    user: 'viewer',
    groups: ['a/b c', 'one,two', 'dev', 'system:authenticated'],
    extra: { 'authentication.kubernetes.io/credential-id': ['X509SHA256=00'], 'scopes.example.com': ['x', 'y'] },
    uid: '77',
  }
  const group = 'packages.operators.coreos.com'
  const resource = { group, version: 'v1', resource: 'packagemanifests' }
  const questions: readonly (readonly [method: string, path: string, asked: object])[] = [
    ['GET', LIST, { resourceAttributes: { verb: 'list', ...resource } }],
    ['HEAD', `${LIST}?limit=1`, { resourceAttributes: { verb: 'list', ...resource } }],
    ['GET', `${LIST}?watch=1`, { resourceAttributes: { verb: 'watch', ...resource } }],
    ['GET', `${OLM_LIST}?watch=true`, { resourceAttributes: { namespace: 'olm', verb: 'watch', ...resource } }],
    ['GET', `${OLM_LIST}/a`, { resourceAttributes: { namespace: 'olm', verb: 'get', ...resource, name: 'a' } }],
    ['HEAD', `${OLM_LIST}/a`, { resourceAttributes: { namespace: 'olm', verb: 'get', ...resource, name: 'a' } }],
    [
      'GET',
      `${OLM_LIST}/a/icon`,
      { resourceAttributes: { namespace: 'olm', verb: 'get', ...resource, subresource: 'icon', name: 'a' } },
    ],
    ['DELETE', `${OLM_LIST}/a`, { resourceAttributes: { namespace: 'olm', verb: 'delete', ...resource, name: 'a' } }],
    ['DELETE', OLM_LIST, { resourceAttributes: { namespace: 'olm', verb: 'deletecollection', ...resource } }],
    ['POST', OLM_LIST, { resourceAttributes: { namespace: 'olm', verb: 'create', ...resource } }],
    ['PUT', `${OLM_LIST}/b`, { resourceAttributes: { namespace: 'olm', verb: 'update', ...resource, name: 'b' } }],
    ['PATCH', `${OLM_LIST}/a`, { resourceAttributes: { namespace: 'olm', verb: 'patch', ...resource, name: 'a' } }],
    [
      'GET',
      `${LIST}?fieldSelector=metadata.name%3Dalpha%2Cmetadata.namespace%21%3Dx`,
      {
        resourceAttributes: {
          verb: 'list',
          ...resource,
          name: 'alpha',
          fieldSelector: {
            requirements: [
              { key: 'metadata.name', operator: 'In', values: ['alpha'] },
              { key: 'metadata.namespace', operator: 'NotIn', values: ['x'] },
            ],
          },
        },
      },
    ],
    [
      'GET',
      `${LIST}?labelSelector=${encodeURIComponent('a=b,c!=d,e in (g,f),h notin (i),j,!k,l>3')}`,
      {
        resourceAttributes: {
          verb: 'list',
          ...resource,
          labelSelector: {
            requirements: [
              { key: 'a', operator: 'In', values: ['b'] },
              { key: 'c', operator: 'NotIn', values: ['d'] },
              { key: 'e', operator: 'In', values: ['f', 'g'] },
              { key: 'h', operator: 'NotIn', values: ['i'] },
              { key: 'j', operator: 'Exists' },
              { key: 'k', operator: 'DoesNotExist' },
            ],
          },
        },
      },
    ],
    ['GET', '/apis', { nonResourceAttributes: { path: '/apis', verb: 'get' } }],
    ['HEAD', '/openapi/v2', { nonResourceAttributes: { path: '/openapi/v2', verb: 'get' } }],
    ['GET', `/apis/${group}/v1`, { nonResourceAttributes: { path: `/apis/${group}/v1`, verb: 'get' } }],
    ['POST', '/version', { nonResourceAttributes: { path: '/version', verb: 'post' } }],
  ]
  for (const [method, path, asked] of questions) {
    const before = api.accessReviews.length
    await ask(path, { method, headers, as: frontProxy })
    const news = api.accessReviews.slice(before)
    // HEAD asks what GET asked: from the cache.
    if (news.length > 0) t.same(news, [{ ...asked, ...identity }], `${method} ${path}`)
    else t.equal(method, 'HEAD', `${method} ${path} asked before`)
  }
})

t.test('an identity with little: no empty members in the question', async (t) => {
  const { api, ask, frontProxy } = await startDelegatedServer(t)
  await ask('/openapi/v2', { headers: { 'X-Remote-User': 'system:aggregator' }, as: frontProxy })
  t.same(api.accessReviews, [
    {
      nonResourceAttributes: { path: '/openapi/v2', verb: 'get' },
      user: 'system:aggregator',
      groups: ['system:authenticated'],
    },
  ])
})

t.test('decisions are kept ten seconds, asked once, and never of somebody else', async (t) => {
  let now = Date.now()
  const { api, ask, frontProxy } = await startDelegatedServer(t, { clock: { now: () => now } })
  const asking = (name: string, groups: readonly string[] = []) =>
    ask(LIST, { as: frontProxy, headers: { 'X-Remote-User': name, 'X-Remote-Group': groups } })
  clusterRole(api.store, 'viewer', [
    { apiGroups: ['packages.operators.coreos.com'], resources: ['packagemanifests'], verbs: ['list'] },
  ])
  const many = await Promise.all(Array.from({ length: 20 }, () => asking('viewer')))
  t.ok(many.every((reply) => reply.status === 403))
  t.equal(api.accessReviews.length, 1, 'twenty at once, one question')
  clusterBinding(api.store, 'viewer', 'viewer', [user('viewer'), group('ops')])
  t.equal((await asking('viewer')).status, 403, 'a refusal counts ten seconds')
  now += 10_001
  t.equal((await asking('viewer')).status, 200, 'and then no longer')
  api.store.remove('rbac.authorization.k8s.io/clusterrolebindings', undefined, 'viewer')
  t.equal((await asking('viewer')).status, 200)
  now += 10_001
  t.equal((await asking('viewer')).status, 403)
  const before = api.accessReviews.length
  for (const [name, groups] of [
    ['Viewer', []],
    ['viewer ', ['x']],
    ['viewer', ['a', 'b']],
    ['viewer', ['b', 'a']],
    ['viewer', ['a,b']],
    ['viewer","groups":["ops', []],
  ] as const)
    t.equal((await asking(name, groups)).status, 403, `${name} ${groups}`)
  t.equal(api.accessReviews.length - before, 6, 'each its own question')
})

t.test('tokens: kept ten seconds by hash, good and bad; audiences; expired', async (t) => {
  let now = Date.now()
  const { api, ask, lines } = await startDelegatedServer(t, { clock: { now: () => now }, settings: {} })
  const reviews = () => api.requests.filter((request) => request.path.includes('tokenreviews'))
  const asking = (token: string) => ask('/apis', { headers: { Authorization: `Bearer ${token}` } })
  api.tokens.set('good-token', {
    user: {
      username: 'system:serviceaccount:ns:sa',
      uid: 'u',
      groups: ['system:serviceaccounts'],
      extra: { k: ['v'] },
    },
  })
  t.equal((await asking('good-token')).status, 200)
  t.equal((await asking('good-token')).status, 200)
  t.equal((await asking('bad-token')).status, 401)
  t.equal((await asking('bad-token')).status, 401)
  t.equal(reviews().length, 2)
  t.same(reviews()[0]?.body, {
    kind: 'TokenReview',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: {},
    spec: { token: 'good-token' },
  })
  t.match(api.accessReviews[0], {
    user: 'system:serviceaccount:ns:sa',
    uid: 'u',
    groups: ['system:serviceaccounts', 'system:authenticated'],
    extra: { k: ['v'] },
  })
  api.tokens.delete('good-token')
  t.equal((await asking('good-token')).status, 200)
  now += 10_001
  t.equal((await asking('good-token')).status, 401)
  api.tokens.set('elsewhere', { user: { username: 'x' }, audiences: ['vault'] })
  t.equal((await asking('elsewhere')).status, 401, 'for another audience')
  api.tokens.set('old', { user: { username: 'x' }, expires: 1 })
  t.equal((await asking('old')).status, 401, 'expired')
  t.notMatch(JSON.stringify(lines), /good-token|bad-token|elsewhere/)
})

t.test('--api-audiences: only tokens for one of them', async (t) => {
  const { api, ask } = await startDelegatedServer(t, { settings: { apiAudiences: ['packages'] } })
  api.tokens.set('for-us', { user: { username: 'x' }, audiences: ['packages', 'other'] })
  api.tokens.set('for-api', { user: { username: 'x' } })
  t.equal((await ask('/apis', { headers: { Authorization: 'Bearer for-us' } })).status, 200)
  t.equal((await ask('/apis', { headers: { Authorization: 'Bearer for-api' } })).status, 401)
})

t.test('impersonation: a question for each part, then the request runs as that identity', async (t) => {
  const { api, ask, frontProxy } = await startDelegatedServer(t)
  clusterRole(api.store, 'impersonator', [
    { apiGroups: [''], resources: ['users', 'groups', 'serviceaccounts'], verbs: ['impersonate'] },
    { apiGroups: ['authentication.k8s.io'], resources: ['uids', 'userextras/scopes'], verbs: ['impersonate'] },
  ])
  clusterBinding(api.store, 'impersonator', 'impersonator', [user('boss')])
  const as = { as: frontProxy }
  const boss = { 'X-Remote-User': 'boss', 'X-Remote-Uid': '1' }
  await ask(LIST, {
    ...as,
    headers: {
      ...boss,
      'Impersonate-User': 'viewer',
      'impersonate-group': ['g1', 'g2'],
      'Impersonate-Uid': '9',
      'Impersonate-Extra-Scopes': ['s1', 's2'],
    },
  })
  const who = { user: 'boss', groups: ['system:authenticated'], uid: '1' }
  const authentication = { verb: 'impersonate', group: 'authentication.k8s.io', version: 'v1' }
  t.same(api.accessReviews, [
    { resourceAttributes: { verb: 'impersonate', resource: 'users', name: 'viewer' }, ...who },
    { resourceAttributes: { verb: 'impersonate', resource: 'groups', name: 'g1' }, ...who },
    { resourceAttributes: { verb: 'impersonate', resource: 'groups', name: 'g2' }, ...who },
    { resourceAttributes: { ...authentication, resource: 'userextras', subresource: 'scopes', name: 's1' }, ...who },
    { resourceAttributes: { ...authentication, resource: 'userextras', subresource: 'scopes', name: 's2' }, ...who },
    { resourceAttributes: { ...authentication, resource: 'uids', name: '9' }, ...who },
    {
      resourceAttributes: {
        verb: 'list',
        group: 'packages.operators.coreos.com',
        version: 'v1',
        resource: 'packagemanifests',
      },
      user: 'viewer',
      groups: ['g1', 'g2', 'system:authenticated'],
      extra: { scopes: ['s1', 's2'] },
      uid: '9',
    },
  ])
  const before = api.accessReviews.length
  await ask('/apis', { ...as, headers: { ...boss, 'Impersonate-User': 'system:serviceaccount:ns:sa' } })
  t.match(api.accessReviews.slice(before), [
    { resourceAttributes: { verb: 'impersonate', resource: 'serviceaccounts', namespace: 'ns', name: 'sa' } },
    {
      user: 'system:serviceaccount:ns:sa',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated'],
    },
  ])
  const refused = await ask('/apis', { ...as, headers: { 'X-Remote-User': 'nobody', 'Impersonate-User': 'admin' } })
  t.equal(refused.status, 403)
  t.match(refused.json, {
    message:
      'users "admin" is forbidden: User "nobody" cannot impersonate resource "users" in API group "" at the cluster scope',
    details: { name: 'admin', kind: 'users' },
  })
  t.equal(
    (await ask('/apis', { ...as, headers: { ...boss, 'Impersonate-Group': 'g1' } })).status,
    400,
    'without a user',
  )
  const anonymous = await ask(LIST, { ...as, headers: { ...boss, 'Impersonate-User': 'system:anonymous' } })
  t.match(anonymous.json, { message: /User "system:anonymous" cannot list/ })
  t.match(api.accessReviews.at(-1), { groups: ['system:unauthenticated'] })
})
