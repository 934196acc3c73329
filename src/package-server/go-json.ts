// JSON text as Go's encoding/json writes it, which is what clients of the Kubernetes API receive. Values in, text out. Pure.
import { compareBytes } from '../api/byte-order.ts'
import type { StringMap } from '../api/meta.ts'

const ESCAPED = /[<>&\u2028\u2029]/
const ALL_ESCAPED = /[<>&\u2028\u2029]/g
const LONE_SURROGATE = /\\ud[89a-f]/
/** Escaped backslashes are matched too, so that what follows one is never taken for an escape. */
const BACKSLASH_OR_SURROGATE = /\\\\|\\ud[89a-f][0-9a-f]{2}/g

/** Compact JSON; characters that HTML knows are escaped, halves of surrogate pairs become U+FFFD. */
export function goJson(value: unknown): string {
  let json = JSON.stringify(value)
  if (LONE_SURROGATE.test(json)) {
    json = json.replace(BACKSLASH_OR_SURROGATE, (match) => (match === '\\\\' ? match : '\ufffd'))
  }
  return ESCAPED.test(json) ? json.replace(ALL_ESCAPED, escaped) : json
}

/** A map of strings, its keys sorted by their bytes: also those that JavaScript takes for numbers and puts first. */
export function goMap(map: StringMap): string {
  const members = Object.keys(map)
    .sort(compareBytes)
    .map((key) => `${goJson(key)}:${goJson(map[key])}`)
  return `{${members.join(',')}}`
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
