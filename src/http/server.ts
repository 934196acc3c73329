// The server: HTTP/1.1 over TLS. Receives resources, authenticator, authorizer, checks and bounds; hands on a server that
// listens, takes new certificates, and closes without losing an answer. What a request goes through: request-handler.ts.
import type { X509Certificate } from 'node:crypto'
import type { Server } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import type { Logger } from '../log.ts'
import type { Identity, RequestFacts } from './authentication.ts'
import type { Authorizer } from './authorization.ts'
import { type Bounds, DEFAULT_BOUNDS } from './bounds.ts'
import { answerBrokenRequest } from './broken-request.ts'
import type { Documents } from './document-answer.ts'
import { ENDPOINTS, type HealthCheck } from './health.ts'
import { createInFlight } from './in-flight.ts'
import { metricsAnswer } from './metrics-answer.ts'
import { openApiAnswers } from './openapi.ts'
import type { MetricsText } from './prometheus.ts'
import { dropBody } from './request-body.ts'
import { type AnswerFacts, createRequestHandler, type RequestHandler } from './request-handler.ts'
import type { Resource } from './resource.ts'
import { createRunningWatches } from './running-watches.ts'
import { createDocuments, type VersionInfo } from './served-documents.ts'
import { DEFAULT_TLS, type ServingCertificate, secureContextOptions, type TlsSettings } from './tls.ts'
import { createTlsServer } from './tls-server.ts'
import { createUpgrades } from './upgrades.ts'
import { createWatchStreams } from './watch-streams.ts'
import { createWebSocketDoor } from './web-socket-sink.ts'

export interface ServerOptions {
  readonly resources: readonly Resource[]
  readonly certificate: ServingCertificate
  readonly tls?: TlsSettings
  /** `composeAuthenticators(…)`, wrapped by impersonation where it is wanted. */
  readonly authenticate: (facts: RequestFacts) => Promise<Identity>
  readonly authorize: Authorizer
  /** Exact paths that are open to everybody, credentials not looked at. Default: health. */
  readonly openPaths?: readonly string[]
  /** Beside `ping` and `shutdown`, which the server adds. */
  readonly checks: readonly HealthCheck[]
  readonly version: VersionInfo
  /** An object for a path that is nobody else's; undefined: 404. None by default. */
  readonly further?: (path: string) => object | undefined
  readonly bounds?: Partial<Bounds>
  readonly log: Logger
  readonly clock: { now(): number; random(): number }
  /** For metrics and the audit log: told of each answer that was sent. Must not throw. */
  readonly observe?: (facts: AnswerFacts) => void
  /** Whether this certificate, now, is one of a front proxy: its connections give way to nobody else's. */
  readonly isFrontProxy?: (certificate: X509Certificate) => boolean
  /** Served at /metrics, to whom the authorizer lets; none: 404. */
  readonly metrics?: MetricsText
  /** Told of events sent to watchers, and of watchers cut off because they took nothing. */
  readonly onWatchSent?: (frames: number) => void
  readonly onWatchCut?: () => void
  /** Told of each handshake that failed, by OpenSSL's or Node's code. */
  readonly onHandshakeFailure?: (code: string) => void
}

export interface CloseOptions {
  /** Not ready, but serving, for so long: whoever routes requests here learns to stop. */
  readonly delayMilliseconds?: number
  /** Answers on their way get so long; then their connections are cut. */
  readonly graceMilliseconds?: number
}

export interface HttpServer {
  /** Port 0: any free one. Rejects with Node's error where the address cannot be had. */
  listen(address: { readonly host: string; readonly port: number }): Promise<{ readonly port: number }>
  /** For new connections; those that are open keep what they agreed on. Throws where it is no pair. */
  setCertificate(certificate: ServingCertificate): void
  readonly watches: number
  /** Requests for resources that are being answered, watches left out. */
  readonly requestsInFlight: number
  close(options?: CloseOptions): Promise<void>
}

const DEFAULT_GRACE = 10_000

