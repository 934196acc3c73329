// Requests to paths that are no resource: discovery, version, health, OpenAPI. Documents made at the start in, answers out.
import type { Exchange } from './exchange.ts'
import { answerHealth, ENDPOINTS, type Endpoint, type HealthCheck } from './health.ts'
import { negotiateDocument } from './negotiate.ts'
import { answerDocument, NO_CACHE } from './payload-answer.ts'
import type { ReadyDocument } from './ready-document.ts'
import type { Answer } from './send.ts'
import { methodNotAllowed, pathNotFound } from './status.ts'

/** All ready documents, by path. */
export interface Documents {
  readonly plain: ReadonlyMap<string, ReadyDocument>
  readonly aggregated: ReadonlyMap<string, ReadyDocument>
  /** Answers for paths whose documents are chosen by more than the path (OpenAPI, metrics). */
  readonly special: ReadonlyMap<string, (exchange: Exchange) => Promise<Answer>>
  /** Of a path that is nobody else's; undefined: there is none. */
  readonly further: (path: string) => ReadyDocument | undefined
}

const GET_OR_HEAD = new Set(['GET', 'HEAD'])

/** `path` is decoded. */
export async function answerPath(
  exchange: Exchange,
  path: string,
  documents: Documents,
  checks: readonly HealthCheck[],
): Promise<Answer> {
  const answer = findAnswer(exchange, path, documents, checks)
  if (answer === undefined) throw pathNotFound()
  if (!GET_OR_HEAD.has(exchange.method)) throw methodNotAllowed('GET, HEAD')
  return answer()
}

function findAnswer(
  exchange: Exchange,
  path: string,
  documents: Documents,
  checks: readonly HealthCheck[],
): (() => Promise<Answer>) | undefined {
  const special = documents.special.get(path)
  if (special !== undefined) return () => special(exchange)
  const document = documents.plain.get(path) ?? documents.further(path)
  if (document !== undefined) return () => answerNegotiated(exchange, path, document, documents.aggregated)
  const health = healthTarget(path)
  if (health === undefined || answerHealth(checks, ...health, exchange.query) === undefined) return undefined
  return async () => healthAnswer(exchange, checks, ...health)
}

async function answerNegotiated(
  exchange: Exchange,
  path: string,
  document: ReadyDocument,
  aggregated: Documents['aggregated'],
): Promise<Answer> {
  const offered = (['v2', 'v2beta1'] as const).filter((version) => aggregated.has(`${path} ${version}`))
  const { version, style } = negotiateDocument(exchange.negotiation, offered)
  const chosen = version === undefined ? undefined : aggregated.get(`${path} ${version}`)
  const answer = await answerDocument(exchange, chosen ?? document, style)
  return offered.length === 0 ? answer : { ...answer, headers: { ...answer.headers, vary: 'Accept' } }
}

/** `/readyz` or `/readyz/<check>`; a name may hold slashes. */
function healthTarget(path: string): [Endpoint, string] | undefined {
  const [, first, ...rest] = path.split('/')
  const endpoint = ENDPOINTS.find((one) => one === first)
  return endpoint === undefined ? undefined : [endpoint, rest.join('/')]
}

function healthAnswer({ query }: Exchange, checks: readonly HealthCheck[], endpoint: Endpoint, name: string): Answer {
  const { healthy, text } = answerHealth(checks, endpoint, name, query) ?? { healthy: false, text: '' }
  const headers = {
    'cache-control': NO_CACHE,
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
  }
  return { status: healthy ? 200 : 500, headers, body: [Buffer.from(text)] }
}
