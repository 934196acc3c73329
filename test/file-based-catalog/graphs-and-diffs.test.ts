// The upgrade graph of a channel as nodes and edges, and what changed between two catalogs.
import t from 'tap'
import { diffCatalogs } from '../../src/file-based-catalog/catalog-diff.ts'
import { packageGraph } from '../../src/file-based-catalog/channel-graph.ts'
import { graphFault, headsOf } from '../../src/file-based-catalog/upgrade-graph.ts'
import { bundleBlob, channelBlob, loadBlobs, packageBlob } from '../fixtures/small-catalog.ts'

const entries = [
  { name: 'foo.v1.0.0', replaces: 'foo.v0.9.0' },
  { name: 'foo.v1.1.0', replaces: 'foo.v1.0.0' },
  { name: 'foo.v1.2.0', replaces: 'foo.v1.0.0', skips: ['foo.v1.1.0', 'foo.v1.0.0'], skipRange: '>=1.0.0 <1.2.0' },
]
const bundles = ['1.0.0', '1.1.0', '1.2.0'].map((version) => bundleBlob(version))
const deprecations = {
  schema: 'olm.deprecations',
  package: 'foo',
  entries: [
    { reference: { schema: 'olm.bundle', name: 'foo.v1.1.0' }, message: 'broken' },
    { reference: { schema: 'olm.channel', name: 'beta' }, message: 'use stable' },
  ],
}

t.test('heads', async (t) => {
  const edge = (name: string, replaces = '', skips: readonly string[] = []) => ({ name, replaces, skips })
  t.strictSame(headsOf([edge('a'), edge('b', 'a')]), ['b'])
  t.strictSame(headsOf([edge('b'), edge('a')]), ['a', 'b'])
  t.strictSame(headsOf([edge('a', '', ['a'])]), [])
  const faultOf = (...list: ReturnType<typeof edge>[]) =>
    graphFault(new Map(list.map((item) => [item.name, item])))?.message
  t.equal(faultOf(edge('a'), edge('b', 'a')), undefined)
  t.equal(faultOf(edge('a', 'gone')), undefined, 'the tail may replace what is not there')
  t.equal(
    faultOf(edge('c', 'b'), edge('b', 'a'), edge('a', 'b')),
    'detected cycle in replaces chain of upgrade graph: b -> a -> b',
  )
})

t.test('a graph', async (t) => {
  const beta = channelBlob({ name: 'beta', entries: [{ name: 'foo.v1.0.0' }] })
  const { index, faults } = await loadBlobs(
    t.testdir(),
    packageBlob(),
    channelBlob({ entries }),
    beta,
    ...bundles,
    deprecations,
  )
  t.strictSame(faults, [])
  const pkg = index.packages.get('foo')
  const [first, second] = pkg === undefined ? [] : packageGraph(pkg)
  t.match(first, { channel: 'beta', deprecation: 'use stable', isDefault: false, edges: [] })
  t.match(second, { channel: 'stable', deprecation: undefined, isDefault: true })
  t.strictSame(second?.edges, [
    { from: 'foo.v0.9.0', to: 'foo.v1.0.0', kind: 'replaces' },
    { from: 'foo.v1.0.0', to: 'foo.v1.1.0', kind: 'replaces' },
    { from: 'foo.v1.0.0', to: 'foo.v1.2.0', kind: 'replaces' },
    { from: 'foo.v1.1.0', to: 'foo.v1.2.0', kind: 'skips' },
  ])
  t.strictSame(
    second?.nodes.map(({ name, version, head, deprecation, missing }) => [name, version, head, deprecation, missing]),
    [
      ['foo.v1.0.0', '1.0.0', false, undefined, false],
      ['foo.v1.1.0', '1.1.0', false, 'broken', false],
      ['foo.v1.2.0', '1.2.0', true, undefined, false],
      ['foo.v0.9.0', '', false, undefined, true],
    ],
  )
})

t.test('edges that only a range makes', async (t) => {
  const ranged = [
    { name: 'foo.v1.0.0' },
    { name: 'foo.v1.1.0', replaces: 'foo.v1.0.0' },
    { name: 'foo.v1.2.0', replaces: 'foo.v1.1.0', skipRange: '<1.2.0' },
  ]
  const { index } = await loadBlobs(t.testdir(), packageBlob(), channelBlob({ entries: ranged }), ...bundles)
  const pkg = index.packages.get('foo')
  t.strictSame(pkg === undefined ? [] : packageGraph(pkg)[0]?.edges.filter(({ kind }) => kind === 'skipRange'), [
    { from: 'foo.v1.0.0', to: 'foo.v1.2.0', kind: 'skipRange' },
  ])
})

t.test('a difference', async (t) => {
  const before = await loadBlobs(t.testdir(), packageBlob(), channelBlob(), bundleBlob())
  const after = await loadBlobs(
    t.testdir(),
    packageBlob({ defaultChannel: 'beta' }),
    channelBlob({ entries }),
    channelBlob({ name: 'beta', entries: [{ name: 'foo.v1.0.0' }] }),
    ...bundles,
    packageBlob({ name: 'bar' }),
    channelBlob({ package: 'bar', entries: [{ name: 'bar1' }] }),
    bundleBlob('1.0.0', {
      package: 'bar',
      name: 'bar1',
      properties: [{ type: 'olm.package', value: { packageName: 'bar', version: '1.0.0' } }],
    }),
  )
  const changed = {
    package: 'foo',
    defaultChannel: { from: 'stable', to: 'beta' },
    channelsAdded: ['beta'],
    channelsRemoved: [],
    headsMoved: [{ channel: 'stable', from: 'foo.v1.0.0', to: 'foo.v1.2.0' }],
    bundlesAdded: ['foo.v1.1.0', 'foo.v1.2.0'],
    bundlesRemoved: [],
  }
  t.strictSame(diffCatalogs(before.index, after.index), {
    packagesAdded: ['bar'],
    packagesRemoved: [],
    packagesChanged: [changed],
  })
  t.match(diffCatalogs(after.index, before.index), {
    packagesRemoved: ['bar'],
    packagesChanged: [{ channelsRemoved: ['beta'], bundlesRemoved: ['foo.v1.1.0', 'foo.v1.2.0'] }],
  })
  t.strictSame(diffCatalogs(after.index, after.index), { packagesAdded: [], packagesRemoved: [], packagesChanged: [] })
})
