// How long to wait before asking the API server again. Receives facts, hands on milliseconds; holds nothing, waits only when told.
import { setTimeout as wait } from 'node:timers/promises'

/** Time and chance, passed to whatever waits, so that tests decide both. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** In [0, 1). */
  random(): number
  /** Resolves after `ms`, or at once when `signal` aborts. Never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: Date.now,
  random: Math.random,
  sleep: (ms, signal) => wait(ms, undefined, { signal, ref: false }).catch(() => undefined),
}

export interface BackOff {
  /** First delay, ms. */
  readonly initial: number
  /** Longest delay, ms, jitter aside. */
  readonly longest: number
}

export const BACK_OFF: BackOff = { initial: 800, longest: 30_000 }

/** Longest `Retry-After` that is believed, ms: a proxy that says "tomorrow" must not silence us. */
const LONGEST_RETRY_AFTER = 120_000

/**
 * The delay after `failures` failures in a row (1: the first). Doubles, with half of it left to chance, so that replicas
 * that failed together do not come back together. A server's `Retry-After` is a lower bound.
 */
export function retryDelay(
  failures: number,
  retryAfterMs: number | undefined,
  random: () => number,
  backOff = BACK_OFF,
): number {
  const full = Math.min(backOff.longest, backOff.initial * 2 ** Math.min(30, Math.max(0, failures - 1)))
  const jittered = full / 2 + (full / 2) * random()
  const asked = Math.min(LONGEST_RETRY_AFTER, Math.max(0, retryAfterMs ?? 0))
  return asked > 0 ? asked + jittered * 0.1 + (jittered > asked ? jittered - asked : 0) : jittered
}

/** RFC 9110 section 10.2.3: seconds or a date. Undefined where absent or unreadable. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined || header.trim() === '') return undefined
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
