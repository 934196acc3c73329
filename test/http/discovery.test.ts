import t from 'tap'
import { discoveryDocuments } from '../../src/http/discovery.ts'
import { answerHealth, type HealthCheck } from '../../src/http/health.ts'
import { CATALOG_STATUS_DEFINITION } from '../../src/package-server/catalog-status-resource.ts'
import { PACKAGE_MANIFEST_DEFINITION } from '../../src/package-server/package-manifest-definition.ts'

const GROUP = 'packages.operators.coreos.com'
const { plain, aggregated } = discoveryDocuments([PACKAGE_MANIFEST_DEFINITION, CATALOG_STATUS_DEFINITION], 5443)

function json(bytes: Buffer | undefined): unknown {
  return JSON.parse(bytes?.toString('utf8') ?? 'null')
}

t.test('the resources, plainly', async (t) => {
  t.match(json(plain.get(`/apis/${GROUP}/v1`)?.bytes), {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: `${GROUP}/v1`,
    resources: [
      {
        name: 'packagemanifests',
        singularName: 'packagemanifest',
        kind: 'PackageManifest',
        verbs: ['get', 'list', 'watch'],
      },
      { name: 'packagemanifests/icon', singularName: '', kind: 'PackageManifest', verbs: ['get'] },
      { name: CATALOG_STATUS_DEFINITION.plural, namespaced: true, shortNames: CATALOG_STATUS_DEFINITION.shortNames },
    ],
  })
  t.notMatch(
    json(plain.get(`/apis/${GROUP}/v1`)?.bytes),
    { resources: [{ shortNames: [] }] },
    'no short name on the first',
  )
  const versions = [{ groupVersion: `${GROUP}/v1`, version: 'v1' }]
  t.match(json(plain.get('/apis')?.bytes), {
    kind: 'APIGroupList',
    groups: [{ name: GROUP, versions, preferredVersion: versions[0] }],
  })
  t.match(json(plain.get(`/apis/${GROUP}`)?.bytes), { kind: 'APIGroup', apiVersion: 'v1', name: GROUP, versions })
})

t.test('the resources, aggregated (R029)', async (t) => {
  for (const version of ['v2', 'v2beta1']) {
    const document = aggregated.get(`/apis ${version}`)
    t.match(document, { etag: /^[0-9A-F]{128}$/, cacheControl: 'public', contentType: new RegExp(`v=${version};`) })
    t.match(json(document?.bytes), {
      kind: 'APIGroupDiscoveryList',
      apiVersion: `apidiscovery.k8s.io/${version}`,
      items: [
        {
          metadata: { name: GROUP },
          versions: [
            {
              version: 'v1',
              freshness: 'Current',
              resources: [
                {
                  resource: 'packagemanifests',
                  responseKind: { kind: 'PackageManifest' },
                  scope: 'Namespaced',
                  singularResource: 'packagemanifest',
                  verbs: ['get', 'list', 'watch'],
                  subresources: [{ subresource: 'icon', verbs: ['get'] }],
                },
                { resource: CATALOG_STATUS_DEFINITION.plural, verbs: ['get', 'list', 'watch'] },
              ],
            },
          ],
        },
      ],
    })
  }
  t.match(json(aggregated.get('/api v2')?.bytes), { kind: 'APIGroupDiscoveryList', items: [] })
})

t.test('health', async (t) => {
  const sick = new Set<string>()
  const check = (name: string, ...endpoints: HealthCheck['endpoints']): HealthCheck => ({
    name,
    endpoints,
    check: () => (sick.has(name) ? `${name} is sick` : undefined),
  })
  const checks = [check('ping', 'healthz', 'livez', 'readyz'), check('first-poll/olm', 'readyz')]
  const ask = (endpoint: 'healthz' | 'livez' | 'readyz', name = '', query = '') =>
    answerHealth(checks, endpoint, name, new URLSearchParams(query))
  t.same(ask('readyz'), { healthy: true, text: 'ok' })
  t.same(ask('readyz', '', 'verbose'), {
    healthy: true,
    text: '[+]ping ok\n[+]first-poll/olm ok\nreadyz check passed\n',
  })
  t.same(ask('livez', '', 'verbose')?.text, '[+]ping ok\nlivez check passed\n')
  t.same(ask('readyz', 'first-poll/olm'), { healthy: true, text: 'ok' })
  t.same(ask('livez', 'first-poll/olm'), undefined)
  sick.add('first-poll/olm')
  t.same(ask('readyz'), {
    healthy: false,
    text: '[+]ping ok\n[-]first-poll/olm failed: reason withheld\nreadyz check failed\n',
  })
  t.match(ask('readyz', 'first-poll/olm'), { healthy: false, text: /first-poll\/olm is sick/ })
  t.same(ask('livez'), { healthy: true, text: 'ok' })
  t.same(ask('readyz', '', 'exclude=first-poll/olm&exclude=nope&verbose'), {
    healthy: true,
    text: '[+]ping ok\n[+]first-poll/olm excluded: ok\nwarn: some health checks cannot be excluded: no matches for "nope"\nreadyz check passed\n',
  })
})
