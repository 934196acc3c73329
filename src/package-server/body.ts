// The bytes of a text given in parts, plain or as gzip, without ever making one string or one copy too many. Receives
// parts, hands on buffers. Gives way to other work between slices of a long body.
import { setImmediate as otherWork } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import { createGzipJoin } from '../http/gzip-pieces.ts'
import type { Tail } from './content.ts'
import { deflateAll, deflateTail } from './deflater.ts'
import type { Part } from './representation.ts'

/** How many bytes one buffer of a body has at most, where it is copied together. */
export const SLICE_BYTES = 256 * 1024
/** Parts handled, and slices copied, between two turns of the event loop: about ten milliseconds. */
const PARTS_PER_TURN = 1024
const SLICES_PER_TURN = 16

/** The body as buffers that share the tails' memory: costs only its strings. For bodies sent once. */
export async function pieces(parts: Iterable<Part>): Promise<readonly Uint8Array[]> {
  const out: Uint8Array[] = []
  let text = ''
  let count = 0
  for (const part of parts) {
    if (typeof part === 'string') text += part
    else {
      if (text !== '') out.push(Buffer.from(text))
      out.push(bytesOf(part))
      text = ''
    }
    if (++count % PARTS_PER_TURN === 0) await otherWork()
  }
  if (text !== '') out.push(Buffer.from(text))
  return out
}

/** The body copied into slices, all full but the last: for bodies that are sent again and again. */
export async function slices(parts: Iterable<Part>): Promise<readonly Uint8Array[]> {
  const out: Uint8Array[] = []
  let count = 0
  for (const slice of sliced(parts)) {
    out.push(slice)
    if (++count % SLICES_PER_TURN === 0) await otherWork()
  }
  return out
}

/** A short body in one buffer. */
export function whole(parts: Iterable<Part>): Buffer {
  return Buffer.concat([...parts].map((part) => (typeof part === 'string' ? Buffer.from(part) : bytesOf(part))))
}

/** The body as gzip, joined from deflated tails; makes those that are missing. */
export async function joinedGzip(parts: Iterable<Part>): Promise<readonly Uint8Array[]> {
  const all = [...parts]
  await deflateAll(all.filter(isTail))
  const join = createGzipJoin()
  let text = ''
  let count = 0
  for (const part of all) {
    if (typeof part === 'string') text += part
    else {
      join.bytes(Buffer.from(text))
      text = ''
      if (part instanceof Uint8Array) join.bytes(part)
      else join.piece(part.piece ?? (await deflateTail(part)))
    }
    if (++count % PARTS_PER_TURN === 0) await otherWork()
  }
  if (text !== '') join.bytes(Buffer.from(text))
  return slices(join.finish())
}

/** The body as one gzip stream of zlib's usual level, made on a thread: smaller than joined pieces, and slower. */
export async function streamedGzip(parts: Iterable<Part>): Promise<readonly Uint8Array[]> {
  const gzip = createGzip({ level: 6, chunkSize: 64 * 1024 })
  const out: Uint8Array[] = []
  gzip.on('data', (chunk: Uint8Array) => out.push(chunk))
  const ended = new Promise<void>((resolve, reject) => {
    gzip.on('end', resolve)
    gzip.on('error', reject)
  })
  for (const slice of sliced(parts)) {
    if (!gzip.write(slice)) await Promise.race([new Promise((resolve) => gzip.once('drain', resolve)), ended])
  }
  gzip.end()
  await ended
  return slices(out)
}

export function byteCount(buffers: readonly Uint8Array[]): number {
  return buffers.reduce((sum, buffer) => sum + buffer.length, 0)
}

function isTail(part: Part): part is Tail {
  return typeof part !== 'string' && !(part instanceof Uint8Array)
}

function bytesOf(part: Tail | Uint8Array): Uint8Array {
  return part instanceof Uint8Array ? part : part.bytes
}

function* sliced(parts: Iterable<Part>): Generator<Uint8Array> {
  let group: Uint8Array[] = []
  let size = 0
  for (const part of parts) {
    let rest = typeof part === 'string' ? Buffer.from(part) : bytesOf(part)
    while (size + rest.length >= SLICE_BYTES) {
      const fitting = SLICE_BYTES - size
      group.push(rest.subarray(0, fitting))
      yield Buffer.concat(group, SLICE_BYTES)
      rest = rest.subarray(fitting)
      group = []
      size = 0
    }
    if (rest.length === 0) continue
    group.push(rest)
    size += rest.length
  }
  if (size > 0) yield Buffer.concat(group, size)
}
