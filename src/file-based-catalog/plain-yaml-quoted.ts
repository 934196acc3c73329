// Quoted texts of plain YAML, on one line or wrapped over several: a break is a blank, an empty line a break.
import { type Cursor, notPlain } from './plain-yaml-cursor.ts'

/** Of YAML 1.1, 5.7, by the character behind the backslash. */
const ESCAPES: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\u0007',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\u001b',
  ' ': ' ',
  '"': '"',
  '/': '/',
  '\\': '\\',
  N: '\u0085',
  _: '\u00a0',
  L: '\u2028',
  P: '\u2029',
}

const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.?))/gs

/** `end`: behind the closing quote. How far the lines are indented makes no difference. */
export function readQuoted(cursor: Cursor): { readonly value: string; readonly end: number } {
  const { text, at } = cursor
  const quote = text.charAt(at)
  const close = quote === '"' ? closingDouble(text, at) : closingSingle(text, at)
  if (close === -1) return notPlain()
  const raw = text.slice(at + 1, close)
  const folded = raw.includes('\n') ? fold(raw, quote === '"') : raw
  const value = quote === '"' ? unescaped(folded) : folded.replaceAll("''", "'")
  return { value, end: close + 1 }
}

function closingDouble(text: string, at: number): number {
  let end = text.indexOf('"', at + 1)
  while (end !== -1 && endsEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

function closingSingle(text: string, at: number): number {
  let end = text.indexOf("'", at + 1)
  while (end !== -1 && text.charAt(end + 1) === "'") end = text.indexOf("'", end + 2)
  return end
}

/** Whether an odd number of backslashes stands before. */
function endsEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes++
  return backslashes % 2 === 1
}

function fold(raw: string, escapes: boolean): string {
  const [first = '', ...lines] = raw.split('\n')
  const parts: string[] = []
  let last = first
  let empty = 0
  for (const [index, line] of lines.entries()) {
    const content = line.replace(/^ +/, '')
    if (content === '' && index < lines.length - 1) {
      empty++
      continue
    }
    if (content.startsWith('\t')) notPlain()
    parts.push(beforeBreak(last, empty, escapes))
    last = content
    empty = 0
  }
  return parts.join('') + last
}

/** A line with what its break, and the empty lines behind it, stand for; an escaped break stands for nothing. */
function beforeBreak(line: string, empty: number, escapes: boolean): string {
  if (escapes && endsEscaped(line, line.length)) return empty > 0 ? notPlain() : line.slice(0, -1)
  const trimmed = line.replace(/[ \t]+$/, '')
  if (escapes && endsEscaped(trimmed, trimmed.length)) notPlain()
  return trimmed + (empty > 0 ? '\n'.repeat(empty) : ' ')
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(ESCAPE, (_, two?: string, four?: string, eight?: string, one?: string) => {
    if (one !== undefined) return ESCAPES[one] ?? notPlain()
    const code = Number.parseInt(two ?? four ?? eight ?? '', 16)
    // Half of a surrogate pair is no character.
    return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? notPlain() : String.fromCodePoint(code)
  })
}
