// JSON as the Kubernetes API writes it: compact, HTML characters escaped, a line feed at the end. Values in, bytes out.

const ESCAPED = /[<>&\u2028\u2029]/g

/** Compact JSON of `value` in UTF-8, ended by a line feed. */
export function jsonBytes(value: unknown): Buffer {
  return Buffer.from(`${escapeHtml(JSON.stringify(value))}\n`)
}

function escapeHtml(json: string): string {
  return json.replace(ESCAPED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
