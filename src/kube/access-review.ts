// SubjectAccessReviews: may this identity do that? Receives the review's spec, hands on the API server's answer, kept for a
// short time. Says yes only where the API server did.
import { OlmError } from '../errors.ts'
import type { Logger } from '../log.ts'
import { createAnswerCache } from './answer-cache.ts'
import { type ApiClient, isObject } from './api-client.ts'
import type { Clock } from './back-off.ts'
import { requestPatiently } from './patient-request.ts'
import { createTroubleLog } from './trouble-log.ts'

export interface AccessReviewAnswer {
  readonly allowed: boolean
  readonly denied: boolean
  /** Empty where the API server gives none. */
  readonly reason: string
}

export interface AccessReviewOptions {
  readonly client: ApiClient
  readonly clock: Clock
  readonly log: Logger
  /** Milliseconds. */
  readonly allowedTtl: number
  /** Milliseconds. */
  readonly deniedTtl: number
  /** Milliseconds for one question, repetitions included. */
  readonly deadline?: number
  /** Answers kept at most. */
  readonly size?: number
  /** Called once per question that went to the API server. */
  readonly onAsked?: (outcome: 'allowed' | 'denied' | 'error', milliseconds: number) => void
}

const PATH = '/apis/authorization.k8s.io/v1/subjectaccessreviews'
const DEADLINE = 10_000
const KEPT = 8192
const IN_FLIGHT = 512

/** The spec's member order is part of the question: make it with one function, always. Rejects with an OlmError. */
export function createAccessReviewer(options: AccessReviewOptions): (spec: object) => Promise<AccessReviewAnswer> {
  const { client, clock } = options
  const trouble = createTroubleLog(
    options.log,
    'access cannot be reviewed: bind the ClusterRole system:auth-delegator to us, see that the API server answers',
  )
  const cache = createAnswerCache<AccessReviewAnswer>({
    size: options.size ?? KEPT,
    ttl: (answer) => (answer.allowed ? options.allowedTtl : options.deniedTtl),
    inFlight: IN_FLIGHT,
    now: () => clock.now(),
  })

  async function ask(spec: object): Promise<AccessReviewAnswer> {
    const started = clock.now()
    const body = { kind: 'SubjectAccessReview', apiVersion: 'authorization.k8s.io/v1', metadata: {}, spec }
    try {
      const call = { method: 'POST', path: PATH, body, deadline: options.deadline ?? DEADLINE } as const
      const answer = answerOf((await requestPatiently(client, call, clock)).body)
      options.onAsked?.(answer.allowed ? 'allowed' : 'denied', clock.now() - started)
      trouble.over()
      return answer
    } catch (error) {
      options.onAsked?.('error', clock.now() - started)
      trouble.report(error)
      throw error
    }
  }

  return (spec) => cache.get(JSON.stringify(spec), () => ask(spec))
}

/** Anything but a clear `true` is no yes; both yes and no is a no. What is no review at all is no answer. */
function answerOf(body: unknown): AccessReviewAnswer {
  const status = isObject(body) ? body.status : undefined
  if (!isObject(status) || typeof status.allowed !== 'boolean')
    throw new OlmError('KUBE_UNREACHABLE', {
      method: 'POST',
      path: PATH,
      source: 'review',
      reason: 'the answer is no review',
    })
  const denied = status.denied === true
  const reason = typeof status.reason === 'string' ? status.reason : ''
  return { allowed: status.allowed && !denied, denied, reason }
}
