import t from 'tap'
import { bareClusterServiceVersion, decodeClusterServiceVersion } from '../../src/api/cluster-service-version.ts'
import { csvDescription } from '../../src/package-server/csv-description.ts'

function described(csv: object) {
  const decoded = decodeClusterServiceVersion(JSON.stringify(csv))
  if ('reason' in decoded) throw new Error(decoded.reason)
  return JSON.parse(JSON.stringify(csvDescription(decoded.csv)))
}

t.test('nothing but what clients read without asking (R066)', async (t) => {
  const least = { version: '0.0.0', provider: {}, customresourcedefinitions: {}, apiservicedefinitions: {} }
  t.strictSame(described({}), least)
  t.strictSame(
    described({ spec: { keywords: [], links: null, installModes: [], description: '', provider: { name: '' } } }),
    least,
  )
  t.strictSame({ ...csvDescription(bareClusterServiceVersion('a.v1', '1.0.0')) }, { ...least, version: '1.0.0' })
})

t.test('every member, in the order of the wire, and no icon', async (t) => {
  const crd = { name: 'tides.sea.example', version: 'v1', kind: 'Tide', displayName: 'Tide', description: 'A tide' }
  const api = {
    name: 'waves',
    group: 'sea.example',
    version: 'v1',
    kind: 'Wave',
    displayName: 'Wave',
    description: 'W',
  }
  const spec = {
    displayName: 'Tide',
    version: '1.0.0',
    provider: { name: 'Harbour', url: 'https://harbour.example' },
    keywords: ['b', 'a'],
    links: [{ name: 'Docs', url: 'https://docs.example' }],
    maintainers: [{ name: 'Ada', email: 'ada@harbour.example' }],
    maturity: 'stable',
    description: '# Tide',
    installModes: [{ type: 'OwnNamespace', supported: true }],
    customresourcedefinitions: { owned: [crd], required: [{ name: 'moons.sea.example', version: 'v1', kind: 'Moon' }] },
    apiservicedefinitions: { owned: [api] },
    minKubeVersion: '1.27.0',
    icon: [{ base64data: 'AAAA', mediatype: 'image/png' }],
  }
  const csv = {
    metadata: { annotations: { categories: 'Sea' } },
    spec: {
      ...spec,
      nativeAPIs: [{ group: '', version: 'v1', kind: 'Pod' }],
      relatedImages: [{ image: 'b' }, { image: 'a' }],
    },
  }
  const { icon: _, minKubeVersion, ...shown } = spec
  const expected = {
    ...shown,
    annotations: { categories: 'Sea' },
    nativeApis: [{ group: '', version: 'v1', kind: 'Pod' }],
    minKubeVersion,
    relatedImages: ['a', 'b'],
  }
  t.strictSame(described(csv), expected)
  t.strictSame(Object.keys(described(csv)), [
    ...[
      'displayName',
      'version',
      'provider',
      'annotations',
      'keywords',
      'links',
      'maintainers',
      'maturity',
      'description',
    ],
    ...[
      'installModes',
      'customresourcedefinitions',
      'apiservicedefinitions',
      'nativeApis',
      'minKubeVersion',
      'relatedImages',
    ],
  ])
})
