// Station 3: reads one catalog again and again, one reading at a time, and keeps the last good one. Receives addresses and signs
// of change, hands on readings and failures. A failure never takes a reading away.
import { OlmError, reasonOf } from '../errors.ts'
import { isRegistryCallError } from '../registry/call-error.ts'
import type { ConnectionState } from '../registry/channel.ts'
import type { Dial } from '../registry/client.ts'
import type { Clock } from './clock.ts'
import { createConnection } from './connections.ts'
import type { HeadDecoder } from './head-decoder.ts'
import { createLateCalls } from './late-calls.ts'
import { lostDelay, type PollFacts, readyDelay, regularDelay } from './poll-schedule.ts'
import { type ReadingLimits, readRegistry, type WholeReading } from './reading.ts'
import { NOTHING_READ, type ReadingMemory } from './reading-memory.ts'
import type { Snapshot } from './snapshot.ts'

export interface PollerOptions {
  readonly dial: Dial
  readonly decoder: HeadDecoder
  readonly limits: ReadingLimits
  readonly clock: Clock
  /** Milliseconds between readings. */
  readonly interval: () => number
  readonly onState: (state: ConnectionState | 'NO_ADDRESS') => void
  /** A whole reading. `changed`: it differs from the one before. The next begins after what it returned has ended. */
  readonly onReading: (snapshot: Snapshot, changed: boolean, tookMs: number) => void | Promise<void>
  readonly onFailure: (reason: string, error: unknown) => void
}

export interface Poller {
  /** The last good reading. */
  readonly snapshot: Snapshot | undefined
  readonly state: ConnectionState | 'NO_ADDRESS'
  readonly reading: boolean
  /** Dials and reads at once; a running reading of the old address is thrown away. Undefined: there is nothing to dial. */
  setAddress(address: string | undefined): void
  /** What was read in an earlier life of the process: stands until the first good reading. False: there has been one. */
  adopt(snapshot: Snapshot): boolean
  /** Reads at once, or once more after the running reading. */
  readNow(): void
  /** To be called when the interval is another. */
  reschedule(): void
  /** Ends when no reading runs any more. */
  close(): Promise<void>
}

/** Answers that contradict each other come from a registry that is changing: it is read again after this, ms. */
const SETTLE_MS = 1000

export function createPoller(options: PollerOptions): Poller {
  const { clock, limits, decoder } = options
  const never = Number.POSITIVE_INFINITY
  let memory: ReadingMemory = NOTHING_READ
  let late = createLateCalls()
  let address: string | undefined
  let failures = 0
  let attemptedAt: number | undefined
  let believeHeads = false
  let due = never
  let again = false
  let current: AbortController | undefined
  let closed = false
  let wake = () => {}
  const connection = createConnection({ dial: options.dial, clock, onState: stateChanged })
  const finished = run()

  function facts(): PollFacts {
    const sinceAttempt = attemptedAt === undefined ? undefined : clock.monotonic() - attemptedAt
    return { sinceAttempt, failures, interval: options.interval(), random: clock.random() }
  }

  function within(delay: number): void {
    due = Math.min(due, clock.monotonic() + delay)
    wake()
  }

  function stateChanged(state: ConnectionState | 'NO_ADDRESS'): void {
    options.onState(state)
    // A reading that runs notices by itself that the connection is another.
    if (current !== undefined) return
    if (state === 'READY') within(readyDelay(facts()))
    if (state === 'TRANSIENT_FAILURE' && failures === 0) within(lostDelay(clock.random()))
  }

  async function run(): Promise<void> {
    while (!closed) {
      const wait = due - clock.monotonic()
      if (wait > 0) {
        await pause(wait)
        continue
      }
      due = never
      await attempt()
    }
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const stop = ms === never ? () => {} : clock.after(ms, resolve)
      wake = () => {
        stop()
        resolve()
      }
    })
  }

  async function attempt(): Promise<void> {
    const control = new AbortController()
    current = control
    const { signal } = control
    const began = clock.monotonic()
    try {
      const whole = await readPatiently(signal)
      if (signal.aborted) return
      const before = memory.snapshot?.hash
      memory = whole.memory
      failures = 0
      ended()
      await options.onReading(whole.snapshot, whole.snapshot.hash !== before, clock.monotonic() - began)
    } catch (error) {
      if (signal.aborted) return
      failures++
      ended()
      options.onFailure(reasonOf(error), error)
      // The connection may be dead without a word, the process behind it frozen or moved.
      if (isRegistryCallError(error) && error.status === 'DEADLINE_EXCEEDED') redial()
    } finally {
      current = undefined
      if (again) within(0)
      again = false
    }
  }

  function ended(): void {
    attemptedAt = clock.monotonic()
    within(regularDelay(facts()))
  }

  /** Contradictory answers: read again once; where there is no good reading that could stay, they are believed the second time. */
  async function readPatiently(signal: AbortSignal): Promise<WholeReading> {
    try {
      return await read(signal)
    } catch (error) {
      if (!isInconsistent(error) || signal.aborted) throw error
    }
    await settle(signal)
    try {
      return await read(signal)
    } catch (error) {
      if (!isInconsistent(error) || signal.aborted || memory.snapshot !== undefined) throw error
    }
    believeHeads = true
    return read(signal)
  }

  function read(signal: AbortSignal): Promise<WholeReading> {
    const { client } = connection
    if (client === undefined) throw new Error('there is no address')
    let readyAtFirst: number | undefined
    return readRegistry({
      client,
      decoder,
      memory,
      late,
      limits,
      clock,
      signal,
      believeHeads,
      onFirstMessage() {
        readyAtFirst ??= connection.readyCount
      },
      reconnected: () => readyAtFirst !== connection.readyCount,
    })
  }

  function settle(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const stop = clock.after(SETTLE_MS, resolve)
      signal.addEventListener('abort', () => {
        stop()
        resolve()
      })
    })
  }

  function redial(): void {
    try {
      connection.dial(address)
    } catch (error) {
      options.onFailure(reasonOf(error), error)
    }
  }

  return {
    get snapshot() {
      return memory.snapshot
    },
    get state() {
      return connection.state
    },
    get reading() {
      return current !== undefined
    },
    setAddress(next) {
      address = next
      current?.abort()
      failures = 0
      attemptedAt = undefined
      believeHeads = false
      late = createLateCalls()
      due = never
      again = false
      redial()
      if (connection.client !== undefined) within(0)
    },
    adopt(snapshot) {
      if (closed || memory.snapshot !== undefined) return false
      memory = { ...NOTHING_READ, snapshot }
      return true
    },
    readNow() {
      if (current !== undefined) again = true
      else if (connection.client !== undefined) within(0)
    },
    reschedule() {
      if (attemptedAt === undefined || current !== undefined || connection.client === undefined) return
      due = clock.monotonic() + regularDelay(facts())
      wake()
    },
    async close() {
      closed = true
      current?.abort()
      connection.close()
      wake()
      await finished
    },
  }
}

function isInconsistent(error: unknown): boolean {
  return error instanceof OlmError && error.code === 'READING_INCONSISTENT'
}
