// Node's HTTPS server, set up: certificate, bounds and time-outs in; a server that speaks HTTP/1.1 alone out.
import { createServer as createHttpsServer, type Server } from 'node:https'
import type { TLSSocket } from 'node:tls'
import type { Logger } from '../log.ts'
import type { Bounds } from './bounds.ts'
import { type ServingCertificate, type TlsSettings, tlsServerOptions } from './tls.ts'

export interface TlsServerParts {
  readonly certificate: ServingCertificate
  readonly tls: TlsSettings
  readonly bounds: Bounds
  readonly log: Logger
  readonly onHandshakeFailure: (code: string) => void
}

const KEEP_ALIVE_PROBE = 30_000
/** How often Node looks for connections whose time is up. */
const CHECK_INTERVAL = 5_000

export function createTlsServer({ certificate, tls, bounds, log, onHandshakeFailure }: TlsServerParts): Server {
  const server = createHttpsServer({
    ...tlsServerOptions(certificate, tls),
    maxHeaderSize: bounds.headerBytes,
    headersTimeout: bounds.headersMilliseconds,
    requestTimeout: bounds.requestMilliseconds,
    keepAliveTimeout: bounds.idleMilliseconds,
    connectionsCheckingInterval: CHECK_INTERVAL,
    // Probes find clients that are gone without a word: idle watches would hold their place for ever.
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_PROBE,
    noDelay: true,
  })
  server.maxHeadersCount = bounds.headerLines
  server.maxConnections = bounds.connections
  // A client that waits for leave to send its body gets its answer instead.
  server.on('checkContinue', (request, response) => server.emit('request', request, response))
  const told = new Set<string>()
  server.on('tlsClientError', (fault: NodeJS.ErrnoException, socket: TLSSocket) => {
    const code = fault.code ?? 'UNKNOWN'
    onHandshakeFailure(code)
    socket.destroy()
    if (told.has(code)) return
    told.add(code)
    log.warn(
      { code, reason: fault.message, client: socket.remoteAddress },
      'TLS handshakes fail; further ones of this cause are only counted',
    )
  })
  return server
}
