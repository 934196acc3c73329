// Walks JSON text (RFC 8259) from front to back and makes values of those parts only that its reader asks for. Unlike
// JSON.parse it shows repeated keys, and text that is hostile (millions of brackets) costs time, never memory or stack.

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'

/** As deep as Go's encoding/json reads. */
const DEEPEST = 10_000

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const WORD = /true|false|null/y
const FOUR_HEX = /[0-9a-fA-F]{4}/y
const ESCAPABLE = '"\\/bfnrt'

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** The text is not JSON, or `tooDeep` to be read. The offset counts UTF-16 units. */
export class JsonSyntaxError extends Error {
  readonly tooDeep: boolean

  constructor(what: string, offset: number, tooDeep = false) {
    super(`${what} at offset ${offset}`)
    this.name = 'JsonSyntaxError'
    this.tooDeep = tooDeep
  }
}

export class JsonCursor {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** What stands at the cursor. Consumes only blanks. */
  kind(): JsonKind {
    const unit = this.#next()
    if (unit === OPEN_OBJECT) return 'object'
    if (unit === OPEN_LIST) return 'array'
    if (unit === QUOTE) return 'string'
    if (Number.isNaN(unit)) throw this.#fault('unexpected end')
    const letter = this.#text[this.#at]
    return letter === 't' || letter === 'f' ? 'boolean' : letter === 'n' ? 'null' : 'number'
  }

  /** Calls `member` once per member, in the order of the text; it consumes the member's value. */
  object(member: (key: string) => void): void {
    this.#items(OPEN_OBJECT, CLOSE_OBJECT, () => {
      const key = this.string()
      this.#expect(COLON)
      member(key)
    })
  }

  /** Calls `element` once per element; it consumes the element. */
  array(element: (index: number) => void): void {
    let index = 0
    this.#items(OPEN_LIST, CLOSE_LIST, () => element(index++))
  }

  /** A copy, well-formed: a lone surrogate becomes U+FFFD, as in Go. */
  string(): string {
    this.#next()
    const start = this.#at
    this.#passString()
    const value: unknown = JSON.parse(this.#text.slice(start, this.#at))
    return String(value).toWellFormed()
  }

  boolean(): boolean {
    this.#next()
    return this.#passWord() === 'true'
  }

  /** Consumes one value of any kind, checking its syntax. Without recursion. */
  skip(): void {
    /** The brackets that close what is open, innermost last. */
    const open: number[] = []
    for (;;) {
      const unit = this.#next()
      if (unit === OPEN_OBJECT || unit === OPEN_LIST) {
        this.#at++
        if (open.length === DEEPEST) throw new JsonSyntaxError(`nested more than ${DEEPEST} deep`, this.#at - 1, true)
        const close = unit === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_LIST
        open.push(close)
        if (this.#next() !== close) {
          if (unit === OPEN_OBJECT) this.#passKey()
          continue
        }
      } else {
        this.#passScalar(unit)
      }
      this.#passClosed(open)
      if (open.length === 0) return
    }
  }

  /** Only blanks may follow. */
  end(): void {
    if (!Number.isNaN(this.#next())) throw this.#fault('unexpected text after the value')
  }

  /** After a value: passes the brackets that close what it ends, then, where one is left open, a comma and the next key. */
  #passClosed(open: number[]): void {
    for (let close = open.at(-1); close !== undefined; close = open.at(-1)) {
      if (this.#next() === COMMA) {
        this.#at++
        if (close === CLOSE_OBJECT) this.#passKey()
        return
      }
      this.#expect(close)
      open.pop()
    }
  }

  #items(opening: number, closing: number, each: () => void): void {
    this.#expect(opening)
    if (this.#next() !== closing) {
      for (;;) {
        each()
        if (this.#next() !== COMMA) break
        this.#at++
      }
    }
    this.#expect(closing)
  }

  #passKey(): void {
    this.#next()
    this.#passString()
    this.#expect(COLON)
  }

  #passScalar(unit: number): void {
    if (unit === QUOTE) this.#passString()
    else if (unit >= 0x61) this.#passWord()
    else this.#passNumber(unit)
  }

  #passNumber(unit: number): void {
    NUMBER.lastIndex = this.#at
    if (!NUMBER.test(this.#text)) throw this.#fault(Number.isNaN(unit) ? 'unexpected end' : 'expected a value')
    this.#at = NUMBER.lastIndex
  }

  #passString(): void {
    this.#expect(QUOTE)
    const text = this.#text
    for (let at = this.#at; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      if (unit === QUOTE) {
        this.#at = at + 1
        return
      }
      if (unit === BACKSLASH) at = this.#afterEscape(at)
      else if (unit < 0x20) throw this.#fault('control character in a string', at)
    }
    throw this.#fault('string without an end', text.length)
  }

  /** Where the last unit of the escape that begins at `at` is. */
  #afterEscape(at: number): number {
    const letter = this.#text.charAt(at + 1)
    if (letter !== '' && ESCAPABLE.includes(letter)) return at + 1
    FOUR_HEX.lastIndex = at + 2
    if (letter !== 'u' || !FOUR_HEX.test(this.#text)) throw this.#fault('unknown escape in a string', at)
    return at + 5
  }

  #passWord(): string {
    WORD.lastIndex = this.#at
    const word = WORD.exec(this.#text)?.[0]
    if (word === undefined) throw this.#fault('expected a value')
    this.#at = WORD.lastIndex
    return word
  }

  /** The first unit that is no blank, which the cursor then stands at; NaN at the end. */
  #next(): number {
    for (;;) {
      const unit = this.#text.charCodeAt(this.#at)
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return unit
      this.#at++
    }
  }

  #expect(mark: number): void {
    const unit = this.#next()
    if (unit !== mark)
      throw this.#fault(Number.isNaN(unit) ? 'unexpected end' : `expected ${String.fromCharCode(mark)}`)
    this.#at++
  }

  #fault(what: string, at = this.#at): JsonSyntaxError {
    return new JsonSyntaxError(what, at)
  }
}
