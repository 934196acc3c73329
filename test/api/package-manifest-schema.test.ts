import t from 'tap'
import { decodeClusterServiceVersion } from '../../src/api/cluster-service-version.ts'
import { PACKAGE_MANIFEST_SCHEMA } from '../../src/api/package-manifest-schema.ts'
import { toPackageManifest } from '../../src/package-server/to-package-manifest.ts'

interface Schema {
  readonly type: string
  readonly title?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: Schema
}

const SCHEMA: Schema = PACKAGE_MANIFEST_SCHEMA

/** Every schema within, with its path. */
function* walk(schema: Schema, path = ''): Generator<readonly [string, Schema]> {
  yield [path, schema]
  if (schema.items !== undefined) yield* walk(schema.items, `${path}[]`)
  for (const [name, member] of Object.entries(schema.properties ?? {})) yield* walk(member, `${path}.${name}`)
}

t.test('every field has a sentence of its own', async (t) => {
  const seen = [...walk(SCHEMA)]
  t.ok(seen.length > 60, `${seen.length} schemas`)
  for (const [path, { description }] of seen) {
    if (path.endsWith(']')) continue
    t.ok(
      description !== undefined && description.length >= 12 && /^[A-Z].*\.$/s.test(description),
      `${path}: ${description}`,
    )
  }
})

t.test('every object has the name of a model, equal names equal members, and requires only what it has', async (t) => {
  const models = new Map<string, string>()
  for (const [path, schema] of walk(SCHEMA)) {
    if (schema.type !== 'object' || schema.additionalProperties !== undefined) continue
    const { title = '' } = schema
    t.match(title, /^(com\.github\.operator-framework|io\.k8s\.apimachinery)\.[\w.-]+\.[A-Z]\w+$/, path)
    const members = Object.keys(schema.properties ?? {}).join()
    t.equal(models.get(title) ?? members, members, `${title} at ${path}`)
    models.set(title, members)
    for (const name of schema.required ?? []) t.ok(schema.properties?.[name], `${path} requires ${name}`)
  }
  t.equal(models.size, 16)
})

t.test('the order of its members is the order on the wire', async (t) => {
  const api = { name: 'n', group: 'g', version: 'v', kind: 'k', displayName: 'd', description: 'd' }
  const { group: _, ...crd } = api
  const spec = {
    displayName: 'd',
    version: '1.0.0',
    provider: { url: 'u', name: 'n' },
    keywords: ['k'],
    links: [{ url: 'u', name: 'n' }],
    maintainers: [{ email: 'e', name: 'n' }],
    maturity: 'm',
    description: 'd',
    installModes: [{ supported: true, type: 't' }],
    customresourcedefinitions: { required: [crd], owned: [crd] },
    apiservicedefinitions: { required: [api], owned: [api] },
    nativeAPIs: [{ kind: 'k', version: 'v', group: 'g' }],
    minKubeVersion: '1.0.0',
    relatedImages: [{ image: 'i' }],
  }
  const decoded = decodeClusterServiceVersion(
    JSON.stringify({ spec, metadata: { name: 'x', annotations: { a: 'b' } } }),
  )
  if ('reason' in decoded) throw new Error(decoded.reason)
  const entries = [{ deprecation: 'd', version: '1.0.0', name: 'x', replaces: '', skips: [], skipRange: '' }]
  const channels = [{ entries, head: decoded.csv, name: 'c', deprecation: 'd' }]
  const made = toPackageManifest(
    { name: 'p', deprecation: 'd', defaultChannel: 'c', channels },
    {
      namespace: 'ns',
      name: 'cat',
      uid: '',
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: {},
      displayName: '',
      publisher: '',
      priority: 0,
      address: undefined,
    },
  )
  let compared = 0
  const compare = (value: unknown, schema: Schema | undefined, path: string): void => {
    t.ok(schema, `${path} is in the schema`)
    if (Array.isArray(value)) for (const each of value) compare(each, schema?.items, `${path}[]`)
    else if (typeof value === 'object' && value !== null && schema?.properties !== undefined) {
      const known = Object.keys(schema.properties).filter((name) => name in value)
      t.strictSame(Object.keys(value), known, path)
      const unseen = Object.keys(schema.properties).filter((name) => !(name in value))
      t.strictSame(unseen, path === '.metadata' ? ['uid', 'resourceVersion', 'annotations'] : [], `${path} is complete`)
      compared++
      for (const [name, member] of Object.entries(value)) compare(member, schema.properties[name], `${path}.${name}`)
    }
  }
  compare(made?.manifest, SCHEMA, '')
  t.equal(compared, 21)
})
