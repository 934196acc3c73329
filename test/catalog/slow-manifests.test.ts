import t from 'tap'
import { decodeClusterServiceVersion } from '../../src/api/cluster-service-version.ts'
import { createManifestDecoder } from '../../src/catalog/slow-manifests.ts'

function yaml(lines: number): string {
  const annotations = Array.from({ length: lines }, (_, index) => `    a${index}: "x${index}"`).join('\n')
  return `kind: ClusterServiceVersion\nmetadata:\n  name: a.v1\n  annotations:\n    __proto__: x\n${annotations}\nspec: {version: 1.0.0, icon: [{base64data: aa, mediatype: image/png}]}\n`
}

t.test('slow ones are decoded aside, to the same as here, one after the other', async (t) => {
  const decoder = createManifestDecoder(decodeClusterServiceVersion)
  t.teardown(() => decoder.close())
  const small = yaml(3)
  const here = decoder.decode(small)
  t.notOk(here instanceof Promise)
  const texts = [
    yaml(2000),
    `{"metadata":{"name":"a.v1"},"spec":{"description":"${'x'.repeat(2_000_000)}"}}`,
    'x: '.repeat(3000),
  ]
  const aside = texts.map((text) => decoder.decode(text))
  for (const [index, text] of texts.entries()) {
    t.ok(aside[index] instanceof Promise)
    t.strictSame(await aside[index], decodeClusterServiceVersion(text))
  }
  const [first] = await Promise.all(aside)
  if (first === undefined || 'reason' in first) throw new Error('not decoded')
  t.equal(Object.getPrototypeOf(first.csv.annotations), null)
  t.equal(Object.entries(first.csv.annotations)[0]?.join(), '__proto__,x')
  t.ok(Object.isFrozen(first.csv) && Object.isFrozen(first.csv.icon) && Object.isFrozen(first.csv.relatedImages))
})

t.test('the event loop is free meanwhile', async (t) => {
  const decoder = createManifestDecoder(decodeClusterServiceVersion)
  t.teardown(() => decoder.close())
  const decoded = Promise.resolve(decoder.decode(yaml(10_000)))
  let turns = 0
  let over = false
  void decoded.then(() => {
    over = true
  })
  while (!over) {
    turns++
    await new Promise(setImmediate)
  }
  t.ok(turns > 100, `${turns} turns`)
  t.match(await decoded, { csv: { name: 'a.v1' } })
})
