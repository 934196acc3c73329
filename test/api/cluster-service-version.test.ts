import t from 'tap'
import {
  bareClusterServiceVersion,
  type ClusterServiceVersion,
  decodeClusterServiceVersion,
} from '../../src/api/cluster-service-version.ts'
import { stringMap } from '../../src/api/string-map.ts'

function decoded(source: string | object): ClusterServiceVersion {
  const result = decodeClusterServiceVersion(typeof source === 'string' ? source : JSON.stringify(source))
  if ('reason' in result) throw new Error(result.reason)
  return result.csv
}

function reason(source: string | object): string {
  const result = decodeClusterServiceVersion(typeof source === 'string' ? source : JSON.stringify(source))
  return 'reason' in result ? result.reason : 'decoded'
}

const EMPTY = {
  name: '',
  labels: stringMap([]),
  annotations: stringMap([]),
  displayName: '',
  version: '0.0.0',
  provider: {},
  keywords: [],
  links: [],
  maintainers: [],
  maturity: '',
  description: '',
  installModes: [],
  customResourceDefinitions: {},
  apiServiceDefinitions: {},
  nativeApis: [],
  minKubeVersion: '',
  relatedImages: [],
  icon: undefined,
}

t.test('every field from its path', async (t) => {
  const container = (image: string) => ({ image, name: 'c' })
  const csv = decoded({
    apiVersion: 'operators.coreos.com/v1alpha1',
    metadata: { name: 'tide.v1.2.0', labels: { z: '1', a: '2' }, annotations: { categories: 'Database' } },
    spec: {
      displayName: 'Tide',
      icon: [
        { base64data: 'PHN2Zy8+', mediatype: 'image/svg+xml' },
        { base64data: 'AAAA', mediatype: 'image/png' },
      ],
      version: 'v1.2',
      provider: { name: 'Harbour', url: 'https://harbour.example' },
      keywords: ['sea', 'moon'],
      links: [{ name: 'Docs', url: 'https://docs.example' }, { name: 'No address' }],
      maintainers: [{ name: 'Ada', email: 'ada@harbour.example' }, { email: 'all@harbour.example' }],
      maturity: 'stable',
      description: '# Tide',
      installModes: [{ type: 'OwnNamespace', supported: true }, { type: 'AllNamespaces' }],
      customresourcedefinitions: {
        owned: [
          { name: 'tides.sea.example', version: 'v1', kind: 'Tide', displayName: 'Tide', resources: [{ kind: 'Pod' }] },
        ],
        required: [{ name: 'moons.sea.example' }],
      },
      apiservicedefinitions: {
        owned: [
          {
            group: 'sea.example',
            version: 'v1',
            kind: 'Wave',
            description: 'A wave',
            containerPort: 'not ours to type',
          },
        ],
      },
      nativeAPIs: [{ group: 'apps', version: 'v1', kind: 'Deployment' }],
      minKubeVersion: '1.27.0',
      relatedImages: [
        { name: 'b', image: 'img/b' },
        { name: 'a', image: 'img/a' },
      ],
      install: {
        strategy: 'deployment',
        spec: {
          deployments: [
            {
              spec: {
                template: {
                  spec: { containers: [container('img/c'), container('img/a')], initContainers: [container('img/0')] },
                },
              },
            },
          ],
        },
      },
    },
  })
  t.strictSame(csv, {
    name: 'tide.v1.2.0',
    labels: stringMap([
      ['a', '2'],
      ['z', '1'],
    ]),
    annotations: stringMap([['categories', 'Database']]),
    displayName: 'Tide',
    version: '1.2.0',
    provider: { name: 'Harbour', url: 'https://harbour.example' },
    keywords: ['sea', 'moon'],
    links: [{ name: 'Docs', url: 'https://docs.example' }, { name: 'No address' }],
    maintainers: [{ name: 'Ada', email: 'ada@harbour.example' }, { email: 'all@harbour.example' }],
    maturity: 'stable',
    description: '# Tide',
    installModes: [
      { type: 'OwnNamespace', supported: true },
      { type: 'AllNamespaces', supported: false },
    ],
    customResourceDefinitions: {
      owned: [{ name: 'tides.sea.example', version: 'v1', kind: 'Tide', displayName: 'Tide' }],
      required: [{ name: 'moons.sea.example', version: '', kind: '' }],
    },
    apiServiceDefinitions: {
      owned: [{ name: '', group: 'sea.example', version: 'v1', kind: 'Wave', description: 'A wave' }],
    },
    nativeApis: [{ group: 'apps', version: 'v1', kind: 'Deployment' }],
    minKubeVersion: '1.27.0',
    relatedImages: ['img/0', 'img/a', 'img/b', 'img/c'],
    icon: { base64data: 'PHN2Zy8+', mediatype: 'image/svg+xml' },
  })
  t.strictSame(Object.keys(csv.labels), ['a', 'z'], 'sorted')
  t.ok(Object.isFrozen(csv) && Object.isFrozen(csv.links[0]) && Object.isFrozen(csv.labels))
})

