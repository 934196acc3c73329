// What a bundle serves: its objects as JSON, its CSV, or a CSV put together from metadata; packed and unpacked unchanged.
import fc from 'fast-check'
import t from 'tap'
import { readBundleContent, readIcon } from '../../src/file-based-catalog/bundle-content.ts'
import { contentStore, createContentWriter, readText } from '../../src/file-based-catalog/content-store.ts'
import { joinContent, splitContent } from '../../src/file-based-catalog/packed-content.ts'
import {
  type Blob,
  bundleBlob,
  channelBlob,
  loadBlobs,
  objectProperty,
  packageBlob,
  packageProperty,
} from '../fixtures/small-catalog.ts'

const metadata = (value: Blob): Blob => ({ type: 'olm.csv.metadata', value })

async function contentOf(folder: string, pkg: Blob, bundle: Blob) {
  const { index, faults } = await loadBlobs(folder, packageBlob(pkg), channelBlob(), bundleBlob('1.0.0', bundle))
  t.strictSame(faults, [])
  const indexed = index.packages.get('foo')
  const found = indexed?.bundles.get('foo.v1.0.0')
  if (indexed === undefined || found === undefined) throw new Error('no such bundle')
  return { index, pkg: indexed, bundle: found, content: await readBundleContent(index, indexed, found) }
}

t.test('objects: JSON as it is, YAML as JSON (R107)', async (t) => {
  const json = '{ "kind": "Service" }'
  const yaml = 'kind: ClusterServiceVersion\nspec: {version: 1.10, on: yes, text: "<&>"}\n'
  const properties = [packageProperty(), objectProperty(json), objectProperty(yaml)]
  const { content, bundle } = await contentOf(t.testdir(), {}, { properties, image: '' })
  const csv = '{"kind":"ClusterServiceVersion","spec":{"text":"\\u003c\\u0026\\u003e","true":true,"version":1.1}}'
  t.strictSame(content, { csvJson: csv, objects: [json, csv] })
  t.strictSame(bundle.properties, [{ type: 'olm.package', value: '{"packageName":"foo","version":"1.0.0"}' }])
})

t.test('neither objects nor metadata', async (t) => {
  const { content, bundle } = await contentOf(t.testdir(), {}, {})
  t.strictSame([content, bundle.content], [{ csvJson: '', objects: [] }, undefined])
})

t.test('a CSV of metadata (R109)', async (t) => {
  const icon = { base64data: Buffer.from('<svg/>').toString('base64'), mediatype: 'image/svg+xml' }
  const value = {
    annotations: { a: 'b' },
    displayName: 'Foo',
    unknown: true,
    crdDescriptions: {
      owned: [{ name: 'foos.example.com', version: 'v1', kind: 'Foo', specDescriptors: [{ path: 'x', value: [1] }] }],
    },
    installModes: [{ type: 'AllNamespaces', supported: true }],
  }
  const properties = [packageProperty(), metadata(value)]
  const relatedImages = [{ name: '', image: 'example.com/foo:1' }]
  const { content, index, pkg } = await contentOf(
    t.testdir(),
    { icon, description: 'Long words' },
    { properties, relatedImages },
  )
  t.strictSame(content.objects, [content.csvJson])
  t.strictSame(JSON.parse(content.csvJson), {
    kind: 'ClusterServiceVersion',
    apiVersion: 'operators.coreos.com/v1alpha1',
    metadata: { name: 'foo.v1.0.0', annotations: { a: 'b' } },
    spec: {
      install: { strategy: 'deployment', spec: { deployments: null } },
      version: '1.0.0',
      customresourcedefinitions: {
        owned: [{ name: 'foos.example.com', version: 'v1', kind: 'Foo', specDescriptors: [{ path: 'x', value: [1] }] }],
      },
      apiservicedefinitions: {},
      displayName: 'Foo',
      description: 'Long words',
      provider: {},
      icon: [icon],
      installModes: [{ type: 'AllNamespaces', supported: true }],
      cleanup: { enabled: false },
      relatedImages,
    },
    status: { cleanup: {} },
  })
  t.strictSame(pkg.icon && (await readIcon(index, pkg.icon)), icon)
})

