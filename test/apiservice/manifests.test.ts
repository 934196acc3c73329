// apiservice/ as an administrator renders it: the base, each Component alone, all sensible pairs, another namespace; every object
// against its schema.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { parseCatalogSource } from '../../src/api/catalog-source.ts'
import { kubectlMissing } from '../fixtures/kubectl.ts'
import { schemaFault, typeFaults } from '../fixtures/manifest-schemas.ts'
import { type Manifest, manifestOf, parseManifests, renderOverlay } from '../fixtures/manifests.ts'
import { ROOT } from '../presubmit/source-files.ts'

const COMPONENTS = ['cert-manager', 'crds', 'narrow-egress', 'no-network-policy', 'prometheus', 'single-node'] as const
/** What the one changes, the other takes away. */
const CONTRADICTORY = new Set(['narrow-egress+no-network-policy'])
const PAIRS = COMPONENTS.flatMap((a, index) => COMPONENTS.slice(index + 1).map((b) => [a, b] as const)).filter(
  (pair) => !CONTRADICTORY.has(pair.join('+')),
)
// Each rendering starts kubectl.
t.setTimeout(170_000)

const skip = kubectlMissing()

function identities(manifests: readonly Manifest[]): readonly string[] {
  return manifests.map(({ apiVersion, kind, metadata }) =>
    [apiVersion, kind, metadata.namespace ?? '', metadata.name].join(' '),
  )
}

async function valid(t: Test, manifests: readonly Manifest[]): Promise<void> {
  const seen = identities(manifests)
  t.equal(new Set(seen).size, seen.length, 'no object twice')
  for (const manifest of manifests) t.equal(await schemaFault(manifest), undefined)
}

t.test('the base', { skip }, async (t) => {
  const base = await renderOverlay(t, {})
  await valid(t, base)
  t.strictSame(identities(base).slice().sort(), [
    'apiregistration.k8s.io/v1 APIService  v1.packages.operators.coreos.com',
    'apps/v1 Deployment olm packageserver',
    'networking.k8s.io/v1 NetworkPolicy olm packageserver',
    'policy/v1 PodDisruptionBudget olm packageserver',
    'rbac.authorization.k8s.io/v1 ClusterRole  packageserver',
    'rbac.authorization.k8s.io/v1 ClusterRole  packageserver-certificate',
    'rbac.authorization.k8s.io/v1 ClusterRole  packageserver-view',
    'rbac.authorization.k8s.io/v1 ClusterRoleBinding  packageserver',
    'rbac.authorization.k8s.io/v1 ClusterRoleBinding  packageserver-certificate',
    'rbac.authorization.k8s.io/v1 ClusterRoleBinding  packageserver:system:auth-delegator',
    'rbac.authorization.k8s.io/v1 Role olm packageserver-certificate',
    'rbac.authorization.k8s.io/v1 RoleBinding kube-system packageserver-auth-reader',
    'rbac.authorization.k8s.io/v1 RoleBinding olm packageserver-certificate',
    'v1 Service olm packageserver-service',
    'v1 ServiceAccount olm packageserver',
  ])
  const { spec } = manifestOf(base, 'APIService', 'v1.packages.operators.coreos.com')
  t.strictSame(spec, {
    group: 'packages.operators.coreos.com',
    version: 'v1',
    groupPriorityMinimum: 2000,
    versionPriority: 15,
    service: { name: 'packageserver-service', namespace: 'olm', port: 5443 },
  })
})

t.test('no object holds a member that its type does not know', { skip }, async (t) => {
  const rendered: Manifest[] = []
  for (const name of COMPONENTS) rendered.push(...(await renderOverlay(t, { components: [name] })))
  rendered.push(...parseManifests(readFileSync(join(ROOT, 'apiservice/namespace.yaml'), 'utf8')))
  t.equal(await typeFaults(t, rendered), '')
  const [first] = rendered
  if (first === undefined) throw new Error('nothing was rendered')
  const service = manifestOf(rendered, 'Service', 'packageserver-service')
  t.match(await typeFaults(t, [{ ...service, spec: { selecter: {} } }]), 'selecter', 'a slip is seen')
})

for (const name of COMPONENTS) {
  t.test(`the base with ${name}`, { skip }, async (t) => valid(t, await renderOverlay(t, { components: [name] })))
}

for (const pair of PAIRS) {
  t.test(`the base with ${pair.join(' and ')}`, { skip }, async (t) => {
    await valid(t, await renderOverlay(t, { components: pair, namespace: 'elsewhere' }))
  })
}

t.test('all that can be together, in any order', { skip }, async (t) => {
  const all = COMPONENTS.filter((name) => name !== 'no-network-policy')
  const there = await renderOverlay(t, { components: all, namespace: 'elsewhere' })
  await valid(t, there)
  t.strictSame(
    sorted(await renderOverlay(t, { components: [...all].reverse(), namespace: 'elsewhere' })),
    sorted(there),
  )
})

