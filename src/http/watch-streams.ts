// From a watch that was asked for to a running one: opens the cursor, chooses the way to the client (lines, gzipped lines,
// WebSocket) and hands both to the running watches. A version that is gone is told as an ERROR event, as informers expect.
import type { Exchange } from './exchange.ts'
import type { InFlight } from './in-flight.ts'
import { wantsGzip } from './payload-answer.ts'
import type { WatchCursor } from './resource.ts'
import type { OpenWatch } from './resource-answer.ts'
import type { RunningWatches } from './running-watches.ts'
import { StatusError } from './status.ts'
import { gzipLineSink, lineSink, type WatchSink } from './watch-sink.ts'
import { type Upgrade, type WebSocketDoor, wantsWebSocket } from './web-socket-sink.ts'

export interface Watcher {
  readonly user: string
  readonly mayWatch: () => Promise<boolean>
}

export interface WatchStreams {
  /** Rejects with a StatusError where the watch cannot begin; nothing has been sent then. */
  start(exchange: Exchange, watch: OpenWatch, watcher: Watcher): Promise<void>
}

export interface WatchStreamParts {
  readonly running: RunningWatches
  readonly inFlight: InFlight
  readonly door: WebSocketDoor
  /** The socket of a request that asks to be upgraded. */
  readonly upgradeOf: (request: Exchange['request']) => Upgrade | undefined
}

const GONE = 410

export function createWatchStreams({ running, inFlight, door, upgradeOf }: WatchStreamParts): WatchStreams {
  return {
    async start(exchange, { open, timeoutSeconds }, { user, mayWatch }) {
      const leave = inFlight.enterWatch(user)
      let cursor: WatchCursor | undefined
      try {
        cursor = await open().catch(goneCursor)
        const upgrade = wantsWebSocket(exchange.request) ? upgradeOf(exchange.request) : undefined
        const sink = upgrade === undefined ? responseSink(exchange) : await door.open(exchange.request, upgrade)
        running.start({ cursor, sink, timeoutSeconds, mayWatch, onEnd: leave })
      } catch (fault) {
        cursor?.close()
        leave()
        throw fault
      }
    },
  }
}

function responseSink(exchange: Exchange): WatchSink {
  const { response, auditId } = exchange
  const zipped = wantsGzip(exchange)
  response.writeHead(200, {
    'audit-id': auditId,
    'cache-control': 'no-cache, private',
    'content-type': 'application/json',
    ...(zipped ? { 'content-encoding': 'gzip' } : {}),
  })
  return zipped ? gzipLineSink(response) : lineSink(response)
}

/** A cursor of one ERROR event; other refusals stay refusals. */
function goneCursor(fault: unknown): WatchCursor {
  if (!(fault instanceof StatusError) || fault.status.code !== GONE) throw fault
  let frames = [Buffer.from(JSON.stringify({ type: 'ERROR', object: fault.status }))]
  return {
    read() {
      const answer = { frames, ended: true }
      frames = []
      return answer
    },
    bookmark: () => undefined,
    onReadable: () => undefined,
    close: () => undefined,
  }
}
