// The Deployment, OLM's way of it too: what it starts exists, its waits fit into each other, its probes are answered.
import t, { type Test } from 'tap'
import { parseCommand } from '../../src/command-line/command-line.ts'
import { PACKAGE_SERVER, type PackageServerFlags } from '../../src/package-server/options.ts'
import { kubectlMissing } from '../fixtures/kubectl.ts'
import { schemaFault, typeFaults } from '../fixtures/manifest-schemas.ts'
import { type Manifest, manifestOf, renderOverlay } from '../fixtures/manifests.ts'

interface Container {
  readonly image: string
  readonly command: readonly string[]
  readonly args?: readonly string[]
  readonly ports: readonly { readonly name?: string; readonly containerPort: number }[]
  readonly env: readonly { readonly name: string }[]
  readonly securityContext: unknown
  readonly [probe: string]: unknown
}

interface DeploymentSpec {
  readonly replicas: number
  readonly strategy: unknown
  readonly selector: { readonly matchLabels: Readonly<Record<string, string>> }
  readonly template: {
    readonly metadata: Pick<Manifest['metadata'], 'labels' | 'annotations'>
    readonly spec: {
      readonly containers: readonly [Container]
      readonly terminationGracePeriodSeconds: number
      readonly [member: string]: unknown
    }
  }
}

const skip = kubectlMissing()
/** As long as src/package-server/cluster.ts gives requests on their way, seconds. */
const GRACE = 10

function flagsOf({ command, args = [], env }: Container, namespace: string): PackageServerFlags {
  const [program, ...own] = command
  if (program !== '/bin/package-server') throw new Error(`starts ${program}`)
  // Only what env names is put in by Kubernetes.
  const given = [...own, ...args].map((arg) =>
    arg.replace(/\$\((\w+)\)/g, (whole, name) => (env.some((one) => one.name === name) ? namespace : whole)),
  )
  const parsed = parseCommand(PACKAGE_SERVER, given, '0.0.0')
  if (parsed.kind !== 'run') throw new Error('does not run')
  return parsed.options
}

function specOf(manifests: readonly Manifest[]): DeploymentSpec {
  return manifestOf(manifests, 'Deployment', 'packageserver').spec as DeploymentSpec
}

function csvSpecOf(manifests: readonly Manifest[]): DeploymentSpec {
  const { spec } = manifestOf(manifests, 'ClusterServiceVersion', 'packageserver') as unknown as {
    spec: { install: { spec: { deployments: readonly [{ name: string; spec: DeploymentSpec }] } } }
  }
  const [deployment] = spec.install.spec.deployments
  if (deployment.name !== 'packageserver') throw new Error(deployment.name)
  return deployment.spec
}

for (const [name, render] of [
  ['base', async (test: Test) => specOf(await renderOverlay(test, { namespace: 'elsewhere' }))],
  [
    'cert-manager',
    async (test: Test) => specOf(await renderOverlay(test, { namespace: 'elsewhere', components: ['cert-manager'] })),
  ],
  ['with-olm', async (test: Test) => csvSpecOf(await renderOverlay(test, { namespace: 'elsewhere', of: 'with-olm' }))],
] as const) {
  t.test(name, { skip }, async (t) => {
    const spec = await render(t)
    const [container] = spec.template.spec.containers
    const flags = flagsOf(container, 'elsewhere')
    t.equal(flags.globalNamespace, 'elsewhere')
    t.equal(flags.securePort, 5443)
    t.equal(container.ports[0]?.containerPort, flags.securePort)
    const { terminationGracePeriodSeconds } = spec.template.spec
    t.ok(flags.shutdownDelayDuration / 1000 + GRACE < terminationGracePeriodSeconds, 'ends before it is killed')
    t.ok(flags.shutdownDelayDuration >= 5000, 'long enough for endpoints to be taken out')
    t.match(spec.strategy, { rollingUpdate: { maxUnavailable: 0 } })
    t.strictSame(spec.selector.matchLabels, { app: 'packageserver' })
    t.match(spec.template.metadata.labels, { app: 'packageserver' })
    t.match(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    t.match(spec.template.spec, {
      serviceAccountName: 'packageserver',
      priorityClassName: 'system-cluster-critical',
      securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: 'RuntimeDefault' } },
    })
    t.notMatch(JSON.stringify(spec), 'requiredDuringScheduling')
    for (const [probe, path] of [
      ['startupProbe', '/livez'],
      ['livenessProbe', '/livez'],
      ['readinessProbe', '/readyz'],
    ] as const)
      t.match(container[probe], { httpGet: { scheme: 'HTTPS', path } })
    const object = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'packageserver' }, spec }
    t.equal(await schemaFault(object), undefined)
    t.equal(await typeFaults(t, [object]), '')
  })
}

t.test('with cert-manager the server reads what is mounted', { skip }, async (t) => {
  const spec = specOf(await renderOverlay(t, { components: ['cert-manager'] }))
  const { tlsCertFile, tlsPrivateKeyFile, certificateSecret } = flagsOf(spec.template.spec.containers[0], 'olm')
  t.strictSame(
    [tlsCertFile, tlsPrivateKeyFile, certificateSecret],
    ['/certificate/tls.crt', '/certificate/tls.key', ''],
  )
  t.match(spec.template.spec.containers[0], { volumeMounts: [{ mountPath: '/certificate' }] })
  t.match(spec.template.spec, { volumes: [{ secret: { secretName: 'packageserver-certificate' } }] })
})

t.test(
  'with OLM: its certificates lie where they are looked for, and nothing but the ClusterServiceVersion and its rights is there',
  {
    skip,
  },
  async (t) => {
    const manifests = await renderOverlay(t, { of: 'with-olm' })
    t.strictSame(manifests.map(({ kind }) => kind).sort(), [
      'ClusterRole',
      'ClusterRoleBinding',
      'ClusterServiceVersion',
      'ServiceAccount',
    ])
    for (const manifest of manifests) t.equal(await schemaFault(manifest), undefined)
    const flags = flagsOf(csvSpecOf(manifests).template.spec.containers[0], 'olm')
    // OLM mounts at /apiserver.local.config/certificates; the image's working directory is /.
    t.equal(flags.certDir, 'apiserver.local.config/certificates')
    t.equal(flags.certificateSecret, '')
    const { spec } = manifestOf(manifests, 'ClusterServiceVersion', 'packageserver') as unknown as {
      spec: {
        apiservicedefinitions: unknown
        install: { spec: { clusterPermissions: readonly [{ serviceAccountName: string; rules: unknown }] } }
      }
    }
    t.match(spec.apiservicedefinitions, {
      owned: [
        { group: 'packages.operators.coreos.com', version: 'v1', deploymentName: 'packageserver', containerPort: 5443 },
      ],
    })
    const [permission] = spec.install.spec.clusterPermissions
    t.equal(permission.serviceAccountName, 'packageserver')
    t.strictSame(
      permission.rules,
      manifestOf(manifests, 'ClusterRole', 'packageserver').rules,
      'asks for what it is given',
    )
    const base = manifestOf(await renderOverlay(t, {}), 'ClusterRole', 'packageserver')
    t.strictSame(permission.rules, base.rules, 'the same as without OLM')
  },
)