function sorted(manifests: readonly Manifest[]): readonly string[] {
  return manifests.map((manifest) => JSON.stringify(manifest)).sort()
}

t.test('another namespace: everything goes there, but for what belongs to kube-system', { skip }, async (t) => {
  const moved = await renderOverlay(t, { namespace: 'elsewhere', components: ['prometheus'] })
  const reader = manifestOf(moved, 'RoleBinding', 'packageserver-auth-reader')
  t.equal(reader.metadata.namespace, 'kube-system')
  for (const { kind, metadata, subjects = [] } of moved) {
    if (metadata.namespace !== undefined && metadata.name !== reader.metadata.name)
      t.equal(metadata.namespace, 'elsewhere', `${kind} ${metadata.name}`)
    for (const subject of subjects as readonly { name: string; namespace: string }[]) {
      if (subject.name === 'packageserver') t.equal(subject.namespace, 'elsewhere', `${kind} ${metadata.name}`)
    }
  }
  const { spec } = manifestOf(moved, 'APIService', 'v1.packages.operators.coreos.com')
  t.match(spec, { service: { namespace: 'elsewhere' } })
  t.notMatch(JSON.stringify(moved), '"namespace":"olm"', 'nothing stays behind')
})

t.test('kubectl takes the List apart before anything is applied', { skip }, async (t) => {
  const { stdout: rendered } = await promisify(execFile)('kubectl', ['kustomize', join(ROOT, 'apiservice')])
  const labelled = promisify(execFile)('kubectl', ['label', '--local', '-f', '-', 'a=b', '-o', 'name'])
  labelled.child.stdin?.end(rendered)
  const { stdout } = await labelled
  t.match(stdout, /^rolebinding\.rbac\.authorization\.k8s\.io\/packageserver-auth-reader$/m)
  t.notMatch(stdout, /^list/im)
})

t.test('single-node: one replica, nothing that blocks a drain (R085)', { skip }, async (t) => {
  const manifests = await renderOverlay(t, { components: ['single-node'] })
  t.match(manifestOf(manifests, 'Deployment', 'packageserver').spec, { replicas: 1 })
  t.notOk(manifests.some(({ kind }) => kind === 'PodDisruptionBudget'))
})

t.test('network policies (R045)', { skip }, async (t) => {
  const policy = (manifests: readonly Manifest[]) => manifests.find(({ kind }) => kind === 'NetworkPolicy')
  const base = policy(await renderOverlay(t, {}))
  t.strictSame(base?.spec, {
    podSelector: { matchLabels: { app: 'packageserver' } },
    policyTypes: ['Ingress', 'Egress'],
    ingress: [{ ports: [{ protocol: 'TCP', port: 5443 }] }],
    egress: [{}],
  })
  const narrow = manifestOf(await renderOverlay(t, { components: ['narrow-egress'] }), 'NetworkPolicy', 'packageserver')
  const { egress } = narrow.spec as { egress: { ports: { port: number }[] }[] }
  t.strictSame([...new Set(egress.flatMap(({ ports }) => ports.map(({ port }) => port)))], [53, 5353, 443, 6443, 50051])
  t.equal(policy(await renderOverlay(t, { components: ['no-network-policy'] })), undefined)
})

t.test('cert-manager: names follow the namespace, rights on Secrets and APIServices are gone', { skip }, async (t) => {
  const manifests = await renderOverlay(t, { components: ['cert-manager'], namespace: 'elsewhere' })
  const certificate = manifestOf(manifests, 'Certificate', 'packageserver')
  t.match(certificate.spec, {
    dnsNames: [
      'packageserver-service.elsewhere.svc',
      'packageserver-service.elsewhere.svc.cluster.local',
      'packageserver-service',
    ],
  })
  const service = manifestOf(manifests, 'APIService', 'v1.packages.operators.coreos.com')
  t.equal(service.metadata.annotations?.['cert-manager.io/inject-ca-from'], 'elsewhere/packageserver')
  t.notMatch(JSON.stringify(manifests.filter(({ kind }) => kind.endsWith('Role'))), /secrets|apiservices/)
  t.notMatch(JSON.stringify(manifestOf(manifests, 'Deployment', 'packageserver')), '--certificate-secret')
})

t.test('the example catalog is one, and is in no kustomization', { skip }, async (t) => {
  const [example, ...more] = parseManifests(readFileSync(join(ROOT, 'apiservice/example-catalog-source.yaml'), 'utf8'))
  t.strictSame(more, [])
  const { source, fault } = parseCatalogSource(example)
  t.equal(fault, undefined)
  t.match(source, { name: 'operatorhubio-catalog', namespace: 'olm' })
  const rendered = await renderOverlay(t, { components: ['crds', 'prometheus'] })
  t.notOk(rendered.some(({ kind }) => kind === 'CatalogSource' || kind === 'Namespace'))
})