t.test('an own CSV counts before metadata, other objects stay', async (t) => {
  const csv = '{"kind":"ClusterServiceVersion"}'
  const withCsv = [packageProperty(), objectProperty(csv), metadata({ displayName: 'x' })]
  t.equal((await contentOf(t.testdir(), {}, { properties: withCsv })).content.csvJson, csv)
  const without = [packageProperty(), objectProperty('{"kind":"Service"}'), metadata({ displayName: 'x' })]
  const { content } = await contentOf(t.testdir(), {}, { properties: without })
  t.match(content, { csvJson: /"displayName":"x"/, objects: ['{"kind":"Service"}'] })
  t.equal(content.objects.length, 1)
})

t.test('an object without data is what the one before it was, as the reference program has it', async (t) => {
  const ref = { type: 'olm.bundle.object', value: { ref: 'objects/csv.yaml' } }
  const properties = [packageProperty(), ref, objectProperty('{"a":1}'), ref]
  t.strictSame((await contentOf(t.testdir(), {}, { properties })).content.objects, ['null', '{"a":1}', '{"a":1}'])
})

t.test('dependencies, APIs and properties', async (t) => {
  const properties = [
    packageProperty(),
    { type: 'olm.gvk', value: { group: 'a', kind: 'B', version: 'v1' } },
    { type: 'olm.gvk.required', value: { Group: 'c', kind: 'D', version: 'v1', more: 1 } },
    { type: 'olm.package.required', value: { packageName: 'bar', versionRange: '>1.0.0' } },
    { type: 'olm.maxOpenShiftVersion', value: '4.9' },
    { type: 'olm.constraint', value: { z: 1, a: [1.5, null] } },
  ]
  const { bundle } = await contentOf(t.testdir(), {}, { properties })
  t.strictSame(bundle.providedApis, [{ group: 'a', kind: 'B', version: 'v1' }])
  t.strictSame(bundle.requiredApis, [{ group: 'c', kind: 'D', version: 'v1' }])
  t.strictSame(bundle.dependencies, [
    { type: 'olm.gvk', value: '{"Group":"c","kind":"D","more":1,"version":"v1"}' },
    { type: 'olm.package', value: '{"packageName":"bar","version":">1.0.0"}' },
  ])
  t.strictSame(bundle.properties.slice(4), [
    { type: 'olm.maxOpenShiftVersion', value: '"4.9"' },
    { type: 'olm.constraint', value: '{"a":[1.5,null],"z":1}' },
  ])
})

t.test('packed texts come back unchanged', async (t) => {
  const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 2000 }))
  const property = fc.asyncProperty(texts, texts, async (objects, csvMetadata) => {
    const parts = { objects, csvMetadata, relatedImages: [{ name: 'a', image: 'b' }] }
    t.strictSame(splitContent(joinContent(parts)), parts)
    const writer = createContentWriter()
    const ranges = objects.map((text) => writer.add(text))
    const store = contentStore(writer.finish())
    t.strictSame(await Promise.all(ranges.map((range) => readText(store, range))), objects)
  })
  await fc.assert(property, { numRuns: 50 })
  const writer = createContentWriter()
  const large = Array.from({ length: 3 }, (_, at) =>
    Buffer.from(Array.from({ length: 2e6 }, (_, n) => (n * n * (at + 7)) % 251)),
  )
  const ranges = large.map((bytes) => writer.add(bytes.toString('latin1')))
  const store = contentStore(writer.finish())
  for (const [at, range] of ranges.entries()) t.equal(await readText(store, range), large[at]?.toString('latin1'))
})
