// The grammar of label selectors: text in, requirements out, or a LabelSelectorFault in the API server's words.
// One pass, one token of look-ahead, no recursion: the time is a line in the length of the text.
import { labelKeyFault, labelValueFault } from './label-syntax.ts'

export type Operator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | '>' | '<'

/** One demand; all of a selector's demands must hold. */
export interface Requirement {
  readonly key: string
  readonly operator: Operator
  /** Without repetition, sorted. */
  readonly values: readonly string[]
}

export class SelectorFault extends Error {}

type TokenKind = 'identifier' | 'keyword' | 'symbol' | 'end'

interface Token {
  readonly kind: TokenKind
  readonly text: string
}

const SYMBOLS = new Set(['=', '==', '!=', '!', '(', ')', ',', '>', '<'])
const SYMBOL_CHARACTERS = new Set('=!(),><')
const BLANKS = new Set(' \t\r\n')
const BINARY: ReadonlySet<string> = new Set(['in', 'notin', '=', '==', '!=', '>', '<'])
const BINARY_TEXT = 'in, notin, =, ==, !=, gt, lt'

/** The requirements of a selector in the order of the text; none where the text is blank. */
export function parseRequirements(text: string): Requirement[] {
  const reader = new TokenReader(text)
  const requirements: Requirement[] = []
  if (reader.peek().kind === 'end') return requirements
  if (!startsRequirement(reader.peek())) {
    throw new SelectorFault(`found '${reader.peek().text}', expected: !, identifier, or 'end of string'`)
  }
  for (;;) {
    requirements.push(readRequirement(reader))
    const separator = reader.take()
    if (separator.kind === 'end') return requirements
    if (separator.text !== ',') throw new SelectorFault(`found '${separator.text}', expected: ',' or 'end of string'`)
    if (!startsRequirement(reader.peek())) {
      throw new SelectorFault(`found '${reader.peek().text}', expected: identifier after ','`)
    }
  }
}

function startsRequirement(token: Token): boolean {
  return isWord(token) || isSymbol(token, '!')
}

function readRequirement(reader: TokenReader): Requirement {
  try {
    return readDemand(reader)
  } catch (fault) {
    if (!(fault instanceof SelectorFault)) throw fault
    throw new SelectorFault(`unable to parse requirement: ${fault.message}`)
  }
}

function readDemand(reader: TokenReader): Requirement {
  const first = reader.take()
  const absent = isSymbol(first, '!')
  const word = absent ? reader.take() : first
  if (!isWord(word)) throw new SelectorFault(`found '${word.text}', expected: identifier`)
  const key = word.text
  const keyFault = labelKeyFault(key)
  if (keyFault !== undefined) throw invalid('<nil>', JSON.stringify(key), keyFault)
  if (absent) return { key, operator: '!', values: [] }
  const next = reader.peek()
  if (next.kind === 'end' || isSymbol(next, ',')) return { key, operator: 'exists', values: [] }
  const operator = readOperator(reader)
  const values = operator === 'in' || operator === 'notin' ? readValues(reader) : [readExactValue(reader)]
  const sorted = [...new Set(values)].sort()
  checkValues(key, operator, sorted)
  return { key, operator, values: sorted }
}

function readOperator(reader: TokenReader): Operator {
  const { kind, text } = reader.take()
  if ((kind === 'keyword' || kind === 'symbol') && isBinary(text)) return text
  throw new SelectorFault(`found '${text}', expected: ${BINARY_TEXT}`)
}

function isBinary(text: string): text is Operator {
  return BINARY.has(text)
}

function readExactValue(reader: TokenReader): string {
  const next = reader.peek()
  if (next.kind === 'end' || isSymbol(next, ',')) return ''
  const token = reader.take()
  if (!isWord(token)) throw new SelectorFault(`found '${token.text}', expected: identifier`)
  return token.text
}

/** `(a,b)`; an empty place between commas is the empty value. */
function readValues(reader: TokenReader): string[] {
  const open = reader.take()
  if (!isSymbol(open, '(')) throw new SelectorFault(`found '${open.text}' expected: '('`)
  if (isSymbol(reader.peek(), ')')) {
    reader.take()
    return []
  }
  if (!isWord(reader.peek()) && !isSymbol(reader.peek(), ',')) {
    throw new SelectorFault(`found '${reader.peek().text}', expected: ',', ')' or identifier`)
  }
  const values: string[] = []
  for (;;) {
    values.push(isWord(reader.peek()) ? reader.take().text : '')
    const separator = reader.take()
    if (isSymbol(separator, ')')) return values
    if (!isSymbol(separator, ',')) throw new SelectorFault(`found '${separator.text}', expected: ',' or ')'`)
  }
}

function checkValues(key: string, operator: Operator, values: readonly string[]): void {
  if ((operator === 'in' || operator === 'notin') && values.length === 0) {
    throw invalid('values', '[]', "for 'in', 'notin' operators, values set can't be empty")
  }
  for (const [index, value] of values.entries()) {
    if ((operator === '>' || operator === '<') && parseInteger(value) === undefined) {
      throw invalid(`values[${index}]`, JSON.stringify(value), "for 'Gt', 'Lt' operators, the value must be an integer")
    }
    const fault = labelValueFault(value)
    if (fault !== undefined) throw invalid(`values[${index}][${key}]`, JSON.stringify(value), fault)
  }
}

/** A decimal integer of 64 bits, or undefined. */
export function parseInteger(text: string): bigint | undefined {
  if (!/^[+-]?\d{1,32}$/.test(text)) return undefined
  const value = BigInt(text.replace(/^\+/, ''))
  return value === BigInt.asIntN(64, value) ? value : undefined
}

function invalid(path: string, value: string, fault: string): SelectorFault {
  return new SelectorFault(`${path}: Invalid value: ${value}: ${fault}`)
}

/** `in` and `notin` are words wherever no operator is expected. */
function isWord(token: Token): boolean {
  return token.kind === 'identifier' || token.kind === 'keyword'
}

function isSymbol(token: Token, text: string): boolean {
  return token.kind === 'symbol' && token.text === text
}

class TokenReader {
  readonly #text: string
  #position = 0
  #ahead: Token | undefined

  constructor(text: string) {
    this.#text = text
  }

  peek(): Token {
    this.#ahead ??= this.#read()
    return this.#ahead
  }

  take(): Token {
    const token = this.peek()
    this.#ahead = undefined
    return token
  }

  #read(): Token {
    while (BLANKS.has(this.#character())) this.#position += 1
    const start = this.#position
    if (start >= this.#text.length) return { kind: 'end', text: '' }
    if (SYMBOL_CHARACTERS.has(this.#character())) return this.#readSymbol(start)
    while (this.#isWordCharacter()) this.#position += 1
    const text = this.#text.slice(start, this.#position)
    return { kind: text === 'in' || text === 'notin' ? 'keyword' : 'identifier', text }
  }

  /** The longest symbol that starts here: `==` before `=`. */
  #readSymbol(start: number): Token {
    const text = [2, 1].map((length) => this.#text.slice(start, start + length)).find((part) => SYMBOLS.has(part))
    this.#position += text?.length ?? 1
    return { kind: 'symbol', text: text ?? this.#text.charAt(start) }
  }

  #isWordCharacter(): boolean {
    const character = this.#character()
    return character !== '' && !SYMBOL_CHARACTERS.has(character) && !BLANKS.has(character)
  }

  #character(): string {
    return this.#text.charAt(this.#position)
  }
}
