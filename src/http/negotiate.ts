// Content negotiation: the Accept header, `pretty` and `includeObject` of a request in; the form of the objects and the
// style of the bytes out, or 406 in the API server's words. JSON is the wire; YAML is offered where no stream is asked for.
import { type AcceptClause, parseAccept } from './accept-header.ts'
import type { Form } from './resource.ts'
import { badRequest, notAcceptable, type StatusError } from './status.ts'

/** How bytes made as compact JSON are to be sent. */
export type Style = 'json' | 'indented-json' | 'yaml'

export interface Negotiated {
  readonly form: Form
  readonly style: Style
}

export type Question = 'object' | 'list' | 'watch'

export interface NegotiationFacts {
  readonly accept: string
  readonly userAgent: string
  readonly query: URLSearchParams
}

const MEDIA_TYPES = 'application/json, application/yaml, application/vnd.kubernetes.protobuf'
const STREAM_TYPES = 'application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch'
const INCLUDES = { None: 'None', Metadata: 'Metadata', Object: 'Object' } as const

/** For an object, a list or a watch of objects of `kind`. */
export function negotiate(facts: NegotiationFacts, question: Question, kind: string): Negotiated {
  const clauses = clausesOf(facts.accept)
  for (const clause of clauses) {
    const json = isJson(clause)
    if (!json && !(isYaml(clause) && question !== 'watch')) continue
    const as = transformation(clause, question)
    if (as === 'none') continue
    if (as === 'wrong') throw wrongKind(question, kind)
    const form = withIncludeObject(as, facts.query)
    return { form, style: json ? jsonStyle(clause, facts) : 'yaml' }
  }
  throw refusal(clauses, question, kind)
}

export interface NegotiatedDocument {
  /** undefined: the plain document. */
  readonly version: 'v2' | 'v2beta1' | undefined
  readonly style: Style
}

/** For documents of one form; those of discovery are `offered` in an aggregated form as well (KEP-3352). */
export function negotiateDocument(facts: NegotiationFacts, offered: readonly ('v2' | 'v2beta1')[]): NegotiatedDocument {
  const clauses = clausesOf(facts.accept)
  for (const clause of clauses) {
    const { parameters } = clause
    if (parameters.get('as') === 'APIGroupDiscoveryList' && parameters.get('g') === 'apidiscovery.k8s.io') {
      const version = offered.find((one) => one === parameters.get('v'))
      if (version !== undefined && isJson(clause)) return { version, style: 'json' }
      if (offered.length > 0) continue
    }
    // A document without an aggregated form is sent plain, whatever form was asked for.
    if (isJson(clause)) return { version: undefined, style: jsonStyle(clause, facts) }
    if (isYaml(clause)) return { version: undefined, style: 'yaml' }
  }
  throw refusal(clauses, 'object', 'APIGroup')
}

/** For a Status, which is never refused: JSON where nothing fits. */
export function negotiateStatus(facts: NegotiationFacts): Style {
  const clause = clausesOf(facts.accept).find((one) => isJson(one) || isYaml(one))
  if (clause === undefined) return 'json'
  return isJson(clause) ? jsonStyle(clause, facts) : 'yaml'
}

/** An absent or blank Accept header accepts everything. */
function clausesOf(accept: string): readonly AcceptClause[] {
  return parseAccept(accept.trim() === '' ? '*/*' : accept)
}

function isJson({ type, subtype }: AcceptClause): boolean {
  return (type === 'application' && subtype === 'json') || (type === '*' && subtype === '*')
}

function isYaml({ type, subtype }: AcceptClause): boolean {
  return type === 'application' && subtype === 'yaml'
}

/** `none`: the clause asks for a form that is not made here. `wrong`: for one that the question rules out. */
function transformation({ parameters }: AcceptClause, question: Question): Form | 'none' | 'wrong' {
  const as = parameters.get('as')
  if (as === undefined) return { as: 'object' }
  const version = parameters.get('v')
  if (parameters.get('g') !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) return 'none'
  switch (as) {
    case 'Table':
      return { as: 'table', version, includeObject: 'Metadata' }
    case 'PartialObjectMetadata':
      return question === 'list' ? 'wrong' : { as: 'metadata', version }
    case 'PartialObjectMetadataList':
      return question === 'object' ? 'wrong' : { as: 'metadata', version }
    default:
      return 'none'
  }
}

function withIncludeObject(form: Form, query: URLSearchParams): Form {
  if (form.as !== 'table') return form
  const text = query.get('includeObject') ?? ''
  if (text === '') return form
  if (text !== 'None' && text !== 'Metadata' && text !== 'Object') {
    throw badRequest(
      `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(text)}: must be 'Metadata', 'Object', 'None', or empty`,
    )
  }
  return { ...form, includeObject: INCLUDES[text] }
}

/** `pretty` in the query decides; where it is absent, people's tools get indented JSON. */
function jsonStyle(clause: AcceptClause, { query, userAgent }: NegotiationFacts): Style {
  if (clause.parameters.get('pretty') === '1') return 'indented-json'
  const pretty = query.get('pretty') ?? ''
  const indented =
    pretty === '' ? /^(curl|Wget|Mozilla\/5\.0)/.test(userAgent) : /^(1|t|T|true|TRUE|True)$/.test(pretty)
  return indented ? 'indented-json' : 'json'
}

function wrongKind(question: Question, kind: string): StatusError {
  return question === 'list'
    ? notAcceptable(`you requested PartialObjectMetadata, but the requested object is a list (*operators.${kind}List)`)
    : notAcceptable(
        `you requested PartialObjectMetadataList, but the requested object is not a list (*operators.${kind})`,
      )
}

/** Words of the 406: a client that knows protobuf alone, one that asks for a form we lack, one that asks for another type. */
function refusal(clauses: readonly AcceptClause[], question: Question, kind: string): StatusError {
  const known = clauses.filter((clause) => isProtobuf(clause) || isJson(clause) || isYaml(clause))
  if (known.length === 0) {
    return notAcceptable(`406: Not Acceptable\n\nAvailable representations: ${MEDIA_TYPES}, ${STREAM_TYPES}`, {})
  }
  if (question !== 'watch' && known.every((clause) => isProtobuf(clause) && !clause.parameters.has('as'))) {
    return notAcceptable(
      `object *v1.${kind}${question === 'list' ? 'List' : ''} does not implement the protobuf marshalling interface and cannot be encoded to a protobuf message`,
    )
  }
  return notAcceptable(
    `only the following media types are accepted: ${question === 'watch' ? STREAM_TYPES : MEDIA_TYPES}`,
  )
}

function isProtobuf({ type, subtype }: AcceptClause): boolean {
  return type === 'application' && subtype === 'vnd.kubernetes.protobuf'
}
