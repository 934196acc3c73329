// Who keeps a connection when there are too many: a bound, and an order of giving way. Receives a server and a way to tell front
// proxies, through whom the whole cluster asks; theirs are never closed to make room for others'.
import type { X509Certificate } from 'node:crypto'
import type { Server } from 'node:https'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { shownCertificate } from './client-certificate.ts'

export interface ConnectionPlacesOptions {
  /** Connections in all, unfinished handshakes too. */
  readonly bound: number
  readonly isFrontProxy: (certificate: X509Certificate) => boolean
  /** Told of each connection that had to give way. */
  readonly onClosed: () => void
}

export interface ConnectionPlaces {
  readonly size: number
}

/** In this order they give way, within each the oldest first. */
type Rank = 'handshaking' | 'ordinary'

export function keepConnectionPlaces(server: Server, options: ConnectionPlacesOptions): ConnectionPlaces {
  const { bound, isFrontProxy, onClosed } = options
  const all = new Map<string, Socket>()
  const ranks: Readonly<Record<Rank, Map<string, Socket>>> = { handshaking: new Map(), ordinary: new Map() }

  function forget(key: string): void {
    all.delete(key)
    ranks.handshaking.delete(key)
    ranks.ordinary.delete(key)
  }

  /** False where all places are front proxies'. */
  function makeRoom(): boolean {
    for (const rank of [ranks.handshaking, ranks.ordinary]) {
      const [first] = rank
      if (first === undefined) continue
      const [key, socket] = first
      forget(key)
      socket.destroy()
      onClosed()
      return true
    }
    return false
  }

  server.on('connection', (socket: Socket) => {
    if (all.size >= bound && !makeRoom()) {
      socket.destroy()
      onClosed()
      return
    }
    const key = keyOf(socket)
    all.set(key, socket)
    ranks.handshaking.set(key, socket)
    socket.once('close', () => forget(key))
  })
  server.on('secureConnection', (socket: TLSSocket) => {
    const key = keyOf(socket)
    const raw = all.get(key)
    if (raw === undefined) return
    ranks.handshaking.delete(key)
    socket.once('close', () => forget(key))
    const certificate = shownCertificate(socket)
    if (certificate === undefined || !isFrontProxy(certificate)) ranks.ordinary.set(key, raw)
  })
  server.on('tlsClientError', (_fault: Error, socket: TLSSocket) => forget(keyOf(socket)))

  return {
    get size() {
      return all.size
    },
  }
}

/** The other end, which tells open connections to one port apart. */
function keyOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress}|${remotePort}`
}
