// The paths of a resource as OpenAPI describes them: who may be asked what with which parameters. Pure.
import { type Dialect, GVK, type Models, type OpenApiSchema, refTo } from './openapi-models.ts'
import type { ResourceDefinition } from './resource.ts'

interface Parameter {
  readonly name: string
  readonly in: 'query' | 'path'
  readonly type: 'string' | 'integer' | 'boolean'
  readonly description: string
}

const PRETTY: Parameter = {
  name: 'pretty',
  in: 'query',
  type: 'string',
  description: 'Whether the answer is indented for people: `true` or `false`. Tools such as curl get it so unasked.',
}

const RESOURCE_VERSION: Parameter = {
  name: 'resourceVersion',
  in: 'query',
  type: 'string',
  description: 'The version that the answer must at least have, or after which a watch begins.',
}

const LIST_PARAMETERS: readonly Parameter[] = [
  query('allowWatchBookmarks', 'boolean', 'Whether a watch also tells from time to time which version it has reached.'),
  query('continue', 'string', 'The token of the page before: asks for the next one.'),
  query('fieldSelector', 'string', 'Restricts the answer by `metadata.name` and `metadata.namespace`.'),
  query('labelSelector', 'string', 'Restricts the answer by labels, such as `catalog=community,!deprecated`.'),
  query('limit', 'integer', 'How many objects a page has at most. Without it there is one page.'),
  PRETTY,
  RESOURCE_VERSION,
  query('resourceVersionMatch', 'string', 'How `resourceVersion` is meant: `Exact` or `NotOlderThan`.'),
  query('sendInitialEvents', 'boolean', 'Whether a watch begins with what there is, ended by a marked bookmark.'),
  query('timeoutSeconds', 'integer', 'After how many seconds a watch ends.'),
  query('watch', 'boolean', 'Whether to be told of changes instead of being given a list.'),
]

const NAME: Parameter = { name: 'name', in: 'path', type: 'string', description: 'The name of the object.' }
const NAMESPACE: Parameter = {
  name: 'namespace',
  in: 'path',
  type: 'string',
  description: 'The namespace to look at: its own objects and the global ones.',
}

const OBJECT_TYPES = ['application/json', 'application/yaml']
const LIST_TYPES = [...OBJECT_TYPES, 'application/json;stream=watch']
const ICON_TYPES = ['image/svg+xml', 'image/png', 'image/jpeg']

function query(name: string, type: Parameter['type'], description: string): Parameter {
  return { name, in: 'query', type, description }
}

export function resourcePaths(
  definition: ResourceDefinition,
  models: Models,
  dialect: Dialect,
): Record<string, OpenApiSchema> {
  const { group, version, plural, kind, subresources } = definition
  const base = `/apis/${group}/${version}`
  const { object, list } = models.namesOf(definition)
  const operation = (
    action: string,
    id: string,
    what: string,
    types: readonly string[],
    model: string | undefined,
  ) => ({
    description: what,
    tags: [tagOf(definition)],
    operationId: `${action}${operationStem(definition)}${id}`,
    ...answers(dialect, types, model),
    'x-kubernetes-action': action === 'read' ? 'get' : action,
    [GVK]: { group, kind, version },
  })
  const listing = (id: string, where: string) =>
    operation('list', id, `List or watch objects of the kind ${kind} ${where}.`, LIST_TYPES, list)
  const one = `${base}/namespaces/{namespace}/${plural}/{name}`
  const paths: Record<string, OpenApiSchema> = {
    [`${base}/`]: discoveryPath(definition, dialect),
    [`${base}/${plural}`]: pathItem(dialect, listing(`${kind}ForAllNamespaces`, 'in all namespaces'), LIST_PARAMETERS),
    [`${base}/namespaces/{namespace}/${plural}`]: pathItem(
      dialect,
      listing(`Namespaced${kind}`, 'that one namespace sees'),
      [NAMESPACE, ...LIST_PARAMETERS],
    ),
    [one]: pathItem(
      dialect,
      operation('read', `Namespaced${kind}`, `Read the ${kind} of this name.`, OBJECT_TYPES, object),
      [NAME, NAMESPACE, PRETTY, RESOURCE_VERSION],
    ),
  }
  for (const { name } of subresources) {
    const id = `Namespaced${kind}${name.charAt(0).toUpperCase()}${name.slice(1)}`
    const get = operation('read', id, `Read the ${name} of the ${kind} of this name.`, ICON_TYPES, undefined)
    paths[`${one}/${name}`] = pathItem(dialect, get, [NAME, NAMESPACE])
  }
  return paths
}

/** `packagesOperatorsCoreosCom_v1` and `PackagesOperatorsCoreosComV1`, as Kubernetes names tags and operations. */
function tagOf({ group, version }: ResourceDefinition): string {
  const stem = pascal(group)
  return `${stem.charAt(0).toLowerCase()}${stem.slice(1)}_${version}`
}

function operationStem({ group, version }: ResourceDefinition): string {
  return `${pascal(group)}${pascal(version)}`
}

function pascal(dotted: string): string {
  return dotted
    .split(/[.-]/)
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('')
}

function discoveryPath(definition: ResourceDefinition, dialect: Dialect): OpenApiSchema {
  const get = {
    description: 'Tell which resources there are.',
    tags: [tagOf(definition)],
    operationId: `get${operationStem(definition)}APIResources`,
    ...answers(dialect, OBJECT_TYPES, undefined),
  }
  return pathItem(dialect, get, [])
}

function pathItem(dialect: Dialect, get: OpenApiSchema, parameters: readonly Parameter[]): OpenApiSchema {
  const written = parameters.map(({ name, in: place, type, description }) => {
    const plain = { name, in: place, description, ...(place === 'path' ? { required: true } : {}), uniqueItems: true }
    const { uniqueItems: _, ...v3 } = plain
    return dialect === 3 ? { ...v3, schema: { type, uniqueItems: true } } : { ...plain, type }
  })
  return { get, ...(written.length === 0 ? {} : { parameters: written }) }
}

function answers(dialect: Dialect, types: readonly string[], model: string | undefined): OpenApiSchema {
  const schema = model === undefined ? { type: 'object' } : refTo(model, dialect)
  const unauthorized = { description: 'Unauthorized' }
  if (dialect === 3) {
    const content = Object.fromEntries(
      types.map((type) => [
        type,
        { schema: type.startsWith('image/') ? { type: 'string', format: 'binary' } : schema },
      ]),
    )
    return { responses: { '200': { description: 'OK', content }, '401': unauthorized } }
  }
  const body = types === ICON_TYPES ? { type: 'file' } : schema
  return {
    produces: types,
    schemes: ['https'],
    responses: { '200': { description: 'OK', schema: body }, '401': unauthorized },
  }
}
