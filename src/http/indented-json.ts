// Compact JSON in bytes in, the same JSON indented by two blanks out, as the API server prints it for people. Nothing is
// parsed: names, numbers and their order stay as they are. Yields to the event loop between slices.
import { setImmediate as nextTurn } from 'node:timers/promises'

const SLICE = 256 * 1024
const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET, COMMA, COLON] = Buffer.from('"\\{}[],:')
const BLANKS = new Set(Buffer.from(' \t\r\n'))

/** The indented text, without a line feed at the end. */
export async function indentJson(body: readonly Uint8Array[]): Promise<readonly Uint8Array[]> {
  const indenter = new Indenter()
  const parts: Uint8Array[] = []
  for (const buffer of body) {
    for (let start = 0; start < buffer.byteLength; start += SLICE) {
      parts.push(indenter.feed(buffer.subarray(start, start + SLICE)))
      if (buffer.byteLength > SLICE) await nextTurn()
    }
  }
  return parts
}

class Indenter {
  #depth = 0
  #inString = false
  #escaped = false
  /** An opening bracket whose content has not come yet: an empty pair stays together. */
  #opened = false
  #out = Buffer.allocUnsafe(SLICE)
  #size = 0

  feed(bytes: Uint8Array): Uint8Array {
    this.#size = 0
    for (const byte of bytes) {
      if (this.#inString) this.#feedString(byte)
      else this.#feedToken(byte)
    }
    return Buffer.from(this.#out.subarray(0, this.#size))
  }

  #feedString(byte: number): void {
    this.#put(byte)
    if (this.#escaped) this.#escaped = false
    else if (byte === BACKSLASH) this.#escaped = true
    else if (byte === QUOTE) this.#inString = false
  }

  #feedToken(byte: number): void {
    if (BLANKS.has(byte)) return
    if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      this.#depth -= 1
      if (this.#opened) this.#opened = false
      else this.#newLine()
      this.#put(byte)
      return
    }
    if (this.#opened) {
      this.#opened = false
      this.#newLine()
    }
    this.#put(byte)
    if (byte === QUOTE) this.#inString = true
    else if (byte === COLON) this.#put(0x20)
    else if (byte === COMMA) this.#newLine()
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      this.#depth += 1
      this.#opened = true
    }
  }

  #newLine(): void {
    this.#put(0x0a)
    for (let count = 0; count < 2 * this.#depth; count += 1) this.#put(0x20)
  }

  #put(byte: number): void {
    if (this.#size === this.#out.byteLength) this.#out = Buffer.concat([this.#out], 2 * this.#size)
    this.#out[this.#size] = byte
    this.#size += 1
  }
}
