// The seam of authorization: what a request does, as attributes that a SubjectAccessReview can carry; an Authorizer
// decides. Receives paths, methods and options, hands on attributes and the 403. Never decides by itself.
import type { Identity } from './authentication.ts'
import type { Requirement } from './label-selector.ts'
import { parseListOptions, wantsWatch } from './list-options.ts'
import type { RequestPath, ResourcePath } from './request-path.ts'
import type { FieldRequirement } from './selectors.ts'
import { forbidden, StatusError } from './status.ts'

export interface ResourceAttributes {
  readonly kind: 'resource'
  readonly verb: string
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly subresource: string
  /** `""`: all namespaces. */
  readonly namespace: string
  /** Also from `fieldSelector=metadata.name=X` on list and watch. `""`: all. */
  readonly name: string
  /** Of list, watch and deletecollection, where they parse: for requests that an administrator restricts by selector. */
  readonly labelRequirements: readonly Requirement[]
  readonly fieldRequirements: readonly FieldRequirement[]
}

export interface PathAttributes {
  readonly kind: 'path'
  readonly verb: string
  readonly path: string
}

export type Attributes = ResourceAttributes | PathAttributes

export type Decision = { readonly allowed: true } | { readonly allowed: false; readonly reason: string }

/** Throws a StatusError (503, 500) where it cannot decide: never a yes. */
export type Authorizer = (identity: Identity, attributes: Attributes) => Promise<Decision>

/** The standalone server's: whoever is authenticated may read. */
export const allowAuthenticated: Authorizer = async (identity) =>
  identity.groups.includes('system:authenticated') ? { allowed: true } : { allowed: false, reason: '' }

const VERBS: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' }

/** A path that serves no resource: verb is the method in lower case, HEAD counts as get. */
export function attributesOf(method: string, path: RequestPath, query: URLSearchParams): Attributes {
  if (path.kind === 'other') {
    return { kind: 'path', verb: method === 'HEAD' ? 'get' : method.toLowerCase(), path: path.path }
  }
  return resourceAttributes(method, path, query)
}

function resourceAttributes(method: string, path: ResourcePath, query: URLSearchParams): ResourceAttributes {
  const { group, version, resource, subresource, namespace, name } = path
  const verb = verbOf(method, name, query)
  const plain = { kind: 'resource', verb, group, version, resource, subresource, namespace, name } as const
  if (name !== '' || !['list', 'watch', 'deletecollection'].includes(verb)) {
    return { ...plain, labelRequirements: [], fieldRequirements: [] }
  }
  const { labels, fields } = selectorsOf(query)
  const selected = fields.find((one) => one.key === 'metadata.name' && one.operator === '=')?.value ?? ''
  return {
    ...plain,
    name: isPathSegment(selected) ? selected : '',
    labelRequirements: labels,
    fieldRequirements: fields,
  }
}

function verbOf(method: string, name: string, query: URLSearchParams): string {
  if (method === 'GET' || method === 'HEAD') {
    if (name !== '') return 'get'
    return method === 'GET' && wantsWatch(query) ? 'watch' : 'list'
  }
  if (method === 'DELETE' && name === '') return 'deletecollection'
  return VERBS[method] ?? ''
}

/** Options that do not parse select nothing here: the request is refused with 400 once it is authorized. */
function selectorsOf(query: URLSearchParams) {
  try {
    const { labels, fields } = parseListOptions(query)
    return { labels: labels.requirements, fields: fields.requirements }
  } catch (fault) {
    if (fault instanceof StatusError) return { labels: [], fields: [] }
    throw fault
  }
}

function isPathSegment(name: string): boolean {
  return name !== '.' && name !== '..' && !/[/%]/.test(name)
}

/** 403 that says who cannot do what where, and why where the authorizer gives a reason. */
export function forbiddenTo(identity: Identity, attributes: Attributes, reason: string): StatusError {
  const who = `User ${JSON.stringify(identity.user)} cannot ${attributes.verb}`
  const tail = reason === '' ? '' : `: ${reason}`
  if (attributes.kind === 'path') {
    return forbidden('', `${who} path ${JSON.stringify(attributes.path)}${tail}`, {})
  }
  const { group, resource, subresource, namespace, name } = attributes
  const full = subresource === '' ? resource : `${resource}/${subresource}`
  const place = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`
  const kind = group === '' ? resource : `${resource}.${group}`
  const subject = name === '' ? kind : `${kind} ${JSON.stringify(name)}`
  const sentence = `${who} resource ${JSON.stringify(full)} in API group ${JSON.stringify(group)} ${place}${tail}`
  return forbidden(subject, sentence, {
    ...(name === '' ? {} : { name }),
    ...(group === '' ? {} : { group }),
    kind: resource,
  })
}