t.test('a wrong JSON type elides, and the reason names the path', async (t) => {
  const table: readonly (readonly [object | string, string])[] = [
    ['[]', 'the document is a list, not an object'],
    ['"text"', 'the document is a string, not an object'],
    [{ metadata: [] }, 'metadata is a list, not an object'],
    [{ metadata: { name: 5 } }, 'metadata.name is a number, not a string'],
    [{ metadata: { labels: { a: true } } }, 'metadata.labels["a"] is a boolean, not a string'],
    [{ metadata: { annotations: { 'x/y': {} } } }, 'metadata.annotations["x/y"] is an object, not a string'],
    [{ metadata: { annotations: 'none' } }, 'metadata.annotations is a string, not an object'],
    [{ spec: { displayName: {} } }, 'spec.displayName is an object, not a string'],
    [{ spec: { keywords: 'a,b' } }, 'spec.keywords is a string, not a list'],
    [{ spec: { keywords: ['a', 1] } }, 'spec.keywords[1] is a number, not a string'],
    [{ spec: { links: {} } }, 'spec.links is an object, not a list'],
    [{ spec: { icon: { base64data: '' } } }, 'spec.icon is an object, not a list'],
    [{ spec: { maintainers: [{}, { email: [] }] } }, 'spec.maintainers[1].email is a list, not a string'],
    [{ spec: { installModes: [{ supported: 'true' }] } }, 'spec.installModes[0].supported is a string, not a boolean'],
    [{ spec: { customresourcedefinitions: [] } }, 'spec.customresourcedefinitions is a list, not an object'],
    [
      { spec: { apiservicedefinitions: { required: [1] } } },
      'spec.apiservicedefinitions.required[0] is a number, not an object',
    ],
    [{ spec: { nativeAPIs: [{ kind: 0 }] } }, 'spec.nativeAPIs[0].kind is a number, not a string'],
    [{ spec: { minKubeVersion: 1.27 } }, 'spec.minKubeVersion is a number, not a string'],
    [{ spec: { relatedImages: ['img'] } }, 'spec.relatedImages[0] is a string, not an object'],
    [{ spec: { install: { spec: { deployments: {} } } } }, 'spec.install.spec.deployments is an object, not a list'],
    [
      {
        spec: {
          install: {
            strategy: 'other',
            spec: { deployments: [{ spec: { template: { spec: { containers: [{ image: 1 }] } } } }] },
          },
        },
      },
      'spec.install.spec.deployments[0].spec.template.spec.containers[0].image is a number, not a string',
    ],
    [{ spec: { version: 1.2 } }, 'spec.version is a number, not a string'],
    [{ spec: { version: '' } }, 'spec.version: "" is not a version'],
    [{ spec: { version: 'latest' } }, 'spec.version: "latest" is not a version'],
    [{ spec: { version: 'x'.repeat(100) } }, `spec.version: "${'x'.repeat(60)}…" is not a version`],
    [{ metadata: { name: 1 }, spec: 2 }, 'metadata.name is a number, not a string'],
  ]
  for (const [source, expected] of table) t.equal(reason(source), expected)
})

t.test('null counts as absent; inside a string map or a string list it is the empty string', async (t) => {
  t.strictSame(decoded('null'), EMPTY)
  t.strictSame(decoded({ metadata: null, spec: null }), EMPTY)
  const nulls = Object.fromEntries(Object.keys(EMPTY).map((name) => [name, null]))
  t.strictSame(
    decoded({
      metadata: { name: null, labels: null, annotations: null },
      spec: { ...nulls, install: null, icon: null },
    }),
    EMPTY,
  )
  const inside = decoded({
    metadata: { annotations: { a: null } },
    spec: {
      keywords: [null, 'b'],
      links: [null],
      installModes: [null],
      nativeAPIs: [null],
      install: { strategy: 'deployment', spec: { deployments: [null] } },
    },
  })
  t.strictSame(inside.annotations, stringMap([['a', '']]))
  t.strictSame(inside.keywords, ['', 'b'])
  t.strictSame(inside.links, [{}])
  t.strictSame(inside.installModes, [{ type: '', supported: false }])
  t.strictSame(inside.nativeApis, [{ group: '', version: '', kind: '' }])
})

