// Requests with an Upgrade header: Node hands over their bare sockets. A WebSocket watch takes its socket from here;
// everything else (h2c, refusals, lists) is answered as if nothing had been asked to be upgraded.
import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Server } from 'node:https'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Upgrade } from './web-socket-sink.ts'

export interface Upgrades {
  /** The socket behind a request; undefined where it did not ask. */
  find(request: IncomingMessage): Upgrade | undefined
  /** Cuts those that are still open. */
  close(): void
}

export function createUpgrades(server: Server): Upgrades {
  const waiting = new WeakMap<IncomingMessage, Upgrade>()
  const sockets = new Set<Duplex>()
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(asSocket(socket))
    response.once('finish', () => {
      response.detachSocket(asSocket(socket))
      socket.end()
    })
    waiting.set(request, { socket, head, taken: () => response.detachSocket(asSocket(socket)) })
    server.emit('request', request, response)
  })
  return {
    find: (request) => waiting.get(request),
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Node's types say Duplex for what is always a socket. */
function asSocket(socket: Duplex): Socket {
  if (socket instanceof Socket) return socket
  throw new TypeError('an upgrade came over something that is no socket')
}
