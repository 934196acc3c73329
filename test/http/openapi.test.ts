import { Validator } from '@seriousme/openapi-schema-validator'
import t, { type Test } from 'tap'
import { openApiV2, v3Documents } from '../../src/http/openapi.ts'
import type { JsonSchema, ResourceDefinition } from '../../src/http/resource.ts'
import { CATALOG_STATUS_DEFINITION } from '../../src/package-server/catalog-status-resource.ts'
import { PACKAGE_MANIFEST_DEFINITION } from '../../src/package-server/package-manifest-definition.ts'
import { serve } from '../fixtures/http-server.ts'

const DEFINITIONS = [PACKAGE_MANIFEST_DEFINITION, CATALOG_STATUS_DEFINITION]
const INFO = { title: 'test', version: 'v0' }
const GVK = 'x-kubernetes-group-version-kind'

type Members = Readonly<Record<string, unknown>>
interface Schema extends Members {
  readonly $ref?: string
  readonly allOf?: readonly Schema[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

function plain(document: unknown): Members {
  return JSON.parse(JSON.stringify(document)) as Members
}

/** Every `$ref` in a document. */
function refsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(refsOf)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => (name === '$ref' ? [String(one)] : refsOf(one)))
}

async function checkDocument(t: Test, document: Members, models: Readonly<Record<string, Schema>>, prefix: string) {
  const result = await new Validator().validate(document)
  t.ok(result.valid, JSON.stringify(result.errors)?.slice(0, 500))
  for (const ref of refsOf(document)) {
    t.ok(ref.startsWith(prefix) && models[ref.slice(prefix.length)] !== undefined, `${ref} resolves`)
  }
  for (const name of Object.keys(models)) t.match(name, /^[A-Za-z0-9._-]+$/, `${name} needs no escaping`)
}

/** The schema of a field, references followed. */
function fieldOf(
  models: Readonly<Record<string, Schema>>,
  prefix: string,
  name: string,
  path: readonly string[],
): Schema {
  const follow = (schema: Schema): Schema => {
    const ref = schema.$ref ?? schema.allOf?.[0]?.$ref
    if (ref !== undefined) return follow(models[ref.slice(prefix.length)] ?? {})
    return schema.items === undefined ? schema : follow(schema.items)
  }
  let schema: Schema = models[name] ?? {}
  let field = schema
  for (const step of path) {
    field = follow(schema).properties?.[step] ?? {}
    schema = field
  }
  return field
}

function* paths(schema: JsonSchema, path: readonly string[] = []): Generator<readonly string[]> {
  const inner = schema.items ?? schema
  for (const [name, field] of Object.entries(inner.properties ?? {})) {
    yield [...path, name]
    yield* paths(field, [...path, name])
  }
}

function checkFields(
  t: Test,
  definition: ResourceDefinition,
  models: Readonly<Record<string, Schema>>,
  prefix: string,
) {
  const name = definition.schema.title ?? ''
  let count = 0
  for (const path of paths(definition.schema)) {
    const { description } = fieldOf(models, prefix, name, path)
    t.match(description, /^.{10,}$/s, `${definition.kind}.${path.join('.')} is described`)
    count += 1
  }
  t.ok(count > 10, `${count} fields`)
  const gvk = [{ group: definition.group, kind: definition.kind, version: definition.version }]
  t.match(models[name], { [GVK]: gvk })
  const list = name.replace(new RegExp(`${definition.kind}$`), definition.listKind)
  t.match(models[list], { [GVK]: [{ kind: definition.listKind }], required: ['items'] })
}

t.test('OpenAPI 2 (R059)', async (t) => {
  const document = plain(openApiV2(DEFINITIONS, INFO))
  const models = document.definitions as Readonly<Record<string, Schema>>
  await checkDocument(t, document, models, '#/definitions/')
  for (const definition of DEFINITIONS) checkFields(t, definition, models, '#/definitions/')
})

t.test('OpenAPI 3 (R059)', async (t) => {
  const documents = v3Documents(DEFINITIONS, INFO)
  const groupVersion = `apis/${PACKAGE_MANIFEST_DEFINITION.group}/v1`
  t.same([...documents.keys()], ['apis', `apis/${PACKAGE_MANIFEST_DEFINITION.group}`, groupVersion, 'version'])
  for (const [name, document] of documents) {
    const written = plain(document)
    const { schemas = {} } = (written.components ?? {}) as { schemas?: Readonly<Record<string, Schema>> }
    await checkDocument(t, written, schemas, '#/components/schemas/')
    if (name !== groupVersion) continue
    for (const definition of DEFINITIONS) checkFields(t, definition, schemas, '#/components/schemas/')
  }
})

t.test('no model bears the name of a model of Kubernetes itself', async (t) => {
  const { definitions } = plain(openApiV2(DEFINITIONS, INFO)) as { definitions: Members }
  for (const name of Object.keys(definitions)) t.notMatch(name, /^io\.k8s\./)
})

t.test('operations have names of their own', async (t) => {
  const { paths: all } = plain(openApiV2(DEFINITIONS, INFO)) as {
    paths: Readonly<Record<string, { get: { operationId: string } }>>
  }
  const ids = Object.values(all).map((one) => one.get.operationId)
  t.equal(new Set(ids).size, ids.length, ids.join())
})

t.test('the index and its hashes', async (t) => {
  const none = () => Promise.reject(new Error('not asked for'))
  const resource = { definition: PACKAGE_MANIFEST_DEFINITION, get: none, list: none, watch: none, getSubresource: none }
  const { ask } = await serve(t, { resources: [resource] })
  const index = (await ask('/openapi/v3')).json as { paths: Record<string, { serverRelativeURL: string }> }
  for (const [name, { serverRelativeURL }] of Object.entries(index.paths)) {
    const found = await ask(serverRelativeURL)
    t.equal(found.status, 200, name)
    t.match(found.headers, { 'cache-control': /public, immutable/, 'content-type': 'application/json' })
    const etag = String(found.headers.etag)
    t.equal(`/openapi/v3/${name}?hash=${etag.replaceAll('"', '')}`, serverRelativeURL)
    const path = `/openapi/v3/${name}`
    t.match((await ask(path)).headers['cache-control'], 'no-cache, private')
    t.equal((await ask(path, { headers: { 'if-none-match': etag } })).status, 304)
    const moved = await ask(`${path}?hash=0000`)
    t.match(moved, { status: 301, headers: { location: serverRelativeURL } })
  }
  const v2 = await ask('/openapi/v2', { headers: { 'accept-encoding': 'gzip' } })
  t.match(v2.headers, { 'content-encoding': 'gzip', etag: /^"[0-9A-F]{128}"$/ })
  t.equal((await ask('/openapi/v2', { headers: { 'if-none-match': String(v2.headers.etag) } })).status, 304)
  for (const accept of [
    'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
    'application/vnd.kubernetes.protobuf',
  ]) {
    t.equal((await ask('/openapi/v2', { headers: { accept } })).status, 406)
  }
})
