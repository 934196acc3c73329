// The rights that the manifests give, against a program that lives on them alone: it is refused nothing, and every verb is needed.
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { startClusterProgram } from '../fixtures/cluster-program.ts'
import { issueClusterAuthorities, trustConfigMap } from '../fixtures/cluster-trust.ts'
import { eventually } from '../fixtures/eventually.ts'
import { type KubeApi, startKubeApi } from '../fixtures/kube-api.ts'
import { parseResourcePath } from '../fixtures/kube-resources.ts'
import { kubectlMissing } from '../fixtures/kubectl.ts'
import { type Manifest, renderOverlay } from '../fixtures/manifests.ts'
import { permits } from '../fixtures/rbac.ts'
import { samplePackage } from '../fixtures/sample-catalogs.ts'
import { serveRegistry } from '../fixtures/served-registries.ts'

const skip = kubectlMissing()
const RBAC = /^(Cluster)?Role(Binding)?$/
const API_SERVICE = 'v1.packages.operators.coreos.com'

interface Rule {
  readonly apiGroups?: readonly string[]
  readonly resources?: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly verbs: readonly string[]
}

/** A cluster in which our service account has what the manifests give, and nothing else. */
async function clusterWith(t: Test, manifests: readonly Manifest[]): Promise<KubeApi> {
  const api = await startKubeApi()
  t.teardown(() => api.close())
  for (const kind of ['Role', 'RoleBinding']) {
    for (const name of ['packageserver', 'packageserver-auth-reader']) {
      for (const namespace of ['olm', 'kube-system']) takeQuietly(api, kind, namespace, name)
    }
  }
  for (const name of ['packageserver', 'packageserver:system:auth-delegator']) {
    for (const kind of ['ClusterRole', 'ClusterRoleBinding']) takeQuietly(api, kind, undefined, name)
  }
  for (const manifest of manifests) if (RBAC.test(manifest.kind) || manifest.kind === 'APIService') api.put(manifest)
  const authorities = await issueClusterAuthorities()
  api.put(trustConfigMap({ clientCa: authorities.client.certificate, proxyCa: authorities.proxy.certificate }))
  return api
}

function takeQuietly(api: KubeApi, kind: string, namespace: string | undefined, name: string): void {
  try {
    api.take(kind, namespace, name)
  } catch {
    // It was not there.
  }
}

/** Each right as `verb group/resource`, with the names that it is held to. */
function rightsOf(manifests: readonly Manifest[]): ReadonlyMap<string, Rule> {
  const rules = manifests
    .filter(({ kind, metadata }) => /^(Cluster)?Role$/.test(kind) && metadata.name !== 'packageserver-view')
    .flatMap(({ rules }) => rules as readonly Rule[])
  return new Map(
    rules.flatMap((rule) =>
      (rule.apiGroups ?? []).flatMap((group) =>
        (rule.resources ?? []).flatMap((resource) =>
          rule.verbs.map((verb) => [`${verb} ${group}/${resource}`, rule] as const),
        ),
      ),
    ),
  )
}

function verbOf({ method, path }: KubeApi['requests'][number]): string | undefined {
  const url = new URL(path, 'https://kube')
  const found = parseResourcePath(url.pathname)
  if (found === undefined) return undefined
  const verbs: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch' }
  const reading = url.searchParams.has('watch') ? 'watch' : found.name === undefined ? 'list' : 'get'
  return `${verbs[method] ?? reading} ${found.group}/${found.plural}`
}

t.test('nothing is refused, and every verb is used', { skip }, async (t) => {
  const manifests = await renderOverlay(t, {})
  const api = await clusterWith(t, manifests)
  const catalog = join(t.testdir({ 'a.json': samplePackage({ name: 'a' }) }), '.')
  const address = await serveRegistry(t, catalog)
  const source = (name: string, at: string) =>
    api.put({
      apiVersion: 'operators.coreos.com/v1alpha1',
      kind: 'CatalogSource',
      metadata: { name, namespace: 'olm', uid: `uid-${name}` },
      spec: { sourceType: 'grpc', address: at },
    })
  source('flapping', address)
  const program = await startClusterProgram(t, api, {
    flags: ['--certificate-secret=packageserver-certificate', '--global-namespace=olm', '--interval=1s'],
  })
  await eventually('ready', async () => (await program.ask('/readyz')).status === 200, 30_000)
  // Unreadable, well, and unreadable again: an Event is made, then counted.
  const events = (reason: string) =>
    api.store.list('events.k8s.io/events', 'olm').filter((event) => event.reason === reason)
  const told = () =>
    api.requests.filter(({ path, body }) => path.includes('/events') && /flapping/.test(path + JSON.stringify(body)))
  for (const count of [1, 3]) {
    source('flapping', '127.0.0.1:1')
    await eventually('unreadable', () => told().length >= count, 30_000)
    source('flapping', address)
    await eventually('recovered', () => told().length > count, 30_000)
  }
  t.strictSame(
    told().map(({ method }) => method),
    ['POST', 'POST', 'PATCH', 'PATCH'],
  )
  const [event] = events('CatalogUnreadable')
  t.match(event, {
    series: { count: 2 },
    regarding: { kind: 'CatalogSource', name: 'flapping', uid: 'uid-flapping' },
    type: 'Warning',
  })
  const certificate = api.store.get('/secrets', 'olm', 'packageserver-certificate')
  if (certificate === undefined) throw new Error('there is no Secret')
  const { 'ca.crt': bundle } = certificate.data as Readonly<Record<string, string>>
  t.ok(bundle, 'certificates of its own were made')
  const service = api.store.get('apiregistration.k8s.io/apiservices', undefined, API_SERVICE)
  t.match(service, { spec: { caBundle: bundle } }, 'and are trusted')

  const own = api.requests.filter(({ user }) => user.includes('packageserver'))
  const rights = rightsOf(manifests)
  const used = new Set(own.flatMap((request) => verbOf(request) ?? []))
  const delegated = ['create authentication.k8s.io/tokenreviews', 'create authorization.k8s.io/subjectaccessreviews']
  for (const verb of used) {
    if (delegated.includes(verb) || verb.endsWith(' /configmaps')) continue
    t.ok(rights.has(verb), `${verb} is given`)
  }
  // A Secret is fetched by itself after two replicas wrote at once, and written again when it is renewed: each has a test of its own
  // (package-server/self-managed-certificates).
  const seldom = new Set(['get /secrets', 'update /secrets'])
  for (const verb of rights.keys()) if (!seldom.has(verb)) t.ok(used.has(verb), `${verb} is needed`)
  t.notMatch(program.stderr(), 'forbidden')
})

t.test('what may be written is held to names', { skip }, async (t) => {
  const rights = rightsOf(await renderOverlay(t, {}))
  const question = (verb: string, group: string, resource: string, name: string) => ({
    user: 'u',
    groups: [],
    verb,
    resource: { group, resource, subresource: '', namespace: 'olm', name },
  })
  const patch = rights.get('patch apiregistration.k8s.io/apiservices')
  if (patch === undefined) throw new Error('there is no right on APIServices')
  t.ok(permits(patch, question('patch', 'apiregistration.k8s.io', 'apiservices', API_SERVICE)))
  t.notOk(permits(patch, question('patch', 'apiregistration.k8s.io', 'apiservices', 'v1.apps')))
  const update = rights.get('update /secrets')
  if (update === undefined) throw new Error('there is no right on Secrets')
  t.notOk(permits(update, question('get', '', 'secrets', 'another')))
})
