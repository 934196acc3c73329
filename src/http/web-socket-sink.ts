// A watch over a WebSocket (RFC 6455): one event per text frame. Takes over the socket of an upgrade request; what the
// client sends is answered (pings) or dropped (the rest), up to a bound.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { offeredProtocols } from './bearer-token.ts'
import { badRequest } from './status.ts'
import type { WatchSink } from './watch-sink.ts'

export interface Upgrade {
  readonly socket: Duplex
  readonly head: Buffer
  /** The socket now belongs to somebody else than the answer to the request. */
  taken(): void
}

export interface WebSocketDoor {
  /** Rejects with 400 where the handshake is wrong; the request can then be answered as any other. */
  open(request: IncomingMessage, upgrade: Upgrade): Promise<WatchSink>
}

/** Closed as by an API server at the end of a watch. */
const NORMAL_CLOSURE = 1000
const TOO_MUCH_DATA = 1009

/** `receivedBytes`: how much a client may send in all. */
export function createWebSocketDoor(receivedBytes: number): WebSocketDoor {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    autoPong: false,
    maxPayload: receivedBytes,
    // The first that is not a credential, whatever its name: clients of the API server offer several.
    handleProtocols: (_protocols, request) => offeredProtocols(request.headers['sec-websocket-protocol'])[0] ?? false,
  })
  const refusals = new WeakMap<IncomingMessage, (fault: Error) => void>()
  server.on('wsClientError', (fault, _socket, request) => refusals.get(request)?.(badRequest(fault.message)))
  return {
    open: (request, { socket, head, taken }) =>
      new Promise((resolve, reject) => {
        refusals.set(request, reject)
        server.handleUpgrade(request, socket, head, (webSocket) => {
          taken()
          resolve(webSocketSink(webSocket, socket, receivedBytes))
        })
      }),
  }
}

/** Whether a request asks to become a WebSocket. */
export function wantsWebSocket(request: IncomingMessage): boolean {
  return request.headers.upgrade?.toLowerCase() === 'websocket' && request.headers['sec-websocket-key'] !== undefined
}

function webSocketSink(webSocket: WebSocket, socket: Duplex, receivedBytes: number): WatchSink {
  let received = 0
  webSocket.on('message', (data: Buffer) => {
    received += data.byteLength
    if (received > receivedBytes) webSocket.close(TOO_MUCH_DATA)
  })
  // Who pings and does not read is answered no further: pongs would pile up here.
  webSocket.on('ping', (data) => {
    if (!socket.writableNeedDrain) webSocket.pong(data)
  })
  webSocket.on('error', () => webSocket.terminate())
  return {
    write(frames) {
      socket.cork()
      for (const frame of frames) webSocket.send(frame, { binary: false })
      socket.uncork()
      return !socket.writableNeedDrain
    },
    end: () => webSocket.close(NORMAL_CLOSURE),
    destroy: () => webSocket.terminate(),
    onDrain: (listener) => socket.on('drain', listener),
    onClose: (listener) => webSocket.once('close', listener),
  }
}
