// The YAML that programs write, read many times faster than YAML at large: block maps and lists, plain and quoted texts,
// literal blocks. Receives one document; hands on its value, or undefined where it meets anything else: then the whole
// document is for the library to read. What it does read, it reads as the library would.
import { type Cursor, NotPlain, nextLine, notPlain, startOf } from './plain-yaml-cursor.ts'
import { readLiteral } from './plain-yaml-literal.ts'
import { readText } from './plain-yaml-text.ts'
import { plainScalar, type Scalar } from './yaml-scalar.ts'

export type PlainValue = Scalar | PlainValue[] | { [key: string]: PlainValue }

const MAX_DEPTH = 200

// Breaks of lines other than `\n`, marks of byte order, directives and ends of documents have rules of their own.
const UNUSUAL = /[\r\u0085\u2028\u2029\ufeff]|^(?:%|\.\.\.)/m

/** Keys that need no thought: names, and quoted texts without escapes. */
const KEY = /(?:([A-Za-z0-9_][A-Za-z0-9_.$/-]*)|"([^"\\\n\t]*)"|'([^'\n\t]*)'):(?=[ \n]|$)/y

export function readPlainYaml(text: string): { readonly value: PlainValue } | undefined {
  if (UNUSUAL.test(text)) return undefined
  const cursor = startOf(text)
  try {
    nextLine(cursor)
    const value = cursor.at >= text.length ? null : readNode(cursor, -1, 0)
    return cursor.at >= text.length ? { value } : undefined
  } catch (thrown) {
    if (thrown instanceof NotPlain) return undefined
    throw thrown
  }
}

/** From its first character; `outer` is how far what holds it is indented. Leaves the cursor at the line behind it. */
function readNode(cursor: Cursor, outer: number, depth: number): PlainValue {
  if (depth > MAX_DEPTH) notPlain()
  if (isDash(cursor)) return readList(cursor, cursor.indent, depth)
  if (isKey(cursor)) return readMap(cursor, cursor.indent, depth)
  // A document that is one text is no blob, and not worth the care that it takes.
  return outer === -1 ? notPlain() : readScalar(cursor, outer)
}

function readMap(cursor: Cursor, indent: number, depth: number): PlainValue {
  const map: { [key: string]: PlainValue } = {}
  while (cursor.indent === indent && !isDash(cursor)) {
    const key = readKey(cursor)
    map[key] = readMember(cursor, indent, depth)
  }
  if (cursor.indent > indent) notPlain()
  return map
}

/** From behind the colon. A list may stand as far left as its key. */
function readMember(cursor: Cursor, indent: number, depth: number): PlainValue {
  skipSpaces(cursor)
  if (!isLineEnd(cursor)) return readScalar(cursor, indent)
  nextLine(cursor)
  if (cursor.indent > indent) return readNode(cursor, indent, depth + 1)
  return cursor.indent === indent && isDash(cursor) ? readList(cursor, indent, depth + 1) : null
}

function readList(cursor: Cursor, indent: number, depth: number): PlainValue {
  if (depth > MAX_DEPTH) notPlain()
  const list: PlainValue[] = []
  while (cursor.indent === indent && isDash(cursor)) {
    const start = cursor.at
    cursor.at++
    skipSpaces(cursor)
    if (isLineEnd(cursor)) {
      nextLine(cursor)
      list.push(cursor.indent > indent ? readNode(cursor, indent, depth + 1) : null)
    } else if (isDash(cursor) || isKey(cursor)) {
      // What stands behind the dash is indented by the dash and the blanks.
      cursor.indent = indent + cursor.at - start
      list.push(readNode(cursor, indent, depth + 1))
    } else {
      list.push(readScalar(cursor, indent))
    }
  }
  if (cursor.indent > indent) notPlain()
  return list
}

function readScalar(cursor: Cursor, indent: number): PlainValue {
  return cursor.text.startsWith('|', cursor.at) ? readLiteral(cursor, indent) : readText(cursor, indent)
}

function readKey(cursor: Cursor): string {
  KEY.lastIndex = cursor.at
  const match = KEY.exec(cursor.text)
  if (match === null) return notPlain()
  cursor.at = KEY.lastIndex
  const [, plain, double, single] = match
  const key = plain ?? double ?? single ?? ''
  // Numbers and words are texts as keys, but not as they are written.
  if (key === '__proto__' || (plain !== undefined && typeof plainScalar(plain) !== 'string')) notPlain()
  return key
}

function isKey(cursor: Cursor): boolean {
  KEY.lastIndex = cursor.at
  return KEY.test(cursor.text)
}

function isDash({ text, at }: Cursor): boolean {
  return text.charCodeAt(at) === 0x2d && (text.charCodeAt(at + 1) === 0x20 || text.charCodeAt(at + 1) === 0x0a)
}

function isLineEnd({ text, at }: Cursor): boolean {
  return at >= text.length || text.charCodeAt(at) === 0x0a
}

function skipSpaces(cursor: Cursor): void {
  while (cursor.text.charCodeAt(cursor.at) === 0x20) cursor.at++
}
