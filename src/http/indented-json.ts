// Compact JSON in bytes in, the same JSON indented by two blanks out, as the API server prints it for people. Nothing is
// parsed: names, numbers and their order stay as they are. Yields to the event loop between slices.
import { setImmediate as nextTurn } from 'node:timers/promises'

const SLICE = 256 * 1024
const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET, COMMA, COLON] = Buffer.from('"\\{}[],:')

/** The indented text, without a line feed at the end. */
export async function indentJson(body: readonly Uint8Array[]): Promise<readonly Uint8Array[]> {
  const indenter = new Indenter()
  const parts: Uint8Array[] = []
  let fed = 0
  for (const buffer of body) {
    for (let start = 0; start < buffer.byteLength; start += SLICE) {
      const slice = buffer.subarray(start, start + SLICE)
      parts.push(indenter.feed(slice))
      fed += slice.byteLength
      if (fed < SLICE) continue
      fed = 0
      await nextTurn()
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
    for (let at = 0; at < bytes.length; ) {
      if (this.#inString) {
        const end = this.#endOfRun(bytes, at)
        this.#putRun(bytes.subarray(at, end))
        at = end
      } else {
        this.#feedToken(bytes[at] ?? 0)
        at += 1
      }
    }
    return Buffer.from(this.#out.subarray(0, this.#size))
  }

  /** Just behind the string's closing quote, or the end of the bytes where it goes on. */
  #endOfRun(bytes: Uint8Array, start: number): number {
    for (let at = start; at < bytes.length; at += 1) {
      const byte = bytes[at]
      if (this.#escaped) this.#escaped = false
      else if (byte === BACKSLASH) this.#escaped = true
      else if (byte === QUOTE) {
        this.#inString = false
        return at + 1
      }
    }
    return bytes.length
  }

  #feedToken(byte: number): void {
    // Blanks and control characters: none of them is part of a token.
    if (byte <= 0x20) return
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

  #putRun(run: Uint8Array): void {
    this.#makeRoom(run.byteLength)
    this.#out.set(run, this.#size)
    this.#size += run.byteLength
  }

  #put(byte: number): void {
    this.#makeRoom(1)
    this.#out[this.#size] = byte
    this.#size += 1
  }

  #makeRoom(bytes: number): void {
    const needed = this.#size + bytes
    if (needed > this.#out.byteLength) this.#out = Buffer.concat([this.#out], 2 * needed)
  }
}
