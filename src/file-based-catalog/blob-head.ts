// What every blob begins with: schema, package and name, in whatever letter case; and why a document is no blob.

import { compareBytes } from '../api/byte-order.ts'
import type { Format } from './documents.ts'
import { goPlain, goTruth } from './go-print.ts'
import { escapeHtml, type JsonValue, jsonText } from './json-text.ts'
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

export function readHead(
  value: JsonValue,
  format: Format,
): { readonly head: BlobHead } | { readonly fault: HeadFault } {
  if (value === null) return { fault: schemaMissing(format === 'json' ? 'null\n' : '') }
  if (!isRecord(value)) return { fault: noObject(value, format) }
  const folded = foldKeys(value)
  const duplicates = [...folded]
    .filter(([, keys]) => keys.length > 1)
    .sort(([left], [right]) => compareBytes(left, right))
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
    ([fold, keys]) => `duplicate keys for key ${quoted(fold)}: [${keys.toSorted(compareBytes).join(' ')}]`,
  )
  const reference = reasons.length === 1 ? (reasons[0] ?? '') : `[${reasons.join(', ')}]`
  return { rule: 'duplicate-field', message: reference, reference, path: [duplicates[0]?.[1][1] ?? ''] }
}

function noText(key: string, value: JsonValue): HeadFault {
  const reference = `expected value for key ${quoted(key)} to be a string, got ${goTruth(value)}: ${goPlain(value)}`
  return { rule: 'field-type', message: `the field ${quoted(key)} must be a text`, reference, path: [key] }
}

/** The reference program prints the document, with an arrow where reading ended. */
function noObject(value: JsonValue, format: Format): HeadFault {
  const kind = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
  const offset = Array.isArray(value) ? 1 : Buffer.byteLength(jsonText(value, { escapeHtml: format === 'yaml' }))
  const indented = JSON.stringify(format === 'yaml' ? JSON.parse(jsonText(value)) : value, undefined, 4)
  const shown = cut(format === 'yaml' ? escapeHtml(indented) : indented)
  const marked = Array.isArray(value) ? `${shown.slice(0, 1)} <== ${shown.slice(1)}` : `${shown} <==`
  const reason = `json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`
  const reference = `${reason} at offset ${offset} (indicated by <==)\n${marked}`
  return { rule: 'not-an-object', message: `the document is no object but of type ${kind}`, reference, path: [] }
}

function schemaMissing(blob: string): HeadFault {
  const reference = `object '${cut(blob)}' is missing root schema field`
  const message = blob.length < 6 ? 'the document is empty' : 'the document has no field "schema"'
  return { rule: 'schema-missing', message, reference, path: [] }
}

function cut(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}