t.test('keys: any letter case, unknown ones ignored, repeated ones merge as encoding/json merges them', async (t) => {
  t.equal(decoded('{"METADATA":{"Name":"a"},"Spec":{"DISPLAYNAME":"D"}}').displayName, 'D')
  t.strictSame(decoded('{"spec":{"lin\u212as":[{"NAME":"n"}],"de\u017fcription":"d"}}').links, [{ name: 'n' }])
  t.equal(decoded('{"spec":{"maturity":"1","MATURITY":"2"}}').maturity, '2', 'the later wins')
  t.equal(decoded('{"spec":{"MATURITY":"2","maturity":"1"}}').maturity, '1')
  t.equal(decoded('{"spec":{"maturity":"1","maturity":null}}').maturity, '1', 'null leaves what there was')
  const merged = decoded(
    '{"spec":{"displayName":"D","provider":{"name":"n"}},"metadata":{"labels":{"a":"1","b":"1"}},"spec":{"provider":{"url":"u"}},"metadata":{"labels":{"b":"2"}}}',
  )
  t.strictSame([merged.displayName, merged.provider], ['D', { name: 'n', url: 'u' }])
  t.strictSame(
    merged.labels,
    stringMap([
      ['a', '1'],
      ['b', '2'],
    ]),
  )
  t.strictSame(decoded('{"metadata":{"labels":{"a":"1"},"labels":null}}').labels, stringMap([]))
  t.strictSame(decoded('{"spec":{"keywords":["a","b"],"keywords":["c"]}}').keywords, ['c'])
  const grown = '"links":[{"name":"a"},{"name":"b"}],"links":[{"url":"c"}],"links":[{"name":"d"},{"url":"e"}]'
  t.strictSame(decoded(`{"spec":{${grown}}}`).links, [
    { name: 'd', url: 'c' },
    { name: 'b', url: 'e' },
  ])
  t.equal(reason('{"spec":{"maturity":1,"maturity":"2"}}'), 'spec.maturity is a number, not a string')
  t.strictSame(decoded({ spec: { unknown: { deep: [1, { a: true }] } }, status: [] }), EMPTY)
})

t.test('hostile keys are keys like any other', async (t) => {
  const csv = decoded(
    '{"__proto__":{"name":"x"},"constructor":1,"metadata":{"__proto__":{"name":"y"},"labels":{"__proto__":"p","constructor":"c","toString":"t"}},"spec":{"__proto__":{"displayName":"z"}}}',
  )
  t.equal(csv.name, '')
  t.equal(csv.displayName, '')
  t.equal(Object.getPrototypeOf(csv.labels), null)
  t.equal(JSON.stringify(csv.labels), '{"__proto__":"p","constructor":"c","toString":"t"}')
  t.equal(({} as Record<string, unknown>).name, undefined, 'Object.prototype is untouched')
})

t.test('lone surrogates become U+FFFD', async (t) => {
  const csv = decoded('{"metadata":{"name":"\\ud800a","labels":{"\\udc00":"\\ud83d\\ude00"}}}')
  t.equal(csv.name, '\ufffda')
  t.strictSame(Object.entries(csv.labels), [['\ufffd', '😀']])
  t.equal(decoded('{"metadata":{"name":"\ud800"}}').name, '\ufffd')
})

t.test('related images: a set; deployments count only with their strategy', async (t) => {
  const spec = (strategy: string | undefined) => ({
    relatedImages: [{ image: 'b' }, { image: 'b' }, {}],
    install: {
      strategy,
      spec: { deployments: [{ spec: { template: { spec: { containers: [{ image: 'a' }, {}] } } } }] },
    },
  })
  t.strictSame(decoded({ spec: spec('deployment') }).relatedImages, ['', 'a', 'b'])
  t.strictSame(decoded({ spec: spec('helm') }).relatedImages, ['', 'b'])
  t.strictSame(decoded({ spec: spec(undefined) }).relatedImages, ['', 'b'])
})

t.test('a CSV of the least there can be, and a bundle without any (R073)', async (t) => {
  const least = { metadata: { name: 'least' }, spec: { displayName: 'Least', install: { strategy: '' } } }
  t.strictSame(decoded(least), { ...EMPTY, name: 'least', displayName: 'Least' })
  t.equal(reason(''), 'the bundle carries no ClusterServiceVersion')
  t.equal(reason(' \n'), 'the bundle carries no ClusterServiceVersion')
  t.strictSame(bareClusterServiceVersion('bare.v1', 'v1.0'), { ...EMPTY, name: 'bare.v1', version: '1.0.0' })
  t.strictSame(bareClusterServiceVersion('bare', ''), { ...EMPTY, name: 'bare' })
})
