import t from 'tap'
import type { CatalogSet, NamedCatalog } from '../../src/catalog/catalog-sources.ts'
import { mergedSources, settableSources } from '../../src/catalog/catalog-sources.ts'
import { clusterSources, decodeNamedCatalog } from '../../src/catalog/cluster-sources.ts'
import { createObjectSet, type RawObject } from '../../src/kube/object-set.ts'
import { eventually } from '../fixtures/eventually.ts'
import { keptLog } from '../fixtures/kept-log.ts'
import { catalogSource, readCatalogs } from '../fixtures/read-catalogs.ts'
import { manyPackages } from '../fixtures/scripted-content.ts'
import { scriptedRegistry } from '../fixtures/scripted-registry.ts'

let versions = 0

function object(name: string, address: string, more: object = {}): RawObject {
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'CatalogSource',
    metadata: { name, namespace: 'olm', resourceVersion: String(++versions), uid: `${name}-1`, ...more },
    spec: { address },
  }
}

function watched() {
  const { log } = keptLog()
  return createObjectSet<NamedCatalog>({ decode: decodeNamedCatalog, path: '/catalogsources', log })
}

t.test('nothing is told before the whole set is known; then every change is', async (t) => {
  const set = watched()
  const told: CatalogSet[] = []
  const stop = new AbortController()
  const started = clusterSources(set).start(stop.signal, (catalogs) => told.push(catalogs))
  set.put(object('a', 'a:1'))
  t.equal(told.length, 0)
  set.replace([object('a', 'a:1'), object('b', 'not an address')])
  await started
  t.strictSame([...(told.at(-1)?.keys() ?? [])], ['olm/a', 'olm/b'])
  t.match(told.at(-1)?.get('olm/b'), { source: { address: undefined }, fault: /not an address" is not host:port/ })
  const before = told.at(-1)
  set.remove(object('a', 'a:1'))
  t.strictSame([...(told.at(-1)?.keys() ?? [])], ['olm/b'])
  t.equal(before?.size, 2, 'a set that was told does not change')
  stop.abort()
  const count = told.length
  set.put(object('c', 'c:1'))
  t.equal(told.length, count)
})

t.test('R012: who touches an annotation gets the catalog read again', async (t) => {
  const registry = await scriptedRegistry({ packages: manyPackages(2) })
  t.teardown(() => registry.close())
  const set = watched()
  set.replace([object('a', registry.address)])
  const { listed, happened } = await readCatalogs(t, [], { sources: clusterSources(set) })
  await eventually('read', () => listed('olm/a')?.length === 2)
  registry.packages = manyPackages(3)
  set.put(object('a', registry.address, { annotations: { 'example.com/refresh': '1' } }))
  t.equal(listed('olm/a')?.length, 2, 'the old list stays meanwhile')
  await eventually('read again', () => listed('olm/a')?.length === 3)
  const count = happened.length
  set.put(object('a', registry.address, { annotations: { 'example.com/refresh': '1' } }))
  t.equal(happened.length, count)
  t.equal(registry.count('ListPackages'), 2)
})

t.test('an address that breaks keeps the list and says why', async (t) => {
  const registry = await scriptedRegistry({ packages: manyPackages(2) })
  t.teardown(() => registry.close())
  const set = watched()
  set.replace([object('a', registry.address)])
  const { listed, catalogs } = await readCatalogs(t, [], { sources: clusterSources(set) })
  await eventually('read', () => listed('olm/a')?.length === 2)
  set.put({ ...object('a', registry.address, { labels: { x: 5 } }) })
  t.match(catalogs.state('olm/a')?.failure, 'metadata.labels.x must be string')
  set.put(object('a', 'http://x'))
  t.equal(listed('olm/a')?.length, 2)
  t.match(catalogs.state('olm/a'), { connection: 'NO_ADDRESS', failure: 'spec.address "http://x" is not host:port' })
  registry.packages = manyPackages(3)
  set.put(object('a', registry.address))
  await eventually('read again', () => listed('olm/a')?.length === 3)
  t.equal(catalogs.state('olm/a')?.failure, undefined)
})

t.test('several sources as one: the earlier wins a name, the other is reported once', async (t) => {
  const first = settableSources([catalogSource('a', 'first:1')])
  const second = settableSources([catalogSource('a', 'second:1'), catalogSource('b', 'b:1')])
  const { log, said } = keptLog()
  let told: CatalogSet = new Map()
  await mergedSources([first, second], log).start(new AbortController().signal, (catalogs) => {
    told = catalogs
  })
  const addresses = () => [...told.values()].map(({ source }) => source.address)
  t.strictSame(addresses(), ['first:1', 'b:1'])
  second.set([catalogSource('a', 'second:2')])
  t.strictSame(addresses(), ['first:1'])
  t.equal(said('named twice').length, 1)
  first.set([])
  t.strictSame(addresses(), ['second:2'])
})
