// Walks JSON text (RFC 8259) from front to back and makes values of those parts only that its reader asks for. Unlike
// JSON.parse it shows repeated keys, and text that is hostile (millions of brackets) costs time, never memory or stack.

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'

/** As deep as Go's encoding/json reads. */
const DEEPEST = 10_000

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const WORD = /true|false|null/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

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
    this.#skipBlanks()
    switch (this.#text[this.#at]) {
      case '{':
        return 'object'
      case '[':
        return 'array'
      case '"':
        return 'string'
      case 't':
      case 'f':
        return 'boolean'
      case 'n':
        return 'null'
      case undefined:
        throw this.#fault('unexpected end')
      default:
        return 'number'
    }
  }

  /** Calls `member` once per member, in the order of the text; it consumes the member's value. */
  object(member: (key: string) => void): void {
    this.#list('{', '}', () => {
      if (this.kind() !== 'string') throw this.#fault('expected a key')
      const key = this.string()
      this.#skipBlanks()
      this.#expect(':')
      member(key)
    })
  }

  /** Calls `element` once per element; it consumes the element. */
  array(element: (index: number) => void): void {
    let index = 0
    this.#list('[', ']', () => element(index++))
  }

  /** A copy, well-formed: a lone surrogate becomes U+FFFD, as in Go. */
  string(): string {
    this.#skipBlanks()
    const start = this.#at
    this.#passString()
    const value: unknown = JSON.parse(this.#text.slice(start, this.#at))
    return String(value).toWellFormed()
  }

  boolean(): boolean {
    this.#skipBlanks()
    return this.#word() === 'true'
  }

  /** Consumes one value of any kind, checking its syntax. Without recursion. */
  skip(): void {
    const open: ('{' | '[')[] = []
    do {
      this.#skipBlanks()
      const first = this.#text[this.#at]
      if (first === '{' || first === '[') {
        this.#at++
        open.push(first)
        if (open.length > DEEPEST) throw new JsonSyntaxError(`nested more than ${DEEPEST} deep`, this.#at, true)
        this.#skipBlanks()
        if (this.#text[this.#at] !== closing(first)) {
          if (first === '{') this.#passKey()
          continue
        }
      } else {
        this.#passScalar(first)
      }
      this.#leaveClosed(open)
    } while (open.length > 0)
  }

  /** Only blanks may follow. */
  end(): void {
    this.#skipBlanks()
    if (this.#at < this.#text.length) throw this.#fault('unexpected text after the value')
  }

  /** After a value inside `open`: passes a comma and the next key, or as many closing brackets as follow. */
  #leaveClosed(open: ('{' | '[')[]): void {
    for (;;) {
      const innermost = open.at(-1)
      if (innermost === undefined) return
      this.#skipBlanks()
      if (this.#text[this.#at] === ',') {
        this.#at++
        if (innermost === '{') this.#passKey()
        return
      }
      this.#expect(closing(innermost))
      open.pop()
    }
  }

  #list(opening: '{' | '[', end: '}' | ']', each: () => void): void {
    this.#skipBlanks()
    this.#expect(opening)
    this.#skipBlanks()
    if (this.#text[this.#at] !== end) {
      for (;;) {
        each()
        this.#skipBlanks()
        if (this.#text[this.#at] !== ',') break
        this.#at++
      }
    }
    this.#expect(end)
  }

  #passKey(): void {
    this.#skipBlanks()
    this.#passString()
    this.#skipBlanks()
    this.#expect(':')
  }

  #passScalar(first: string | undefined): void {
    if (first === '"') this.#passString()
    else if (first === 't' || first === 'f' || first === 'n') this.#word()
    else {
      NUMBER.lastIndex = this.#at
      if (!NUMBER.test(this.#text)) throw this.#fault(first === undefined ? 'unexpected end' : 'expected a value')
      this.#at = NUMBER.lastIndex
    }
  }

  #passString(): void {
    this.#expect('"')
    const text = this.#text
    for (let at = this.#at; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      if (unit === 0x22) {
        this.#at = at + 1
        return
      }
      if (unit < 0x20) {
        this.#at = at
        throw this.#fault('control character in a string')
      }
      if (unit === 0x5c) {
        ESCAPE.lastIndex = at
        if (!ESCAPE.test(text)) {
          this.#at = at
          throw this.#fault('unknown escape in a string')
        }
        at = ESCAPE.lastIndex - 1
      }
    }
    this.#at = text.length
    throw this.#fault('string without an end')
  }

  #word(): string {
    WORD.lastIndex = this.#at
    const word = WORD.exec(this.#text)?.[0]
    if (word === undefined) throw this.#fault('expected a value')
    this.#at = WORD.lastIndex
    return word
  }

  #skipBlanks(): void {
    for (;;) {
      const unit = this.#text.charCodeAt(this.#at)
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return
      this.#at++
    }
  }

  #expect(mark: string): void {
    if (this.#text[this.#at] !== mark) {
      throw this.#fault(this.#at < this.#text.length ? `expected ${mark}` : 'unexpected end')
    }
    this.#at++
  }

  #fault(what: string): JsonSyntaxError {
    return new JsonSyntaxError(what, this.#at)
  }
}

function closing(opening: '{' | '['): '}' | ']' {
  return opening === '{' ? '}' : ']'
}
