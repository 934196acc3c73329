// Names in double quotes as Go's %q writes them: messages that callers compare byte for byte are built with it. Pure.

/** Go's strconv.IsPrint: letters, marks, numbers, punctuation, symbols and the ASCII space. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u

const SHORT: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
}

/** `"text"`, with whatever cannot be printed escaped. */
export function quoted(text: string): string {
  if (/^[\w.+:/@ -]*$/.test(text)) return `"${text}"`
  let body = ''
  for (const character of text) body += SHORT[character] ?? (PRINTABLE.test(character) ? character : escaped(character))
  return `"${body}"`
}

function escaped(character: string): string {
  const point = character.codePointAt(0) ?? 0
  if (point < 0x80) return `\\x${point.toString(16).padStart(2, '0')}`
  if (point >= 0xd800 && point <= 0xdfff) return '\ufffd'
  if (point < 0x10000) return `\\u${point.toString(16).padStart(4, '0')}`
  return `\\U${point.toString(16).padStart(8, '0')}`
}
