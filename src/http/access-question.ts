// A request's attributes as the spec of a SubjectAccessReview (authorization.k8s.io/v1). Receives an identity and attributes,
// hands on a plain object, members in fixed order, empty ones left out: equal questions are equal texts.
import type { Identity } from './authentication.ts'
import type { Attributes, ResourceAttributes } from './authorization.ts'
import type { Operator, Requirement } from './label-selector.ts'

export interface SelectorRequirement {
  readonly key: string
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist'
  readonly values?: readonly string[]
}

export interface ResourceQuestion {
  readonly namespace?: string
  readonly verb: string
  readonly group?: string
  readonly version?: string
  readonly resource: string
  readonly subresource?: string
  readonly name?: string
  readonly fieldSelector?: { readonly requirements: readonly SelectorRequirement[] }
  readonly labelSelector?: { readonly requirements: readonly SelectorRequirement[] }
}

export interface AccessQuestion {
  readonly resourceAttributes?: ResourceQuestion
  readonly nonResourceAttributes?: { readonly path: string; readonly verb: string }
  readonly user?: string
  readonly groups?: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
  readonly uid?: string
}

/** `>` and `<` have no word in the authorization API: left out, which asks for more, never for less. */
const OPERATORS: Readonly<Partial<Record<Operator, SelectorRequirement['operator']>>> = {
  '=': 'In',
  '==': 'In',
  in: 'In',
  '!=': 'NotIn',
  notin: 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
}

export function accessQuestion(identity: Identity, attributes: Attributes): AccessQuestion {
  const { user, groups, extra, uid } = identity
  return {
    ...(attributes.kind === 'resource'
      ? { resourceAttributes: resourceQuestion(attributes) }
      : { nonResourceAttributes: { path: attributes.path, verb: attributes.verb } }),
    ...(user === '' ? {} : { user }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra: sorted(extra) }),
    ...(uid === '' ? {} : { uid }),
  }
}

function resourceQuestion(attributes: ResourceAttributes): ResourceQuestion {
  const { namespace, verb, group, version, resource, subresource, name } = attributes
  const fields = attributes.fieldRequirements.map(
    ({ key, operator, value }): SelectorRequirement => ({
      key,
      operator: operator === '=' ? 'In' : 'NotIn',
      values: [value],
    }),
  )
  const labels = attributes.labelRequirements.flatMap(labelRequirement)
  return {
    ...(namespace === '' ? {} : { namespace }),
    verb,
    ...(group === '' ? {} : { group }),
    ...(version === '' ? {} : { version }),
    resource,
    ...(subresource === '' ? {} : { subresource }),
    ...(name === '' ? {} : { name }),
    ...(fields.length === 0 ? {} : { fieldSelector: { requirements: fields } }),
    ...(labels.length === 0 ? {} : { labelSelector: { requirements: labels } }),
  }
}

function labelRequirement({ key, operator, values }: Requirement): readonly SelectorRequirement[] {
  const word = OPERATORS[operator]
  if (word === undefined) return []
  return [values.length === 0 ? { key, operator: word } : { key, operator: word, values }]
}

function sorted(extra: Identity['extra']): Identity['extra'] {
  const copy: Record<string, readonly string[]> = Object.create(null)
  for (const key of Object.keys(extra).sort()) copy[key] = extra[key] ?? []
  return copy
}
