// Paths and queries of any shape: an answer below 500 each time, and a Status where it is no success.
import { Agent } from 'node:https'
import fc from 'fast-check'
import t from 'tap'
import { createPackageManifestResource } from '../../src/package-server/package-manifest-resource.ts'
import { serve } from '../fixtures/http-server.ts'
import { catalogSource, offer } from '../fixtures/offered-manifests.ts'

const API = '/apis/packages.operators.coreos.com/v1'

const piece = fc.oneof(
  fc.constantFrom(
    'apis',
    'packages.operators.coreos.com',
    'v1',
    'namespaces',
    'olm',
    'packagemanifests',
    'alpha',
    'icon',
  ),
  fc.constantFrom(
    '',
    '.',
    '..',
    '%2e%2e',
    '%2f',
    '%5c',
    '%00',
    '%0d%0a',
    '%ff',
    '%',
    '%zz',
    ';a=b',
    '*',
    '~',
    '__proto__',
  ),
  fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => encodeURIComponent(text.toWellFormed())),
  fc.string({ unit: fc.constantFrom(..."!$&'()*+,;=:@-._~%ab01"), maxLength: 12 }),
)
const name = fc.oneof(
  fc.constantFrom(
    'limit',
    'continue',
    'resourceVersion',
    'resourceVersionMatch',
    'labelSelector',
    'fieldSelector',
    'pretty',
  ),
  fc.constantFrom(
    'timeoutSeconds',
    'sendInitialEvents',
    'includeObject',
    'catalog',
    'catalog-namespace',
    'timeout',
    '__proto__',
  ),
)
const value = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '1',
    '-1',
    'abc',
    '9'.repeat(30),
    'Exact',
    'NotOlderThan',
    'a=b',
    'metadata.name=alpha',
    'None',
  ),
  fc.string({ unit: 'binary', maxLength: 10 }).map((text) => encodeURIComponent(text.toWellFormed())),
  fc.string({ unit: fc.constantFrom(..."!$&'()*+,;=:@-._~%ab01"), maxLength: 12 }),
)
const query = fc.array(
  fc.tuple(name, value).map(([key, one]) => `${key}=${one}`),
  { maxLength: 4 },
)
const path = fc.oneof(
  fc.array(piece, { maxLength: 9 }).map((pieces) => `/${pieces.join('/')}`),
  fc.constantFrom(
    `${API}/packagemanifests`,
    `${API}/namespaces/olm/packagemanifests/alpha`,
    `${API}/namespaces/olm/packagemanifests/alpha/icon`,
  ),
)

t.test('never a 500', async (t) => {
  const resource = createPackageManifestResource({ globalNamespace: 'olm', now: Date.now })
  t.teardown(() => resource.close())
  const source = catalogSource('olm/small')
  await resource.replace(source, [offer(source, 'alpha'), offer(source, 'beta')])
  const faults: unknown[] = []
  const { ask } = await serve(t, {
    resources: [resource],
    observe: ({ code }) => code >= 500 && code !== 504 && faults.push(code),
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  t.teardown(() => agent.destroy())
  await fc.assert(
    fc.asyncProperty(path, query, async (one, parameters) => {
      const url = parameters.length === 0 ? one : `${one}?${parameters.join('&')}`
      const { status, json } = await ask(url, { agent })
      if (status === 200 || status === 304) return true
      // A version that this process cannot vouch for is 504 by convention: nothing is wrong with the server.
      return (status < 500 || status === 504) && (json as { kind?: string } | undefined)?.kind === 'Status'
    }),
    { numRuns: 1500 },
  )
  t.same(faults, [])
})
