// Models of OpenAPI out of JSON Schemas: each titled object becomes a model of its own, referred to where it is used.
// Receives definitions of resources, hands on models by name, for OpenAPI 2 and 3. Pure.
import type { JsonSchema, ResourceDefinition } from './resource.ts'

export type Dialect = 2 | 3

export type OpenApiSchema = Readonly<Record<string, unknown>>

export interface Models {
  /** By name, every reference among them resolved. */
  readonly models: Readonly<Record<string, OpenApiSchema>>
  /** The names of a resource's object and list. */
  namesOf(definition: ResourceDefinition): { readonly object: string; readonly list: string }
}

export const GVK = 'x-kubernetes-group-version-kind'

const PREFIX: Readonly<Record<Dialect, string>> = { 2: '#/definitions/', 3: '#/components/schemas/' }

export function refTo(name: string, dialect: Dialect): OpenApiSchema {
  return { $ref: `${PREFIX[dialect]}${name}` }
}

export function createModels(definitions: readonly ResourceDefinition[], dialect: Dialect): Models {
  const models = new Map<string, OpenApiSchema>()
  const namesOf = ({ schema, kind, listKind }: ResourceDefinition) => {
    const object = schema.title ?? kind
    return { object, list: `${object.slice(0, object.length - kind.length)}${listKind}` }
  }
  for (const definition of definitions) {
    const names = namesOf(definition)
    const space = names.object.slice(0, names.object.length - definition.kind.length)
    const writer = createWriter(models, dialect, space)
    writer.model(names.object, definition.schema, gvkOf(definition, definition.kind))
    writer.model(names.list, listSchema(definition), gvkOf(definition, definition.listKind))
  }
  return { models: Object.fromEntries([...models].sort(([a], [b]) => (a < b ? -1 : 1))), namesOf }
}

function gvkOf({ group, version }: ResourceDefinition, kind: string): OpenApiSchema {
  return { [GVK]: [{ group, kind, version }] }
}

interface ModelWriter {
  model(name: string, schema: JsonSchema, more?: OpenApiSchema): void
}

/** `space` is the prefix of our own names. */
function createWriter(models: Map<string, OpenApiSchema>, dialect: Dialect, space: string): ModelWriter {
  function model(name: string, schema: JsonSchema, more: OpenApiSchema = {}): void {
    models.set(name, { ...written(schema), ...more })
  }

  /** Where a titled object stands: a reference, unless another object of that title says something else. */
  function used(schema: JsonSchema): OpenApiSchema {
    if (schema.title === undefined) return written(schema)
    const name = ownName(schema.title, space)
    const before = models.get(name)
    const own = written(schema)
    if (before !== undefined && !sameButDescription(before, own)) return own
    // Described where it is used: `kubectl explain` would print a description of the model below that of its use.
    if (before === undefined) models.set(name, dialect === 3 ? undescribed(own) : own)
    const { description } = schema
    if (description === undefined) return refTo(name, dialect)
    // OpenAPI 3.0 ignores what stands beside a reference; Kubernetes' readers of OpenAPI 2 do not.
    return dialect === 3 ? { description, allOf: [refTo(name, dialect)] } : { description, ...refTo(name, dialect) }
  }

  function written({ properties, items, additionalProperties, title: _, ...plain }: JsonSchema): OpenApiSchema {
    return {
      ...plain,
      ...(properties === undefined ? {} : { properties: mapValues(properties, used) }),
      ...(items === undefined ? {} : { items: used(items) }),
      ...(additionalProperties === undefined ? {} : { additionalProperties: usedOrBoolean(additionalProperties) }),
    }
  }

  function usedOrBoolean(schema: boolean | JsonSchema): boolean | OpenApiSchema {
    return typeof schema === 'boolean' ? schema : used(schema)
  }

  return { model }
}

/** Kubernetes' own names mean Kubernetes' own models: ours of that kind would clash with them in a merged document. */
function ownName(title: string, space: string): string {
  return title.startsWith('io.k8s.') ? `${space}${title.slice(title.lastIndexOf('.') + 1)}` : title
}

function sameButDescription(one: OpenApiSchema, other: OpenApiSchema): boolean {
  return JSON.stringify(undescribed(one)) === JSON.stringify(undescribed(other))
}

function undescribed({ description: _, ...schema }: OpenApiSchema): OpenApiSchema {
  return schema
}

function mapValues<A, B>(record: Readonly<Record<string, A>>, map: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))
}

function listSchema({ group, version, listKind, kind, schema }: ResourceDefinition): JsonSchema {
  return {
    type: 'object',
    description: `Objects of the kind ${kind}, all of one moment.`,
    properties: {
      kind: { type: 'string', enum: [listKind], description: `The kind of the list: ${listKind}.` },
      apiVersion: {
        type: 'string',
        enum: [`${group}/${version}`],
        description: 'The group and version of the API that serves the list.',
      },
      metadata: LIST_META,
      items: { type: 'array', description: 'The objects, by namespace and name.', items: schema },
    },
    required: ['items'],
  }
}

const LIST_META: JsonSchema = {
  type: 'object',
  title: 'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta',
  description: 'What Kubernetes knows of the list itself: its version, and how to go on where it is a page.',
  properties: {
    resourceVersion: {
      type: 'string',
      description: 'The version of the whole list. Opaque to clients: a watch can be started from it.',
    },
    continue: {
      type: 'string',
      description: 'Present where there is more: sent back as the parameter `continue` it asks for the next page.',
    },
    remainingItemCount: {
      type: 'integer',
      format: 'int64',
      description: 'How many objects follow after this page. Left out on the last one and where it is not known.',
    },
  },
}
