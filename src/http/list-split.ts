// A list as JSON bytes in, its items one by one out, without a parse of the whole: so that work on each of them leaves the
// event loop turns between. Anything else than a list comes out whole.
import { setImmediate as nextTurn } from 'node:timers/promises'

export interface SplitList {
  /** The list with no items in it. */
  readonly envelope: Uint8Array
  /** Where each item begins and ends, in the bytes that were given. */
  readonly items: readonly (readonly [start: number, end: number])[]
}

const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET, COMMA] = Buffer.from('"\\{}[],')
const ITEMS = Buffer.from('"items":[')
const TURN_BYTES = 2 * 2 ** 20

/** undefined where there is no member `items` that is a list of objects. */
export async function splitList(bytes: Buffer): Promise<SplitList | undefined> {
  const items: [number, number][] = []
  let depth = 0
  let from = -1
  let start = -1
  let turn = TURN_BYTES
  for (let at = 0; at < bytes.length; at += 1) {
    if (at > turn) {
      turn += TURN_BYTES
      await nextTurn()
    }
    const byte = bytes[at]
    if (byte === QUOTE) {
      if (depth === 2 && from !== -1) return undefined
      if (depth === 1 && from === -1 && bytes.subarray(at, at + ITEMS.length).equals(ITEMS)) from = at + ITEMS.length
      at = endOfString(bytes, at)
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (depth === 2 && from !== -1) {
        if (byte === OPEN_BRACKET) return undefined
        start = at
      }
      depth += 1
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth -= 1
      if (depth === 2 && from !== -1) items.push([start, at + 1])
      if (depth === 1 && from !== -1) {
        return { envelope: Buffer.concat([bytes.subarray(0, from), bytes.subarray(at)]), items }
      }
    } else if (depth === 2 && from !== -1 && byte !== COMMA) {
      return undefined
    }
  }
  return undefined
}

/** The closing quote of the string whose opening quote is at `start`. */
function endOfString(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(QUOTE ?? 0, start + 1); at !== -1; at = bytes.indexOf(QUOTE ?? 0, at + 1)) {
    let slashes = 0
    while (bytes[at - 1 - slashes] === BACKSLASH) slashes += 1
    if (slashes % 2 === 0) return at
  }
  return bytes.length
}
