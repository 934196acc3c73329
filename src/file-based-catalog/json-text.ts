// A value as JSON text the way the reference program writes what it has read: keys in byte order, no blanks. Receives
// what JSON or YAML reading hands on (bigint stands for whole numbers beyond 2^53 of YAML); never anything cyclic.
import { compareBytes } from '../api/byte-order.ts'

export type JsonValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue }

export interface JsonTextOptions {
  /** Writes `<`, `>` and `&` as escapes, as Go's json.Marshal does by itself. */
  readonly escapeHtml?: boolean
}

export function jsonText(value: JsonValue, options: JsonTextOptions = {}): string {
  const text = write(value)
  return options.escapeHtml === true ? escapeHtml(text) : text
}

export function escapeHtml(json: string): string {
  return json.replace(/[<>&]/g, unicodeEscape)
}

function write(value: JsonValue): string {
  if (typeof value === 'string') return stringText(value)
  if (value === null || typeof value !== 'object') return scalarText(value)
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`
  const map = value as { readonly [key: string]: JsonValue }
  const members = Object.keys(map)
    .sort(compareBytes)
    .map((key) => `${stringText(key)}:${write(map[key] ?? null)}`)
  return `{${members.join(',')}}`
}

function scalarText(value: null | boolean | number | bigint): string {
  return Object.is(value, -0) ? '-0' : String(value)
}

/** Lone surrogates become U+FFFD; U+2028 and U+2029 are escaped, and `\b`, `\f` are as JSON.stringify has them. */
function stringText(text: string): string {
  return JSON.stringify(text.toWellFormed()).replace(/[\u2028\u2029]/g, unicodeEscape)
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
