import fc from 'fast-check'
import t from 'tap'
import { catalogKey, parseCatalogSource } from '../../src/api/catalog-source.ts'
import { splitAddress } from '../../src/api/registry-address.ts'

function parsed(more: object) {
  return parseCatalogSource({ metadata: { name: 'a', namespace: 'olm' }, ...more })
}

t.test('every field that is read, and nothing else', async (t) => {
  const { source, fault } = parseCatalogSource({
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'CatalogSource',
    metadata: {
      name: 'community',
      namespace: 'olm',
      uid: 'u-1',
      creationTimestamp: '2026-12-01T08:55:57.9+02:00',
      labels: { b: '2', a: '1' },
      annotations: { dropped: 'yes' },
    },
    spec: {
      sourceType: 'grpc',
      address: 'cat.example:50051',
      displayName: 'Community',
      publisher: 'Me',
      priority: -100,
      image: 'x',
    },
    status: { registryService: { serviceName: 's', serviceNamespace: 'n', port: '1' } },
  })
  t.equal(fault, undefined)
  t.strictSame(
    { ...source, labels: { ...source?.labels } },
    {
      namespace: 'olm',
      name: 'community',
      uid: 'u-1',
      creationTimestamp: '2026-12-01T06:55:57Z',
      labels: { a: '1', b: '2' },
      displayName: 'Community',
      publisher: 'Me',
      priority: -100,
      address: 'cat.example:50051',
    },
  )
  t.equal(source && catalogKey(source), 'olm/community')
})

t.test('where the registry is', async (t) => {
  const service = (more: object) => ({
    status: { registryService: { serviceName: 's', serviceNamespace: 'n', port: '50051', ...more } },
  })
  t.equal(parsed({}).source?.address, undefined)
  t.equal(parsed({}).fault, undefined, 'nothing to dial yet is no error')
  t.equal(parsed(service({})).source?.address, 's.n.svc:50051')
  t.equal(parsed(service({ port: 50051 })).source?.address, 's.n.svc:50051')
  t.equal(parsed(service({ port: null })).source?.address, undefined)
  t.equal(parsed({ spec: { address: '' }, ...service({}) }).source?.address, 's.n.svc:50051')
  t.equal(parsed({ spec: { address: 'x:1' }, ...service({}) }).source?.address, 'x:1')
  t.match(parsed(service({ port: 'http' })).fault, { path: ['status', 'registryService'], reason: /is not host:port/ })
  t.match(parsed({ spec: { address: 'x' } }), {
    source: { name: 'a', address: undefined },
    fault: { path: ['spec', 'address'] },
  })
})

t.test('null counts as absent', async (t) => {
  const nulls = {
    metadata: { name: 'a', namespace: 'b', uid: null, creationTimestamp: null, labels: null },
    spec: null,
    status: null,
  }
  t.match(parseCatalogSource(nulls), { source: { displayName: '', publisher: '', priority: 0 }, fault: undefined })
  const members = {
    spec: { displayName: null, publisher: null, priority: null, address: null },
    status: { registryService: null },
  }
  t.match(parsed(members), { source: { displayName: '', priority: 0, address: undefined }, fault: undefined })
})

const FAULTS: readonly (readonly [unknown, string])[] = [
  [undefined, 'the value must be object'],
  [[], 'the value must be object'],
  [{}, 'metadata is missing'],
  [{ metadata: { name: 'a' } }, 'metadata.namespace is missing'],
  [{ metadata: { name: '', namespace: 'b' } }, 'metadata.name must be lower-case letters, digits, "-" and "."'],
  [{ metadata: { name: '../x', namespace: 'b' } }, 'metadata.name must be lower-case letters, digits, "-" and "."'],
  [{ metadata: { name: 'a', namespace: 'b.c' } }, 'metadata.namespace must be lower-case letters, digits and "-"'],
  [{ kind: 'Pod', metadata: { name: 'a', namespace: 'b' } }, 'kind must be "CatalogSource"'],
  [{ metadata: { name: 'a', namespace: 'b' }, spec: { priority: 1.5 } }, 'spec.priority must be integer'],
  [{ metadata: { name: 'a', namespace: 'b' }, spec: { displayName: 5 } }, 'spec.displayName must be string'],
]
t.test('what is wrong, and where', async (t) => {
  for (const [value, reason] of FAULTS) t.equal(parseCatalogSource(value).fault?.reason, reason, reason)
})

t.test('addresses', async (t) => {
  for (const good of ['a:1', 'a.b-c.svc:65535', 'cat_1.ns.svc:50051', '10.0.0.1:1', '[::1]:50051', 'a.b.:1'])
    t.ok(splitAddress(good), good)
  for (const bad of [
    '',
    'a',
    ':1',
    'a:',
    'a:0',
    'a:65536',
    'a:b',
    'a b:1',
    'http://a:1',
    'a:1/x',
    '::1:5',
    '[::1]',
    '[x]:1',
    '[::1]:x',
    'a@b:1',
    '-a:1',
    'a..b:1',
    'a:1\n',
  ]) {
    t.equal(splitAddress(bad), undefined, JSON.stringify(bad))
  }
})

t.test('whatever the value: an answer, never a throw, and a fault wherever there is no source', async () => {
  const value = fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true, withMap: true })
  const shaped = fc.record({
    metadata: fc.oneof(value, fc.record({ name: value, namespace: value, labels: value })),
    spec: value,
    status: value,
  })
  fc.assert(
    fc.property(fc.oneof(value, shaped), (one) => {
      const { source, fault } = parseCatalogSource(one)
      return source !== undefined || fault !== undefined
    }),
    { numRuns: 1000 },
  )
})
