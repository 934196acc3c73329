// TokenReviews: whose token is this? Receives a token, hands on an identity or undefined (not accepted), kept for a short
// time under a hash. The token goes to the API server and nowhere else: no log line, no error, no key holds it.
import type { Logger } from '../log.ts'
import { createAnswerCache } from './answer-cache.ts'
import { type ApiClient, isObject } from './api-client.ts'
import type { Clock } from './back-off.ts'
import { requestPatiently } from './patient-request.ts'
import { createTroubleLog } from './trouble-log.ts'

export interface ReviewedIdentity {
  readonly user: string
  readonly uid: string
  readonly groups: readonly string[]
  readonly extra: Readonly<Record<string, readonly string[]>>
}

export interface TokenReviewOptions {
  readonly client: ApiClient
  readonly clock: Clock
  readonly log: Logger
  /** Milliseconds for which a review counts, good or bad. */
  readonly ttl: number
  /** Empty: the API server's own. Otherwise a token must be for one of these. */
  readonly audiences: readonly string[]
  /** Milliseconds, repetitions included. */
  readonly deadline?: number
  readonly size?: number
}

const PATH = '/apis/authentication.k8s.io/v1/tokenreviews'
const DEADLINE = 10_000
const KEPT = 4096
const IN_FLIGHT = 256

/** Longest token that is sent on: far above any real one, far below what would be a burden. */
const LONGEST_TOKEN = 64 << 10

/** Rejects with an OlmError where the API server cannot be asked. */
export function createTokenReviewer(
  options: TokenReviewOptions,
): (token: string) => Promise<ReviewedIdentity | undefined> {
  const { client, clock, audiences } = options
  const trouble = createTroubleLog(
    options.log,
    'tokens cannot be reviewed: bind the ClusterRole system:auth-delegator to us, see that the API server answers',
  )
  const cache = createAnswerCache<{ readonly identity: ReviewedIdentity | undefined }>({
    size: options.size ?? KEPT,
    ttl: () => options.ttl,
    inFlight: IN_FLIGHT,
    now: () => clock.now(),
  })

  async function ask(token: string): Promise<{ readonly identity: ReviewedIdentity | undefined }> {
    const spec = audiences.length === 0 ? { token } : { token, audiences }
    const body = { kind: 'TokenReview', apiVersion: 'authentication.k8s.io/v1', metadata: {}, spec }
    try {
      const call = { method: 'POST', path: PATH, body, deadline: options.deadline ?? DEADLINE } as const
      const answer = await requestPatiently(client, call, clock)
      trouble.over()
      return { identity: identityOf(answer.body, audiences) }
    } catch (error) {
      trouble.report(error)
      throw error
    }
  }

  return async (token) => {
    if (token === '' || token.length > LONGEST_TOKEN) return undefined
    return (await cache.get(token, () => ask(token))).identity
  }
}

function identityOf(body: unknown, audiences: readonly string[]): ReviewedIdentity | undefined {
  const status = isObject(body) && isObject(body.status) ? body.status : {}
  const user = status.user
  if (status.authenticated !== true || !isObject(user) || typeof user.username !== 'string') return undefined
  // A reviewer that says nothing of audiences does not know them: its yes is none for the audience that we asked for.
  const meant = strings(status.audiences)
  if (audiences.length > 0 && !meant.some((audience) => audiences.includes(audience))) return undefined
  return {
    user: user.username,
    uid: typeof user.uid === 'string' ? user.uid : '',
    groups: strings(user.groups),
    extra: extraOf(user.extra),
  }
}

function extraOf(raw: unknown): Record<string, readonly string[]> {
  const extra: Record<string, readonly string[]> = Object.create(null)
  for (const [key, values] of isObject(raw) ? Object.entries(raw) : []) extra[key] = strings(values)
  return extra
}

function strings(raw: unknown): readonly string[] {
  return Array.isArray(raw) ? raw.filter((one) => typeof one === 'string') : []
}
