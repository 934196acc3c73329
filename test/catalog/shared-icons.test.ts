import t from 'tap'
import { decodeClusterServiceVersion } from '../../src/api/cluster-service-version.ts'
import { createHeadDecoder } from '../../src/catalog/head-decoder.ts'
import { createSharedIcons } from '../../src/catalog/shared-icons.ts'

t.test('equal icons are one object, different ones are not', async (t) => {
  const share = createSharedIcons()
  const first = { base64data: 'AAAA', mediatype: 'image/png' }
  t.equal(share(first), first)
  t.equal(share({ ...first }), first)
  t.not(share({ ...first, mediatype: 'image/gif' }), first)
  t.not(share({ ...first, base64data: 'AAAB' }), first)
})

t.test('manifests that differ share the icon, and nothing else of them changes', async (t) => {
  const decoder = createHeadDecoder(decodeClusterServiceVersion)
  const manifest = (name: string) =>
    JSON.stringify({
      metadata: { name },
      spec: { description: name, icon: [{ base64data: 'AAAA', mediatype: 'image/png' }] },
    })
  const [a, b] = await Promise.all(['a', 'b'].map((name) => decoder.decode(Buffer.from(manifest(name)))))
  if (a === undefined || b === undefined || !('csv' in a.decoded) || !('csv' in b.decoded)) throw new Error('undecoded')
  t.equal(a.decoded.csv.icon, b.decoded.csv.icon)
  t.ok(Object.isFrozen(b.decoded.csv))
  t.strictSame({ csv: b.decoded.csv }, decodeClusterServiceVersion(manifest('b')))
})
