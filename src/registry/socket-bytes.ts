// Takes single bytes off a fresh socket, for a handshake; what comes after it stays on the socket for the next reader.
import type { Socket } from 'node:net'

export interface ByteReader {
  take(length: number): Promise<Buffer>
  /** Everything up to the end of `mark`. Fails where that is longer than `limit`. */
  takeThrough(mark: string, limit: number): Promise<Buffer>
  /** Gives back what was read too much and listens no more. */
  release(): void
}

/** Each wait fails when the socket ends or breaks, and when `timeoutMs` have passed since this call. */
export function readBytesOf(socket: Socket, timeoutMs: number): ByteReader {
  let held: Buffer = Buffer.alloc(0)
  let failure: Error | undefined
  let wake = () => {}

  const onData = (chunk: Buffer) => {
    held = Buffer.concat([held, chunk])
    wake()
  }
  const fail = (error: Error) => {
    failure ??= error
    wake()
  }
  const onEnd = () => fail(new Error('closed the connection'))
  const timer = setTimeout(() => fail(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs)
  socket.on('data', onData)
  socket.on('error', fail)
  socket.on('end', onEnd)
  socket.on('close', onEnd)

  async function until(enough: () => number | undefined): Promise<Buffer> {
    for (;;) {
      const length = enough()
      if (length !== undefined) {
        const taken = held.subarray(0, length)
        held = held.subarray(length)
        return taken
      }
      if (failure !== undefined) throw failure
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }

  return {
    take: (length) => until(() => (held.length >= length ? length : undefined)),
    takeThrough: (mark, limit) =>
      until(() => {
        const at = held.indexOf(mark)
        if (at >= 0) return at + mark.length
        if (held.length > limit) throw new Error('its answer is too long')
        return undefined
      }),
    release() {
      clearTimeout(timer)
      socket.pause()
      socket.off('data', onData)
      socket.off('error', fail)
      socket.off('end', onEnd)
      socket.off('close', onEnd)
      if (held.length > 0) socket.unshift(held)
    },
  }
}
