// Texts of plain YAML that begin on the line of their key: plain, over one line or several, and quoted on one line.
import { type Cursor, nextLine, notPlain } from './plain-yaml-cursor.ts'
import { readQuoted } from './plain-yaml-quoted.ts'
import { plainScalar, type Scalar } from './yaml-scalar.ts'

const NEWLINE = 0x0a
const SPACE = 0x20

/** Characters with a meaning of their own where a text begins. */
const INDICATORS = new Set('&*!|>%@`#,[]{}?:-\t')

/** `indent`: of the map or list that holds the text. Leaves the cursor at the line behind it. */
export function readText(cursor: Cursor, indent: number): Scalar | [] | Record<string, never> {
  const first = cursor.text.charAt(cursor.at)
  if (first === '"' || first === "'") {
    const { value, end } = readQuoted(cursor)
    endLine(cursor, end)
    return value
  }
  if (first === '[' || first === '{') return readEmpty(cursor)
  if (INDICATORS.has(first) && !(first === '-' && /[^ \n]/.test(cursor.text.charAt(cursor.at + 1)))) notPlain()
  return readPlain(cursor, indent)
}

function readEmpty(cursor: Cursor): [] | Record<string, never> {
  const pair = cursor.text.slice(cursor.at, cursor.at + 2)
  if (pair !== '[]' && pair !== '{}') notPlain()
  endLine(cursor, cursor.at + 2)
  return pair === '[]' ? [] : {}
}

/** Only blanks may follow. */
function endLine(cursor: Cursor, from: number): void {
  let at = from
  while (cursor.text.charCodeAt(at) === SPACE) at++
  if (at < cursor.text.length && cursor.text.charCodeAt(at) !== NEWLINE) notPlain()
  cursor.at = at
  nextLine(cursor)
}

/** Lines that are indented further belong to the text: a break is a blank, an empty line a break. */
function readPlain(cursor: Cursor, indent: number): Scalar {
  const end = lineEnd(cursor.text, cursor.at)
  let text = plainPart(cursor.text.slice(cursor.at, end))
  cursor.at = end
  for (;;) {
    const before = cursor.at
    nextLine(cursor)
    if (cursor.indent <= indent) break
    const between = cursor.text.slice(before, cursor.at)
    if (between.includes('#') || between.includes('\t')) notPlain()
    const breaks = between.split('\n').length - 1
    const lineStop = lineEnd(cursor.text, cursor.at)
    text += (breaks === 1 ? ' ' : '\n'.repeat(breaks - 1)) + plainPart(cursor.text.slice(cursor.at, lineStop))
    cursor.at = lineStop
  }
  const value = plainScalar(text)
  return typeof value === 'number' && !Number.isFinite(value) ? notPlain() : value
}

/** A line of a plain text without its trailing blanks; a key, a comment or a tab in it is not plain. */
function plainPart(line: string): string {
  const part = line.replace(/ +$/, '')
  if (part.includes(': ') || part.endsWith(':') || part.includes(' #') || part.includes('\t')) notPlain()
  return part.charCodeAt(0) === 0x23 ? notPlain() : part
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}