export function createServer(options: ServerOptions): HttpServer {
  const bounds: Bounds = { ...DEFAULT_BOUNDS, ...options.bounds }
  const tls = options.tls ?? DEFAULT_TLS
  const { clock, log, certificate } = options
  const isFrontProxy = options.isFrontProxy ?? (() => false)
  const onHandshakeFailure = options.onHandshakeFailure ?? (() => undefined)
  const server = createTlsServer({ certificate, tls, bounds, log, onHandshakeFailure, isFrontProxy })
  const upgrades = createUpgrades(server)
  const running = createRunningWatches({
    clock,
    bounds,
    ...(options.onWatchSent === undefined ? {} : { onSent: options.onWatchSent }),
    ...(options.onWatchCut === undefined ? {} : { onCut: options.onWatchCut }),
  })
  const inFlight = createInFlight(bounds)
  const door = createWebSocketDoor(bounds.webSocketBytes)
  let closing = false
  const checks = [...serverChecks(() => closing), ...options.checks]
  let documents = documentsFor(options, checks, 443)

  const handle = createRequestHandler({
    ...options,
    checks,
    bounds,
    inFlight,
    documents: () => documents,
    streams: createWatchStreams({ running, inFlight, door, upgradeOf: upgrades.find }),
    observe: options.observe ?? (() => undefined),
    onFault: (fault, auditId) => log.error({ err: fault, auditId }, 'a request ended by a fault of ours'),
  })
  const app = createApp(server, handle, bounds)
  let closed: Promise<void> | undefined

  async function close({ delayMilliseconds = 0, graceMilliseconds = DEFAULT_GRACE }: CloseOptions): Promise<void> {
    closing = true
    await sleep(delayMilliseconds)
    running.close()
    const cut = setTimeout(() => {
      server.closeAllConnections()
      upgrades.close()
    }, graceMilliseconds)
    await app.close()
    clearTimeout(cut)
    upgrades.close()
  }

  return {
    async listen({ host, port }) {
      await app.listen({ host, port })
      const address = server.address()
      const own = typeof address === 'object' && address !== null ? address.port : port
      documents = documentsFor(options, checks, own)
      return { port: own }
    },
    setCertificate: (next) => server.setSecureContext(secureContextOptions(next, tls)),
    get watches() {
      return running.size
    },
    get requestsInFlight() {
      return inFlight.requests
    },
    close(how = {}) {
      closed ??= close(how)
      return closed
    },
  }
}

/** Fastify holds the server's life; the path is read by request-path.ts alone, so one route takes all of them. */
function createApp(server: Server, handle: RequestHandler, bounds: Bounds) {
  const take = (request: FastifyRequest, reply: FastifyReply) => {
    reply.hijack()
    dropBody(request.raw, reply.raw, bounds.bodyBytes)
    handle(request.raw, reply.raw).catch(() => reply.raw.destroy())
  }
  const app = fastify({
    serverFactory: (listener) => server.on('request', listener),
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (_fault, request, reply) => take(request, reply),
    return503OnClosing: false,
    exposeHeadRoutes: false,
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  app.route({ method: app.supportedMethods, url: '*', handler: take })
  app.setNotFoundHandler(take)
  return app
}

function serverChecks(isClosing: () => boolean): HealthCheck[] {
  return [
    { name: 'ping', endpoints: ENDPOINTS, check: () => undefined },
    { name: 'shutdown', endpoints: ['readyz'], check: () => (isClosing() ? 'the server is closing' : undefined) },
  ]
}

function documentsFor(options: ServerOptions, checks: readonly HealthCheck[], port: number): Documents {
  const definitions = options.resources.map((one) => one.definition)
  const special = new Map(openApiAnswers({ definitions, version: options.version.gitVersion }))
  if (options.metrics !== undefined) special.set('/metrics', metricsAnswer(options.metrics))
  return createDocuments({
    definitions,
    checks,
    version: options.version,
    port,
    special,
    further: options.further ?? (() => undefined),
  })
}
