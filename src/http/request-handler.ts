// The walk of one request: path → identity → permission → place → answer or stream. The only place that turns whatever
// was thrown into an answer, and that tells the observer what was answered.
import type { Identity, RequestFacts } from './authentication.ts'
import { type Attributes, type Authorizer, attributesOf, forbiddenTo } from './authorization.ts'
import { restyle, STYLE_TYPES } from './body-style.ts'
import type { Bounds } from './bounds.ts'
import { answerPath, type Documents } from './document-answer.ts'
import { type Exchange, openExchange, requestFacts } from './exchange.ts'
import type { HealthCheck } from './health.ts'
import type { InFlight } from './in-flight.ts'
import { jsonBytes } from './json-bytes.ts'
import { negotiateStatus } from './negotiate.ts'
import { NO_CACHE } from './payload-answer.ts'
import { parsePath } from './request-path.ts'
import type { Resource } from './resource.ts'
import { answerResource, type OpenWatch, resourceAt } from './resource-answer.ts'
import { type Answer, send } from './send.ts'
import { badRequest, internalError, StatusError, uriTooLong } from './status.ts'
import type { WatchStreams } from './watch-streams.ts'

export interface RequestHandlerParts {
  readonly authenticate: (facts: RequestFacts) => Promise<Identity>
  readonly authorize: Authorizer
  readonly resources: readonly Resource[]
  /** Exact paths that are open to everybody, credentials not looked at. Default: health. */
  readonly openPaths?: readonly string[]
  readonly documents: () => Documents
  readonly checks: readonly HealthCheck[]
  readonly bounds: Bounds
  readonly inFlight: InFlight
  readonly streams: WatchStreams
  readonly observe: (facts: AnswerFacts) => void
  /** A fault that is nobody's Status: for the log. */
  readonly onFault: (fault: unknown, auditId: string) => void
  readonly clock: { now(): number }
}

/** What was asked and answered, told when it has been sent; of a watch, when it has begun. */
export interface AnswerFacts {
  readonly auditId: string
  readonly method: string
  /** undefined: refused before they were known. */
  readonly identity: Identity | undefined
  readonly attributes: Attributes | undefined
  /** As asked for, without the query. */
  readonly path: string
  readonly code: number
  readonly bytes: number
  readonly milliseconds: number
}

/** Open to everybody, credentials not looked at: those who ask whether we live have none. */
const OPEN_PATHS: readonly string[] = ['/healthz', '/livez', '/readyz']

export type RequestHandler = (request: Exchange['request'], response: Exchange['response']) => Promise<void>

export function createRequestHandler(parts: RequestHandlerParts): RequestHandler {
  return async (request, response) => {
    const started = parts.clock.now()
    const exchange = openExchange(request, response)
    const known: { identity?: Identity; attributes?: Attributes } = {}
    const result = await answerOrStatus(exchange, known, parts)
    const sent = await deliver(exchange, result, parts.bounds)
    parts.observe({
      auditId: exchange.auditId,
      method: exchange.method,
      identity: known.identity,
      attributes: known.attributes,
      path: exchange.rawPath,
      ...sent,
      milliseconds: parts.clock.now() - started,
    })
  }
}

async function deliver(
  { method, response, auditId }: Exchange,
  result: Answer | 'streaming',
  { stallMilliseconds }: Bounds,
): Promise<{ code: number; bytes: number }> {
  if (result === 'streaming') return { code: 200, bytes: 0 }
  if (response.headersSent || response.destroyed) return { code: result.status, bytes: 0 }
  const headers = { 'audit-id': auditId, ...result.headers }
  const bytes = await send(response, { ...result, headers }, { head: method === 'HEAD', stallMilliseconds })
  return { code: result.status, bytes }
}

type Known = { identity?: Identity; attributes?: Attributes }

async function answerOrStatus(
  exchange: Exchange,
  known: Known,
  parts: RequestHandlerParts,
): Promise<Answer | 'streaming'> {
  try {
    return await answer(exchange, known, parts)
  } catch (fault) {
    if (!(fault instanceof StatusError)) parts.onFault(fault, exchange.auditId)
    return answerStatus(exchange, fault instanceof StatusError ? fault : internalError())
  }
}

/** In the style that the client asked for, YAML included; JSON where nothing fits. */
async function answerStatus(exchange: Exchange, { status, headers }: StatusError): Promise<Answer> {
  const style = negotiateStatus(exchange.negotiation)
  const body = await restyle([jsonBytes(status)], style)
  return {
    status: status.code,
    headers: { 'cache-control': NO_CACHE, 'content-type': STYLE_TYPES[style], ...headers },
    body,
  }
}

async function answer(exchange: Exchange, known: Known, parts: RequestHandlerParts): Promise<Answer | 'streaming'> {
  const { authenticate, authorize, resources, documents, checks, bounds, inFlight, openPaths = OPEN_PATHS } = parts
  refuseAmbiguous(exchange)
  if (openPaths.includes(exchange.rawPath)) return answerPath(exchange, exchange.rawPath, documents(), checks)
  const identity = await authenticate(requestFacts(exchange))
  known.identity = identity
  if (Buffer.byteLength(exchange.request.url ?? '') > bounds.urlBytes) throw uriTooLong(bounds.urlBytes)
  const path = parsePath(exchange.rawPath)
  const attributes = attributesOf(exchange.method, path, exchange.query)
  known.attributes = attributes
  const decision = await authorize(identity, attributes)
  if (!decision.allowed) throw forbiddenTo(identity, attributes, decision.reason)
  if (path.kind === 'other') return answerPath(exchange, path.served, documents(), checks)
  const resource = resourceAt(resources, path)
  const leave = inFlight.enterRequest(exchange.request.socket)
  exchange.response.once('close', leave)
  const result = await answerResource(exchange, resource, path)
  if (!('open' in result)) return result
  // A watch has places of its own.
  leave()
  return startStream(exchange, result, identity, attributes, parts)
}

/** What two readers could take for two different requests (RFC 9112, 3.2), or for none. */
function refuseAmbiguous({ request }: Exchange): void {
  if (linesOf(request.rawHeaders, 'host') > 1) throw badRequest('there is more than one Host header')
  if (request.httpVersionMajor < 1) throw badRequest('the request has no version of HTTP')
}

/** Of names and values in turn, as sent: cheaper than a table of all lines for every request. */
function linesOf(rawHeaders: readonly string[], name: string): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index]
    if (sent?.length === name.length && sent.toLowerCase() === name) count++
  }
  return count
}

async function startStream(
  exchange: Exchange,
  watch: OpenWatch,
  identity: Identity,
  attributes: Attributes,
  { streams, authenticate, authorize }: RequestHandlerParts,
): Promise<'streaming'> {
  /** Credentials too are looked at anew: a certificate may have ended, its authority may be trusted no more. */
  const mayWatch = async () => {
    const now = await authenticate(requestFacts(exchange)).catch(undefinedIfRefused)
    return now?.user === identity.user && (await authorize(now, attributes)).allowed
  }
  await streams.start(exchange, watch, { user: identity.user, mayWatch })
  return 'streaming'
}

function undefinedIfRefused(fault: unknown): undefined {
  if (fault instanceof StatusError && fault.status.code < 500) return undefined
  throw fault
}
