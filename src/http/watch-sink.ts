// Where the frames of a watch go: chunks of an HTTP response, plain or gzipped. Frames in, bytes on a socket out; tells
// when the socket has had enough. (WebSockets: web-socket-sink.ts.)
import type { ServerResponse } from 'node:http'
import { constants, crc32, deflateRawSync } from 'node:zlib'

export interface WatchSink {
  /** False: enough for now; `onDrain` tells when to go on. */
  write(frames: readonly Uint8Array[]): boolean
  /** The clean end, after which clients watch on elsewhere. */
  end(): void
  /** Cuts the connection. */
  destroy(): void
  onDrain(listener: () => void): void
  /** However it ended. */
  onClose(listener: () => void): void
}

const LINE_FEED = Buffer.from('\n')

/** One line of JSON per event. The head of the answer is sent at once, so that a client knows that its watch runs. */
export function lineSink(response: ServerResponse): WatchSink {
  response.flushHeaders()
  return {
    ...responseSink(response),
    write: (frames) => response.write(Buffer.concat(frames.flatMap((frame) => [frame, LINE_FEED]))),
  }
}

const GZIP_HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff)
const LAST_BLOCK = Uint8Array.of(3, 0)

/**
 * The same lines as one gzip stream. Each event is deflated by itself and ended on a byte, so that it can be read as soon
 * as it arrives; a stream keeps two numbers, no window, and an event is deflated once for all its readers.
 */
export function gzipLineSink(response: ServerResponse): WatchSink {
  const sink = responseSink(response)
  let checksum = 0
  let length = 0
  response.write(GZIP_HEADER)
  return {
    ...sink,
    write(frames) {
      for (const frame of frames) {
        checksum = crc32(LINE_FEED, crc32(frame, checksum))
        length += frame.byteLength + 1
      }
      return response.write(Buffer.concat(frames.map(deflatedLine)))
    },
    end() {
      const trailer = Buffer.alloc(8)
      trailer.writeUInt32LE(checksum, 0)
      trailer.writeUInt32LE(length % 2 ** 32, 4)
      response.write(Buffer.concat([LAST_BLOCK, trailer]))
      sink.end()
    },
  }
}

/** Frames are shared by all readers of the same events. */
const deflated = new WeakMap<Uint8Array, Buffer>()

function deflatedLine(frame: Uint8Array): Buffer {
  const known = deflated.get(frame)
  if (known !== undefined) return known
  const bytes = deflateRawSync(Buffer.concat([frame, LINE_FEED]), { finishFlush: constants.Z_SYNC_FLUSH })
  deflated.set(frame, bytes)
  return bytes
}

function responseSink(response: ServerResponse): Omit<WatchSink, 'write'> {
  return {
    end: () => response.end(),
    destroy: () => response.destroy(),
    onDrain: (listener) => response.on('drain', listener),
    onClose: (listener) => response.once('close', listener),
  }
}
