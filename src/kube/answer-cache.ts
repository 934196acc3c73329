// Answers kept for a short, bounded time; equal questions in flight are asked once. Receives a text as key (hashed here, so
// that no secret and no long text is kept), hands on answers. Failures are never kept.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { OlmError } from '../errors.ts'

export interface AnswerCacheOptions<T> {
  /** How many answers are kept at most. */
  readonly size: number
  /** Milliseconds for which this answer counts; 0: not at all. */
  readonly ttl: (answer: T) => number
  /** How many questions are asked at the same time at most; more are refused as retryable. */
  readonly inFlight: number
  readonly now: () => number
}

export interface AnswerCache<T> {
  get(question: string, ask: () => Promise<T>): Promise<T>
  readonly size: number
}

export function createAnswerCache<T extends object>(options: AnswerCacheOptions<T>): AnswerCache<T> {
  // The library takes a `now` of 0 for unset; no clock of ours shows it.
  const kept = new LRUCache<string, T>({ max: options.size, ttl: 1, ttlResolution: 0, perf: { now: options.now } })
  const asked = new Map<string, Promise<T>>()

  async function askOnce(key: string, ask: () => Promise<T>): Promise<T> {
    try {
      const answer = await ask()
      const ttl = options.ttl(answer)
      if (ttl > 0) kept.set(key, answer, { ttl })
      return answer
    } finally {
      asked.delete(key)
    }
  }

  return {
    get size() {
      return kept.size
    },
    get(question, ask) {
      const key = createHash('sha256').update(question).digest('base64')
      const known = kept.get(key)
      if (known !== undefined) return Promise.resolve(known)
      const pending = asked.get(key)
      if (pending !== undefined) return pending
      if (asked.size >= options.inFlight)
        return Promise.reject(new OlmError('KUBE_TOO_MANY_QUESTIONS', { limit: options.inFlight }))
      const promise = askOnce(key, ask)
      asked.set(key, promise)
      return promise
    },
  }
}
