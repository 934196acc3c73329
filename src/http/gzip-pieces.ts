// Ready-made pieces of deflated bytes put together into one gzip stream (RFC 1951, RFC 1952), so that an answer made of
// known parts costs a copy and no compression. Receives bytes, hands on buffers. Never compresses on the event loop.
import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'

/** Bytes deflated by themselves, ended on a byte boundary, with what is needed to join their checksum to others'. */
export interface Piece {
  /** Raw deflate blocks, none of them the last of a stream. */
  readonly deflated: Uint8Array
  /** CRC-32 of the bytes before compression. */
  readonly crc: number
  /** How many bytes there were before compression. */
  readonly length: number
  /** x to the power of 8 times `length`, modulo the CRC's polynomial: moves a checksum over this piece. */
  readonly shift: number
}

export interface GzipJoin {
  /** Bytes that are not worth compressing: a few hundred, made for this answer. */
  bytes(raw: Uint8Array): void
  piece(piece: Piece): void
  /** The whole gzip stream. The join is used up. */
  finish(): readonly Uint8Array[]
}

/** The reversed polynomial of CRC-32. */
const POLYNOMIAL = 0xedb88320
/** 1 as a polynomial in reversed bits. */
const ONE = 0x80000000
/** The largest stored block (RFC 1951, 3.2.4). */
const STORED_MAX = 0xffff
/** Magic, deflate, no flags, no time, no hint, unknown system: equal bytes for equal content. */
const GZIP_HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff)
/** An empty block of fixed codes that is the last one. */
const LAST_BLOCK = [3, 0]
const NOTHING = new Uint8Array()

const deflate = promisify(deflateRaw) as (
  bytes: Uint8Array,
  options: { level: number; finishFlush: number },
) => Promise<Buffer>

/** Deflates `bytes` on a thread of the pool. */
export async function deflatePiece(bytes: Uint8Array, level = 6): Promise<Piece> {
  const made = bytes.length === 0 ? NOTHING : await deflate(bytes, { level, finishFlush: constants.Z_FULL_FLUSH })
  // A copy of its own: what zlib hands on lies in a buffer of 16 kB or more.
  const deflated = new Uint8Array(made)
  return { deflated, crc: crc32(bytes), length: bytes.length, shift: shiftFor(bytes.length) }
}

/** The CRC-32 of two runs of bytes one after the other, from those of each and the second's length. */
export function combineCrc32(first: number, second: number, secondLength: number): number {
  return (product(shiftFor(secondLength), first) ^ second) >>> 0
}

export function createGzipJoin(): GzipJoin {
  const out: Uint8Array[] = [GZIP_HEADER]
  let crc = 0
  let length = 0
  return {
    bytes(raw) {
      for (let start = 0; start < raw.length; start += STORED_MAX) {
        const block = raw.subarray(start, start + STORED_MAX)
        out.push(storedHeader(block.length), block)
      }
      crc = crc32(raw, crc)
      length += raw.length
    },
    piece(piece) {
      if (piece.length === 0) return
      out.push(piece.deflated)
      crc = (product(piece.shift, crc) ^ piece.crc) >>> 0
      length += piece.length
    },
    finish() {
      const trailer = Buffer.alloc(10)
      trailer.set(LAST_BLOCK)
      trailer.writeUInt32LE(crc, 2)
      trailer.writeUInt32LE(length % 2 ** 32, 6)
      out.push(trailer)
      return out
    },
  }
}

function storedHeader(length: number): Uint8Array {
  return Uint8Array.of(0, length & 0xff, length >> 8, ~length & 0xff, (~length >> 8) & 0xff)
}

/** x to the power of 8 · `bytes`, by squaring. */
function shiftFor(bytes: number): number {
  let power = ONE >>> 8
  let result = ONE
  for (let left = bytes; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = product(result, power)
    power = product(power, power)
  }
  return result
}

/** The product of two polynomials over GF(2), modulo the CRC's; bit 31 is the coefficient of 1. */
function product(a: number, b: number): number {
  let sum = 0
  let factor = b
  for (let rest = a; rest !== 0; rest <<= 1) {
    if (rest < 0 || rest >= ONE) sum ^= factor
    factor = factor & 1 ? (factor >>> 1) ^ POLYNOMIAL : factor >>> 1
  }
  return sum >>> 0
}
