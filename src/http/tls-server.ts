// Node's HTTPS server, set up: certificate, bounds and time-outs in; a server that speaks HTTP/1.1 alone out.
import type { X509Certificate } from 'node:crypto'
import { createServer as createHttpsServer, type Server } from 'node:https'
import type { TLSSocket } from 'node:tls'
import type { Logger } from '../log.ts'
import type { Bounds } from './bounds.ts'
import { keepConnectionPlaces } from './connection-places.ts'
import { type ServingCertificate, type TlsSettings, tlsServerOptions } from './tls.ts'

export interface TlsServerParts {
  readonly certificate: ServingCertificate
  readonly tls: TlsSettings
  readonly bounds: Bounds
  readonly log: Logger
  readonly onHandshakeFailure: (code: string) => void
  /** Its connections give way to nobody else's. */
  readonly isFrontProxy: (certificate: X509Certificate) => boolean
}

const KEEP_ALIVE_PROBE = 30_000
/** How often Node looks for connections whose time is up. */
const CHECK_INTERVAL = 5_000

export function createTlsServer(parts: TlsServerParts): Server {
  const { certificate, tls, bounds, log, onHandshakeFailure, isFrontProxy } = parts
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
  let full = false
  keepConnectionPlaces(server, {
    bound: bounds.connections,
    isFrontProxy,
    onClosed() {
      if (!full)
        log.warn({ connections: bounds.connections }, 'all places are taken: connections give way to newer ones')
      full = true
    },
  })
  // A client that waits for leave to send its body gets its answer instead.
  server.on('checkContinue', (request, response) => server.emit('request', request, response))
  const told = new Set<string>()
  server.on('tlsClientError', (fault: HandshakeFault, socket: TLSSocket) => {
    const code = fault.code ?? 'UNKNOWN'
    onHandshakeFailure(code)
    socket.destroy()
    if (told.has(code)) return
    told.add(code)
    log.warn(
      { code, reason: reasonOf(fault), client: socket.remoteAddress },
      'TLS handshakes fail; further ones of this cause are only counted',
    )
  })
  return server
}

/** OpenSSL's faults have a reason of a few words; their message ends with a place in its source and a line feed. */
interface HandshakeFault extends NodeJS.ErrnoException {
  readonly reason?: string
}

function reasonOf({ reason, message }: HandshakeFault): string {
  return reason ?? message.trim()
}
