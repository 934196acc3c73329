// Time and chance, passed to whatever waits, so that tests and simulations decide both.

export interface Clock {
  /** Milliseconds since the epoch: for what people read. May jump when the machine's clock is set. */
  now(): number
  /** Milliseconds that only grow: for lengths of time. */
  monotonic(): number
  /** In [0, 1). */
  random(): number
  /** Calls back once after `ms`, unless the returned function was called before. */
  after(ms: number, callback: () => void): () => void
}

/** Its timers do not keep the process alive. */
export function systemClock(): Clock {
  return {
    now: Date.now,
    monotonic: () => performance.now(),
    random: Math.random,
    after(ms, callback) {
      const timer = setTimeout(callback, ms)
      timer.unref()
      return () => clearTimeout(timer)
    },
  }
}
