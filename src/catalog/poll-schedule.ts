// When a catalog is read next. Receives facts and chance, hands on milliseconds to wait. Pure: holds no clock and no state.

export interface PollFacts {
  /** Milliseconds since the latest attempt ended; undefined before the first has. */
  readonly sinceAttempt: number | undefined
  /** Attempts in a row that failed. 0: the latest succeeded. */
  readonly failures: number
  /** Between readings where nothing says that something changed, ms. */
  readonly interval: number
  /** In [0, 1). */
  readonly random: number
}

/** First wait after a failure and longest, ms: a registry that comes back is found within the longest. */
const FIRST_BACK_OFF_MS = 1000
const LONGEST_BACK_OFF_MS = 30_000
/** A registry that was read well is not read again sooner than this because it connected again, ms: it may do so every second. */
const SPACING_MS = 5000
/** Nor one whose reading failed, ms. */
const SPACING_AFTER_FAILURE_MS = 1000
/** Waits of many replicas or catalogs must not end together: up to this share is added. */
const JITTER = 0.1

/** Between one attempt and the next when nothing happens. */
export function regularDelay({ sinceAttempt, failures, interval, random }: PollFacts): number {
  if (sinceAttempt === undefined) return 0
  const wait = failures === 0 ? interval * (1 + JITTER * random) : backOff(failures, random)
  return Math.max(0, wait - sinceAttempt)
}

/** After the connection became ready, which is how a registry that was replaced shows. */
export function readyDelay({ sinceAttempt, failures, random }: PollFacts): number {
  if (sinceAttempt === undefined) return 0
  const spacing = failures === 0 ? SPACING_MS : SPACING_AFTER_FAILURE_MS
  return Math.max(SPREAD_MS * random, spacing * (1 + JITTER * random) - sinceAttempt)
}

/** After a lost connection could not be made again: an attempt then tells whether what is served has become stale. */
export function lostDelay(random: number): number {
  return SPACING_AFTER_FAILURE_MS + SPREAD_MS * random
}

/** Connections that were lost together come back within this time of each other, not at once, ms. */
const SPREAD_MS = 200

/** Before connecting again after a connection was lost. */
export function reconnectDelay(random: number): number {
  return SPREAD_MS * random
}

/** Doubles; half of it is left to chance, so that those that failed together do not come back together. */
function backOff(failures: number, random: number): number {
  const full = Math.min(LONGEST_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** Math.min(20, failures - 1))
  return full / 2 + (full / 2) * random
}
