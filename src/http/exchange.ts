// One request and what is known about it so far: read once from Node's objects, handed from station to station.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { TLSSocket } from 'node:tls'
import type { RequestFacts } from './authentication.ts'
import { bearerTokenOf } from './bearer-token.ts'
import { shownCertificate } from './client-certificate.ts'
import type { NegotiationFacts } from './negotiate.ts'
import { splitTarget } from './request-path.ts'

export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly method: string
  /** The path as sent. */
  readonly rawPath: string
  readonly query: URLSearchParams
  readonly negotiation: NegotiationFacts
  readonly auditId: string
}

export function openExchange(request: IncomingMessage, response: ServerResponse): Exchange {
  const { path, search } = splitTarget(request.url ?? '/')
  const query = new URLSearchParams(search)
  return {
    request,
    response,
    method: request.method ?? '',
    rawPath: path,
    query,
    negotiation: { accept: request.headers.accept ?? '', userAgent: request.headers['user-agent'] ?? '', query },
    auditId: auditIdOf(request),
  }
}

/** The caller's own, where it is one: the API server's audit log and ours then tell of the same request. */
function auditIdOf(request: IncomingMessage): string {
  const sent = request.headers['audit-id']
  return typeof sent === 'string' && /^[\w.:-]{1,64}$/.test(sent) ? sent : randomUUID()
}

/** What authenticators may look at. */
export function requestFacts({ request, method }: Exchange): RequestFacts {
  const { socket } = request
  return {
    method,
    headerLines: (name) => request.headersDistinct[name] ?? [],
    headerNames: () => Object.keys(request.headersDistinct),
    clientCertificate: socket instanceof TLSSocket ? shownCertificate(socket) : undefined,
    bearerToken: bearerTokenOf(request.headers.authorization, request.headers['sec-websocket-protocol']),
  }
}
