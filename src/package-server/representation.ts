// Station 6: the text of objects, lists, tables and events, put together from what was encoded once per change. Receives
// items, hands on the parts of a text in order: short strings made now and tails made long ago. Never encodes an object.
import type { Form, ResourceDefinition } from '../http/resource.ts'
import { ageSince } from './age.ts'
import type { Cell, Content, Item, Tail } from './content.ts'
import { goJson } from './go-json.ts'

/** A tail, whole or only its metadata (which is never deflated by itself). */
export type Part = string | Tail | Uint8Array

export interface ListFacts {
  readonly version: number
  /** `""`: this is the last page. */
  readonly continue: string
  readonly remaining: number | undefined
}

export interface Representation {
  /** Parts of one object as an answer to `get`. */
  object(item: Item, view: ViewOptions): Part[]
  list(items: readonly Item[], facts: ListFacts, view: ViewOptions): Generator<Part>
  /** The object inside a watch event. `headers`: whether a table names its columns. */
  eventObject(content: Content, version: number, view: ViewOptions, headers: boolean): Part[]
  /** The object inside a bookmark: nothing but a number, and the mark that ends initial events. */
  bookmarkObject(version: number, form: Form, initialEventsEnd: boolean): string
}

export interface ViewOptions {
  readonly form: Form
  /** What objects bear as their namespace; undefined: each its own. */
  readonly namespace: string | undefined
  /** The moment at which ages are told, in milliseconds. */
  readonly now: number
}

/** Short text that tells forms apart: for keys of kept answers and for ETags. */
export function formKey(form: Form): string {
  if (form.as === 'object') return 'o'
  return form.as === 'metadata' ? `m-${form.version}` : `t-${form.version}-${form.includeObject}`
}

/** Moments whose ages some cells tell; undefined: an unknown one. */
export type Moments = ReadonlySet<number | undefined>

export function momentsOf(items: readonly Item[]): Moments {
  const moments = new Set<number | undefined>()
  for (const { content } of items)
    for (const cell of content.cells) if (typeof cell !== 'string') moments.add(cell.since)
  return moments
}

/** Their ages as text: changes exactly when a table does that shows them. */
export function agesAt(moments: Moments, now: number): string {
  return [...moments].map((moment) => ageSince(moment, now)).join()
}

export function createRepresentation(definition: ResourceDefinition): Representation {
  const { group, version, kind, listKind } = definition
  const columns = goJson(definition.columns)
  const objectType = `{"kind":${goJson(kind)},"apiVersion":${goJson(`${group}/${version}`)},`
  const listType = `{"kind":${goJson(listKind)},"apiVersion":${goJson(`${group}/${version}`)},`

  function* bare(content: Content, number: number, namespace: string, start: string): Generator<Part> {
    yield `${start}"metadata":{"name":${content.nameJson},"namespace":${namespace}${content.uidJson},"resourceVersion":"${number}"`
    yield content.tail
  }

  function* metadata(content: Content, number: number, namespace: string, metaVersion: string): Generator<Part> {
    yield `${metaType('PartialObjectMetadata', metaVersion)}"metadata":{"name":${content.nameJson},"namespace":${namespace}${content.uidJson},"resourceVersion":"${number}"`
    yield content.tail.bytes.subarray(0, content.metadataEnd)
    yield '}'
  }

  function* row(content: Content, number: number, namespace: string, form: TableForm, ages: Ages): Generator<Part> {
    yield `{"cells":[${content.cells.map(ages).join()}],"object":`
    if (form.includeObject === 'None') yield 'null'
    else if (form.includeObject === 'Object') yield* bare(content, number, namespace, objectType)
    else yield* metadata(content, number, namespace, form.version)
    yield '}'
  }

  function table(number: number, rest: string, version: string, headers: boolean): string {
    return `${metaType('Table', version)}"metadata":{"resourceVersion":"${number}"${rest}},"columnDefinitions":${headers ? columns : 'null'},"rows":[`
  }

  /** One object with its type, in any form. */
  function* single(
    content: Content,
    number: number,
    { form, namespace, now }: ViewOptions,
    headers: boolean,
  ): Generator<Part> {
    const seenIn = goJson(namespace ?? content.namespace)
    if (form.as === 'object') yield* bare(content, number, seenIn, objectType)
    else if (form.as === 'metadata') yield* metadata(content, number, seenIn, form.version)
    else {
      yield table(number, '', form.version, headers)
      yield* row(content, number, seenIn, form, agesTold(now))
      yield ']}'
    }
  }

  function* list(items: readonly Item[], facts: ListFacts, { form, namespace, now }: ViewOptions): Generator<Part> {
    const rest = listMetadata(facts)
    const namespaces = new Map<string, string>()
    const ages = agesTold(now)
    if (form.as === 'table') yield table(facts.version, rest, form.version, true)
    else {
      const type = form.as === 'object' ? listType : metaType('PartialObjectMetadataList', form.version)
      yield `${type}"metadata":{"resourceVersion":"${facts.version}"${rest}},"items":[`
    }
    let comma = ''
    for (const { content, version: number } of items) {
      const own = namespace ?? content.namespace
      const seenIn = namespaces.get(own) ?? goJson(own)
      namespaces.set(own, seenIn)
      if (comma !== '' && form.as !== 'object') yield comma
      if (form.as === 'object') yield* bare(content, number, seenIn, `${comma}{`)
      else if (form.as === 'metadata') yield* metadata(content, number, seenIn, form.version)
      else yield* row(content, number, seenIn, form, ages)
      comma = ','
    }
    yield ']}\n'
  }

  return {
    object: (item, view) => [...single(item.content, item.version, view, true), '\n'],
    list,
    eventObject: (content, number, view, headers) => [...single(content, number, view, headers)],
    bookmarkObject(number, form, initialEventsEnd) {
      const marks = initialEventsEnd ? ',"annotations":{"k8s.io/initial-events-end":"true"}' : ''
      const meta = `"metadata":{"resourceVersion":"${number}"${marks}}}`
      if (form.as === 'object') return objectType + meta
      const partial = metaType('PartialObjectMetadata', form.version) + meta
      if (form.as === 'metadata') return partial
      const object =
        form.includeObject === 'None' ? 'null' : form.includeObject === 'Object' ? objectType + meta : partial
      const cells = definition.columns.map(() => '""').join()
      return `${table(number, '', form.version, false)}{"cells":[${cells}],"object":${object}}]}`
    },
  }
}

type TableForm = Extract<Form, { as: 'table' }>
type Ages = (cell: Cell) => string

function metaType(kind: string, version: string): string {
  return `{"kind":"${kind}","apiVersion":"meta.k8s.io/${version}",`
}

function listMetadata(facts: ListFacts): string {
  const next = facts.continue === '' ? '' : `,"continue":${goJson(facts.continue)}`
  return facts.remaining === undefined ? next : `${next},"remainingItemCount":${facts.remaining}`
}

/** The text of a cell; one text per moment. */
function agesTold(now: number): Ages {
  const texts = new Map<number | undefined, string>()
  return (cell) => {
    if (typeof cell === 'string') return cell
    const text = texts.get(cell.since) ?? goJson(ageSince(cell.since, now))
    texts.set(cell.since, text)
    return text
  }
}
