// Where the reading of plain YAML has come to, and how it gives up.

/** The document is more than plain. Caught in plain-yaml.ts, and nowhere else. */
export class NotPlain extends Error {}

const GIVEN_UP = new NotPlain()

export function notPlain(): never {
  throw GIVEN_UP
}

export interface Cursor {
  readonly text: string
  /** Between lines: at the first character that is no blank. At the end: the text's length. */
  at: number
  /** Columns before it; -1 at the end of the text. */
  indent: number
}

export function startOf(text: string): Cursor {
  return { text, at: text.startsWith('---\n') ? 4 : 0, indent: 0 }
}

/** From the end of a line, or the start of one, to the next that is neither empty nor a comment. */
export function nextLine(cursor: Cursor): void {
  const { text } = cursor
  let at = text.charCodeAt(cursor.at) === 0x0a && cursor.at > 0 ? cursor.at + 1 : cursor.at
  for (;;) {
    const start = at
    while (text.charCodeAt(at) === 0x20) at++
    const code = text.charCodeAt(at)
    if (Number.isNaN(code)) break
    if (code !== 0x0a && code !== 0x23) {
      cursor.at = at
      cursor.indent = at - start
      return
    }
    const end = code === 0x0a ? at : text.indexOf('\n', at)
    if (end === -1) break
    at = end + 1
  }
  cursor.at = text.length
  cursor.indent = -1
}
