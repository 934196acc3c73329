// Literal blocks of plain YAML (`|`): lines taken as they are, less their indentation.
import { type Cursor, nextLine, notPlain } from './plain-yaml-cursor.ts'

const HEADER = /\|(?:([+-])?([1-9])?|([1-9])([+-]))[ ]*(?:\n|$)/y

/** `outer`: indentation of the map or list that holds the block. Leaves the cursor at the line behind it. */
export function readLiteral(cursor: Cursor, outer: number): string {
  const { text } = cursor
  HEADER.lastIndex = cursor.at
  const header = HEADER.exec(text)
  if (header === null) return notPlain()
  const given = header[2] ?? header[3]
  const start = HEADER.lastIndex
  const indent = given === undefined ? detectIndent(text, start, outer) : outer + Number(given)
  const lines: string[] = []
  let at = start
  while (at < text.length) {
    const end = lineEnd(text, at)
    const blanks = leadingSpaces(text, at, end)
    if (at + blanks === end) {
      // Blanks beyond the indentation would count as text.
      if (blanks > indent) notPlain()
      lines.push('')
    } else if (blanks >= indent) lines.push(text.slice(at + indent, end))
    else break
    at = end + 1
  }
  cursor.at = Math.min(at, text.length)
  goOn(cursor, outer)
  return chomped(lines, header[1] ?? header[4])
}

/** A line between the two indentations is none of the block's, and of nothing else. */
function goOn(cursor: Cursor, outer: number): void {
  const at = cursor.at
  nextLineFrom(cursor, at)
  if (cursor.indent > outer) notPlain()
}

/** The cursor stands at the start of a line, be it empty. */
function nextLineFrom(cursor: Cursor, at: number): void {
  cursor.at = at === 0 ? 0 : at - 1
  nextLine(cursor)
}

function detectIndent(text: string, start: number, outer: number): number {
  for (let at = start; at < text.length; ) {
    const end = lineEnd(text, at)
    const blanks = leadingSpaces(text, at, end)
    if (at + blanks < end) {
      // Whether a tab is indentation or text is for the library to say.
      if (text.charAt(at + blanks) === '\t') notPlain()
      return blanks > outer ? blanks : emptyBlock(outer)
    }
    // An empty line with more blanks than the first with text is a fault; which it will be is not known yet.
    if (blanks > 0) notPlain()
    at = end + 1
  }
  return emptyBlock(outer)
}

/** No line can be part of it. */
function emptyBlock(outer: number): number {
  return outer + 1
}

function chomped(lines: readonly string[], chomp: string | undefined): string {
  let used = lines.length
  while (used > 0 && lines[used - 1] === '') used--
  const body = lines.slice(0, used).join('\n')
  if (chomp === '-') return body
  if (chomp === '+') return lines.length === 0 ? '' : `${lines.join('\n')}\n`
  return used === 0 ? '' : `${body}\n`
}

function leadingSpaces(text: string, start: number, end: number): number {
  let at = start
  while (at < end && text.charCodeAt(at) === 0x20) at++
  return at - start
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}
