// The package-server behind a real kube-apiserver: trust, tokens, access, its own certificates and the aggregation layer as they
// are. Runs where KUBEBUILDER_ASSETS names a folder with etcd and kube-apiserver; elsewhere it is skipped.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import t from 'tap'
import { issueUser } from '../fixtures/cluster-trust.ts'
import { eventually } from '../fixtures/eventually.ts'
import { startRealApiServer } from '../fixtures/real-api-server.ts'
import { onePackage } from '../fixtures/scripted-content.ts'
import { scriptedRegistry } from '../fixtures/scripted-registry.ts'
import { runProgram, waitFor } from '../fixtures/standalone-process.ts'

const GROUP = 'packages.operators.coreos.com'
const LIST = `/apis/${GROUP}/v1/packagemanifests`
const RBAC = '/apis/rbac.authorization.k8s.io/v1'
const NAME = 'packageserver'
const SELF = { kind: 'ServiceAccount', name: NAME, namespace: 'olm' }
const assets = process.env.KUBEBUILDER_ASSETS

if (assets === undefined) t.pass('skipped: KUBEBUILDER_ASSETS names no folder with etcd and kube-apiserver')
else {
  t.test('behind a real kube-apiserver', { timeout: 170_000 }, async (t) => {
    const cluster = await startRealApiServer(t, assets)
    const { admin, create } = cluster
    const registry = await scriptedRegistry({ packages: [onePackage('alpha'), onePackage('beta')] })
    t.teardown(() => registry.close())

    await create('/api/v1/namespaces', { metadata: { name: 'olm' } })
    await create('/api/v1/namespaces/olm/serviceaccounts', { metadata: { name: NAME } })
    await create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', catalogSourceDefinition())
    await create(`${RBAC}/clusterroles`, { metadata: { name: NAME }, rules: clusterRules() })
    await create(`${RBAC}/clusterrolebindings`, bound(NAME, { kind: 'ClusterRole', name: NAME }))
    await create(
      `${RBAC}/clusterrolebindings`,
      bound(`${NAME}-delegator`, { kind: 'ClusterRole', name: 'system:auth-delegator' }),
    )
    const reader = { kind: 'Role', name: 'extension-apiserver-authentication-reader' }
    await create(`${RBAC}/namespaces/kube-system/rolebindings`, bound(`${NAME}-reader`, reader))
    await create(`${RBAC}/namespaces/olm/roles`, { metadata: { name: NAME }, rules: ownRules() })
    await create(`${RBAC}/namespaces/olm/rolebindings`, bound(NAME, { kind: 'Role', name: NAME }))
    await eventually(
      'the CustomResourceDefinition',
      async () => {
        const path = '/apis/operators.coreos.com/v1alpha1/namespaces/olm/catalogsources'
        const body = {
          apiVersion: 'operators.coreos.com/v1alpha1',
          kind: 'CatalogSource',
          metadata: { name: 'catalog' },
          spec: { sourceType: 'grpc', address: registry.address },
        }
        return (await admin.request({ method: 'POST', path, body, deadline: 10_000 })).status === 201
      },
      30_000,
    )

    const token = async (account: string) => {
      const path = `/api/v1/namespaces/olm/serviceaccounts/${account}/token`
      const { body } = await admin.request({ method: 'POST', path, body: { spec: {} }, deadline: 10_000 })
      return (body as { status: { token: string } }).status.token
    }
    const kubeconfig = join(t.testdir(), 'kubeconfig')
    writeFileSync(kubeconfig, cluster.kubeconfig(await token(NAME)))
    const flags = ['--kubeconfig', kubeconfig, '--secure-port=0', '--bind-address=127.0.0.1', '--log-format=json']
    const program = runProgram('package-server/main.ts', [
      ...flags,
      '--certificate-secret=packageserver-own',
      '--global-namespace=olm',
    ])
    t.teardown(async () => {
      program.child.kill('SIGKILL')
      await program.ended
    })
    const found = await waitFor(program, () => /"port":(\d+)[^\n]*"msg":"serving"/.exec(program.stderr()))
    const port = Number(found[1])
    await create('/api/v1/namespaces/olm/services', {
      metadata: { name: 'packageserver-service' },
      spec: { type: 'ExternalName', externalName: 'localhost', ports: [{ port }] },
    })
    await create('/apis/apiregistration.k8s.io/v1/apiservices', {
      metadata: { name: `v1.${GROUP}` },
      spec: {
        group: GROUP,
        version: 'v1',
        groupPriorityMinimum: 2000,
        versionPriority: 15,
        service: { name: 'packageserver-service', namespace: 'olm', port },
        insecureSkipTLSVerify: true,
      },
    })

    const get = async (client: typeof admin, path: string) => client.request({ method: 'GET', path, deadline: 10_000 })
    await eventually(
      'the list through the aggregator',
      async () => {
        const { status, body } = await get(admin, LIST)
        return status === 200 && (body as { items: unknown[] }).items.length === 2
      },
      60_000,
    )
    await eventually(
      'trust through the caBundle',
      async () => {
        const { body } = await get(admin, `/apis/apiregistration.k8s.io/v1/apiservices/v1.${GROUP}`)
        const { spec, status } = body as {
          spec: { caBundle?: string; insecureSkipTLSVerify?: boolean }
          status?: { conditions?: { type: string; status: string }[] }
        }
        return (
          spec.caBundle !== undefined &&
          spec.insecureSkipTLSVerify !== true &&
          status?.conditions?.some((one) => one.type === 'Available' && one.status === 'True')
        )
      },
      30_000,
    )

    const viewer = await cluster.client(await issueUser(cluster.authorities.client, 'viewer'))
    const account = await cluster.client(await token(NAME))
    for (const [name, client] of Object.entries({ viewer, account }))
      t.equal((await get(client, LIST)).status, 403, name)
    await create(`${RBAC}/clusterroles`, {
      metadata: { name: 'packages' },
      rules: [{ apiGroups: [GROUP], resources: ['packagemanifests'], verbs: ['get', 'list', 'watch'] }],
    })
    const subjects = [{ kind: 'User', name: 'viewer' }, SELF]
    await create(`${RBAC}/namespaces/olm/rolebindings`, {
      metadata: { name: 'packages' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'packages' },
      subjects,
    })
    const olm = `/apis/${GROUP}/v1/namespaces/olm/packagemanifests`
    for (const [name, client] of Object.entries({ viewer, account })) {
      await eventually(`${name} may`, async () => (await get(client, olm)).status === 200, 30_000)
      t.equal((await get(client, LIST)).status, 403, `${name}: that namespace and no more`)
    }
    const discovered = (await get(viewer, `/apis/${GROUP}/v1`)).body as { resources: { name: string }[] }
    t.ok(
      discovered.resources.some((one) => one.name === 'packagemanifests'),
      'system:discovery',
    )
  })
}

function bound(name: string, roleRef: object): object {
  return { metadata: { name }, roleRef: { apiGroup: 'rbac.authorization.k8s.io', ...roleRef }, subjects: [SELF] }
}

function clusterRules(): readonly object[] {
  return [
    { apiGroups: ['operators.coreos.com'], resources: ['catalogsources'], verbs: ['get', 'list', 'watch'] },
    {
      apiGroups: ['apiregistration.k8s.io'],
      resources: ['apiservices'],
      resourceNames: [`v1.${GROUP}`],
      verbs: ['get', 'list', 'watch', 'patch'],
    },
  ]
}

function ownRules(): readonly object[] {
  return [
    { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'watch', 'create', 'update'] },
    { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create'] },
  ]
}

function catalogSourceDefinition(): object {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
  return {
    metadata: { name: 'catalogsources.operators.coreos.com' },
    spec: {
      group: 'operators.coreos.com',
      scope: 'Namespaced',
      names: {
        plural: 'catalogsources',
        singular: 'catalogsource',
        kind: 'CatalogSource',
        listKind: 'CatalogSourceList',
      },
      versions: [{ name: 'v1alpha1', served: true, storage: true, schema }],
    },
  }
}
