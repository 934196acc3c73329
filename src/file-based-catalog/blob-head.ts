// What every blob begins with: schema, package and name, in whatever letter case; and why a document is no blob.

import { byteOrder } from './byte-order.ts'
import { type JsonValue, jsonText } from './json-text.ts'
import { quoted } from './quoted-text.ts'
import type { Rule } from './rules.ts'
import { isRecord, type Path } from './shape.ts'

export interface BlobHead {
  readonly schema: string
  readonly package: string
  readonly name: string
  readonly record: { readonly [key: string]: JsonValue }
}

export interface HeadFault {
  readonly rule: Rule
  readonly message: string
  readonly reference: string
  readonly path: Path
}

/** Longer messages are cut: a document without schema may have many megabytes. */
const MAX_SHOWN = 64 * 1024

export function readHead(value: JsonValue): { readonly head: BlobHead } | { readonly fault: HeadFault } {
  if (value === null) return { fault: schemaMissing('') }
  if (!isRecord(value)) return { fault: noObject(value) }
  const folded = foldKeys(value)
  const duplicates = [...folded].filter(([, keys]) => keys.length > 1)
  if (duplicates.length > 0) return { fault: duplicateFields(duplicates) }
  const head = { schema: '', package: '', name: '' }
  for (const field of ['schema', 'package', 'name'] as const) {
    const key = folded.get(field)?.[0]
    if (key === undefined) continue
    const text = value[key] ?? null
    if (typeof text !== 'string') return { fault: noText(key, text) }
    head[field] = text
  }
  if (head.schema === '') return { fault: schemaMissing(`${jsonText(value)}\n`) }
  return { head: { ...head, record: value } }
}

function foldKeys(value: { readonly [key: string]: JsonValue }): Map<string, string[]> {
  const folded = new Map<string, string[]>()
  for (const key of Object.keys(value)) {
    const fold = key.toLowerCase()
    folded.set(fold, [...(folded.get(fold) ?? []), key])
  }
  return folded
}

function duplicateFields(duplicates: readonly (readonly [string, readonly string[]])[]): HeadFault {
  const reasons = duplicates.map(
    ([fold, keys]) => `duplicate keys for key ${quoted(fold)}: [${keys.toSorted(byteOrder).join(' ')}]`,
  )
  const reference = reasons.length === 1 ? (reasons[0] ?? '') : `[${reasons.join(', ')}]`
  return { rule: 'duplicate-field', message: reference, reference, path: [duplicates[0]?.[1][1] ?? ''] }
}

function noText(key: string, value: JsonValue): HeadFault {
  const shown = typeof value === 'boolean' ? String(value) : `%!t(${goTyped(value)})`
  const reference = `expected value for key ${quoted(key)} to be a string, got ${shown}: ${goPlain(value)}`
  return { rule: 'field-type', message: `the field ${quoted(key)} must be a text`, reference, path: [key] }
}

function noObject(value: JsonValue): HeadFault {
  const kind = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
  const reference = `json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`
  return { rule: 'not-an-object', message: `the document is no object but of type ${kind}`, reference, path: [] }
}

function schemaMissing(blob: string): HeadFault {
  const shown = blob.length > MAX_SHOWN ? `${blob.slice(0, MAX_SHOWN)}…` : blob
  const reference = `object '${shown}' is missing root schema field`
  const message = blob === '' ? 'the document is empty' : 'the document has no field "schema"'
  return { rule: 'schema-missing', message, reference, path: [] }
}

/** A value with its type, as the reference program prints it where a message expects something else. */
function goTyped(value: JsonValue): string {
  if (value === null) return '<nil>'
  if (typeof value === 'string') return `string=${value}`
  if (typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return `[]interface {}=[${value.map(goPercent).join(' ')}]`
  if (isRecord(value)) return `map[string]interface {}=map[${members(value, goPercent)}]`
  return `float64=${goPlain(value)}`
}

function goPercent(value: JsonValue): string {
  return typeof value === 'boolean' ? String(value) : `%!t(${goTyped(value)})`
}

function goPlain(value: JsonValue): string {
  if (value === null) return '<nil>'
  if (Array.isArray(value)) return `[${value.map(goPlain).join(' ')}]`
  if (isRecord(value)) return `map[${members(value, goPlain)}]`
  return typeof value === 'number' ? goFloat(value) : String(value)
}

/** Go's %v of a float: an exponent from 1e+21 on, with two digits at least. */
function goFloat(value: number): string {
  const text = Math.abs(value) !== 0 && Math.abs(value) < 1e-4 ? value.toExponential() : String(value)
  return text.replace(/e([+-])(\d)$/, 'e$10$2')
}

function members(value: { readonly [key: string]: JsonValue }, show: (member: JsonValue) => string): string {
  return Object.keys(value)
    .sort(byteOrder)
    .map((key) => `${key}:${show(value[key] ?? null)}`)
    .join(' ')
}
