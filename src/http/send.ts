// Sends answers: status, headers and ready buffers out to a socket, a slice at a time, the next when the last has drained:
// a reader that stalls costs one slice. Node's TLS would encrypt all it is given into memory. Never changes a byte.
import type { ServerResponse } from 'node:http'

export type HeaderValues = Readonly<Record<string, string | number | readonly string[]>>

export interface Answer {
  readonly status: number
  /** Lower-case names. */
  readonly headers: HeaderValues
  readonly body: readonly Uint8Array[]
}

export interface SendOptions {
  /** HEAD: the headers of the answer alone. */
  readonly head: boolean
  /** A reader that takes nothing for this long is cut off. */
  readonly stallMilliseconds: number
}

const SLICE = 256 * 1024
/** Up to here copying the parts into one is cheaper than more writes. */
const ONE_WRITE = 64 * 1024

/** Bytes of the body sent; resolves early where the client is gone. */
export async function send(response: ServerResponse, answer: Answer, options: SendOptions): Promise<number> {
  const length = answer.body.reduce((sum, part) => sum + part.byteLength, 0)
  const headers: Record<string, string | number | string[]> = {}
  for (const [name, value] of Object.entries(answer.headers)) {
    headers[name] = typeof value === 'object' ? [...value] : value
  }
  if (answer.status !== 304) headers['content-length'] = length
  response.writeHead(answer.status, headers)
  if (options.head || answer.status === 304 || length === 0) {
    response.end()
    return 0
  }
  if (length <= ONE_WRITE) {
    const [only] = answer.body
    response.end(answer.body.length === 1 ? only : Buffer.concat(answer.body, length))
    return length
  }
  const sent = await sendSlices(response, answer.body, options.stallMilliseconds)
  response.end()
  return sent
}

async function sendSlices(
  response: ServerResponse,
  body: readonly Uint8Array[],
  stallMilliseconds: number,
): Promise<number> {
  let sent = 0
  for (const slice of slices(body)) {
    if (response.destroyed || response.socket?.destroyed === true) return sent
    sent += writeSlice(response, slice)
    if (response.writableNeedDrain && !(await drained(response, stallMilliseconds))) return sent
  }
  return sent
}

/** Bytes written. Uncorked in the next tick by Node itself would gather the whole answer: it is done here, slice by slice. */
function writeSlice(response: ServerResponse, slice: readonly Uint8Array[]): number {
  const [only] = slice
  if (slice.length === 1 && only !== undefined) {
    response.write(only)
    return only.byteLength
  }
  response.cork()
  for (const part of slice) response.write(part)
  response.uncork()
  return slice.reduce((sum, part) => sum + part.byteLength, 0)
}

/** Groups of parts of about a slice each; a part that is larger is cut. */
function* slices(body: readonly Uint8Array[]): Generator<Uint8Array[]> {
  let group: Uint8Array[] = []
  let size = 0
  for (const part of body) {
    for (let start = 0; start < part.byteLength; ) {
      const piece = part.subarray(start, start + SLICE - size)
      group.push(piece)
      size += piece.byteLength
      start += piece.byteLength
      if (size >= SLICE) {
        yield group
        group = []
        size = 0
      }
    }
  }
  if (group.length > 0) yield group
}

/** True where the socket has taken what it was given; false where the client is gone, or was cut off for stalling. */
function drained(response: ServerResponse, stallMilliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (well: boolean) => {
      clearTimeout(timer)
      response.off('drain', onDrain)
      response.off('close', onClose)
      resolve(well)
    }
    const onDrain = () => settle(true)
    const onClose = () => settle(false)
    const timer = setTimeout(() => response.destroy(), stallMilliseconds)
    response.once('drain', onDrain)
    response.once('close', onClose)
  })
}
