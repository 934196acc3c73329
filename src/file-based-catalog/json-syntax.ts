// Why a text is no JSON value, in the words of the reference program's decoder. Asked only when JSON.parse has refused.
import { quoted } from './quoted-text.ts'

export interface JsonSyntaxFault {
  readonly message: string
  /** Characters up to and with the one at fault. */
  readonly offset: number
}

/** Deeper nesting is refused, as the reference program does. */
const MAX_JSON_DEPTH = 10_000

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const BLANKS = /[ \t\r\n]*/y
const LITERALS = ['true', 'false', 'null'] as const

class Stop extends Error {
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

/** Undefined where the text holds one whole value and nothing else. */
export function jsonSyntaxFault(text: string): JsonSyntaxFault | undefined {
  try {
    scan(text)
    return undefined
  } catch (thrown) {
    if (thrown instanceof Stop) return { message: thrown.message, offset: thrown.offset }
    throw thrown
  }
}

/** What encloses the place that the scan has come to, innermost last. */
type Enclosing = '{' | '['

function scan(text: string): void {
  const open: Enclosing[] = []
  let at = blanks(text, 0)
  let expect: 'value' | 'first value' | 'key' | 'first key' | 'after' = 'value'
  for (;;) {
    at = blanks(text, at)
    const character = text.charAt(at)
    if (expect === 'after') {
      const inner = open.at(-1)
      if (inner === undefined) {
        if (at < text.length) throw invalid(text, at, 'after top-level value')
        return
      }
      if (character === ',') expect = inner === '{' ? 'key' : 'value'
      else if (character === (inner === '{' ? '}' : ']')) open.pop()
      else throw invalid(text, at, inner === '{' ? 'after object key:value pair' : 'after array element')
      at++
    } else if (expect === 'key' || expect === 'first key') {
      if (character === '}' && expect === 'first key') {
        open.pop()
        expect = 'after'
        at++
        continue
      }
      if (character !== '"') throw invalid(text, at, 'looking for beginning of object key string')
      at = blanks(text, textEnd(text, at))
      if (text.charAt(at) !== ':') throw invalid(text, at, 'after object key')
      at++
      expect = 'value'
    } else if (character === ']' && expect === 'first value') {
      open.pop()
      expect = 'after'
      at++
    } else if (character === '{' || character === '[') {
      open.push(character)
      if (open.length > MAX_JSON_DEPTH) throw invalid(text, at, 'exceeded max depth')
      expect = character === '{' ? 'first key' : 'first value'
      at++
    } else {
      at = scalarEnd(text, at)
      expect = 'after'
    }
  }
}

function scalarEnd(text: string, at: number): number {
  const character = text.charAt(at)
  if (character === '"') return textEnd(text, at)
  if (character === '-' || (character >= '0' && character <= '9')) return numberEnd(text, at)
  const literal = LITERALS.find((word) => word.startsWith(character) && character !== '')
  if (literal === undefined) throw invalid(text, at, 'looking for beginning of value')
  for (const [index, letter] of [...literal].entries()) {
    if (text.charAt(at + index) !== letter) {
      throw invalid(text, at + index, `in literal ${literal} (expecting ${quotedCharacter(letter)})`)
    }
  }
  return at + literal.length
}

function textEnd(text: string, at: number): number {
  for (let index = at + 1; ; index++) {
    const code = text.charCodeAt(index)
    if (Number.isNaN(code)) throw invalid(text, index, '')
    if (code === 0x22) return index + 1
    if (code < 0x20) throw invalid(text, index, 'in string literal')
    if (code !== 0x5c) continue
    index++
    const escaped = text.charAt(index)
    if (!'"\\/bfnrtu'.includes(escaped) || escaped === '') throw invalid(text, index, 'in string escape code')
    if (escaped !== 'u') continue
    for (const last = index + 4; index < last; index++) {
      if (!/[0-9a-fA-F]/.test(text.charAt(index + 1))) {
        throw invalid(text, index + 1, 'in \\u hexadecimal character escape')
      }
    }
  }
}

function numberEnd(text: string, at: number): number {
  NUMBER.lastIndex = at
  if (!NUMBER.test(text)) throw invalid(text, at + 1, 'in numeric literal')
  const end = NUMBER.lastIndex
  const next = text.charAt(end)
  if (next === '.') throw invalid(text, end + 1, 'after decimal point in numeric literal')
  if (next !== 'e' && next !== 'E') return end
  const sign = /[+-]/.test(text.charAt(end + 1)) ? 1 : 0
  throw invalid(text, end + 1 + sign, 'in exponent of numeric literal')
}

function blanks(text: string, at: number): number {
  BLANKS.lastIndex = at
  BLANKS.test(text)
  return BLANKS.lastIndex
}

function invalid(text: string, at: number, where: string): Stop {
  if (at >= text.length) return new Stop('unexpected EOF', text.length)
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
  return new Stop(`invalid character ${quotedCharacter(character)} ${where}`, at + 1)
}

/** As Go quotes a character: in single quotes, those escaped instead of the double ones. */
function quotedCharacter(character: string): string {
  if (character === "'") return `'\\''`
  if (character === '"') return `'"'`
  return `'${quoted(character).slice(1, -1)}'`
}
