import { setImmediate as otherWork } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import t from 'tap'
import { decodeClusterServiceVersion } from '../../src/api/cluster-service-version.ts'
import { packManifest } from '../../src/catalog/packed-manifest.ts'

const text = fc.string({ unit: 'binary', maxLength: 200 })
const manifest = fc.record({
  metadata: fc.record({
    name: fc.string({ minLength: 1 }),
    annotations: fc.dictionary(fc.oneof(text, fc.constant('__proto__'), fc.constant('10')), text),
    labels: fc.dictionary(text, text),
  }),
  spec: fc.record({
    displayName: text,
    description: text,
    version: fc.constantFrom('1.2.3', '0.0.1-rc.1'),
    maturity: text,
    keywords: fc.array(text),
    links: fc.array(fc.record({ name: text, url: text })),
    maintainers: fc.array(fc.record({ name: text, email: text })),
    icon: fc.array(fc.record({ base64data: fc.base64String(), mediatype: fc.constant('image/png') }), { maxLength: 2 }),
    relatedImages: fc.array(fc.record({ name: text, image: text })),
    customresourcedefinitions: fc.record({
      owned: fc.array(fc.record({ name: text, version: text, kind: text, description: text })),
    }),
    install: fc.constant({ strategy: 'deployment', spec: { deployments: [] } }),
  }),
})

t.test('a packed manifest is what was packed, at once and when it has to be unpacked', async (t) => {
  const pairs = fc.sample(manifest, 100).flatMap((raw) => {
    const decoded = decodeClusterServiceVersion(JSON.stringify(raw))
    return 'csv' in decoded ? [{ csv: decoded.csv, packed: packManifest(decoded.csv) }] : []
  })
  t.ok(pairs.length > 50)
  for (const { csv, packed } of pairs) t.strictSame({ ...packed }, { ...csv })
  // What was packed is collected: everything is read from the bytes again.
  await otherWork()
  collectGarbage()
  for (const { csv, packed } of pairs) {
    t.strictSame({ ...packed }, { ...csv })
    t.equal(Object.getPrototypeOf(packed.annotations), null)
    t.strictSame(Object.keys(packed.annotations), Object.keys(csv.annotations))
  }
})

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
}

t.test('nothing of it can be changed', async (t) => {
  const decoded = decodeClusterServiceVersion(JSON.stringify({ metadata: { name: 'a' }, spec: { keywords: ['b'] } }))
  t.ok('csv' in decoded)
  if (!('csv' in decoded)) return
  const packed = packManifest(decoded.csv)
  t.ok(Object.isFrozen(packed) && Object.isFrozen(packed.keywords) && Object.isFrozen(packed.annotations))
  t.throws(() => Object.assign(packed, { description: 'other' }), TypeError)
})
