// From CatalogSources to snapshots, for any program that reads catalogs: one poller per catalog, none of which waits for another.
// Receives sets of catalogs, hands on each source, each reading and each failure as they come.
import { isDeepStrictEqual } from 'node:util'
import type { CatalogKey, CatalogSource } from '../api/catalog-source.ts'
import { reasonOf } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { ConnectionState } from '../registry/channel.ts'
import type { Dial } from '../registry/client.ts'
import { type CatalogLog, createCatalogLog } from './catalog-log.ts'
import type { CatalogSet, CatalogSources, NamedCatalog } from './catalog-sources.ts'
import type { Clock } from './clock.ts'
import type { HeadDecoder } from './head-decoder.ts'
import type { KeptReadings } from './kept-readings.ts'
import { createPoller, type Poller } from './poller.ts'
import { READING_LIMITS, type ReadingLimits } from './reading.ts'
import type { Snapshot } from './snapshot.ts'

/** What happens to catalogs, in the order in which it happens to each. A throw is logged and costs nobody else. */
export interface CatalogEvents {
  /** A catalog is new, or something in its source is. Comes before anything else of it. */
  source?(source: CatalogSource): void | Promise<void>
  /** Its CatalogSource was deleted, or replaced by another of the same name: `source` then follows. */
  removed?(key: CatalogKey, source: CatalogSource): void
  /** The first whole set of sources has been told. */
  synced?(): void
  connection?(key: CatalogKey, state: CatalogConnectionState): void
  /** A whole reading has ended. The next of this catalog begins after the promise has ended. */
  reading?(key: CatalogKey, snapshot: Snapshot, facts: ReadingFacts): void | Promise<void>
  /** What an earlier life of the process kept of it stands until the first whole reading. */
  recalled?(key: CatalogKey, snapshot: Snapshot): void | Promise<void>
  /** An attempt has failed, or the address is none. The last good reading stands. */
  failure?(key: CatalogKey, reason: string): void
}

export interface ReadingFacts {
  /** Differs from the last good reading, or is the first. */
  readonly changed: boolean
  readonly tookMs: number
  /** Names of packages that the last good reading held and this one lacks. */
  readonly gone: readonly string[]
}

export type CatalogConnectionState = ConnectionState | 'NO_ADDRESS'

export interface CatalogsOptions {
  readonly sources: CatalogSources
  readonly dial: Dial
  readonly decoder: HeadDecoder
  readonly clock: Clock
  readonly log: Logger
  /** Milliseconds between readings of one catalog. */
  readonly interval: number
  readonly limits?: Partial<ReadingLimits>
  readonly events: CatalogEvents
  /** Where readings outlive the process. Closed by whoever opened it. */
  readonly kept?: KeptReadings
}

/** One catalog at this moment. Times are milliseconds since the epoch. */
export interface CatalogState {
  readonly source: CatalogSource
  readonly connection: CatalogConnectionState
  readonly reading: boolean
  /** The last good reading. */
  readonly snapshot: Snapshot | undefined
  /** When the latest attempt ended; undefined: none has. */
  readonly attemptedAt: number | undefined
  /** Why the latest attempt failed; undefined where it succeeded or none has ended. */
  readonly failure: string | undefined
}

export interface Catalogs {
  /** Resolves when the first whole set of sources is known; reading goes on until `signal` aborts or `close`. Fails as its sources do. */
  start(signal: AbortSignal): Promise<void>
  state(key: CatalogKey): CatalogState | undefined
  states(): readonly CatalogState[]
  /** The sources are known and the first attempt at each catalog that has an address has ended. */
  firstAttemptOver(): boolean
  /** Takes effect at once, without reading anything again that need not be. Milliseconds. */
  setInterval(interval: number): void
  /** Somebody knows that this catalog changed. */
  readNow(key: CatalogKey): void
  /** Ends when no reading runs and no connection is open any more. */
  close(): Promise<void>
}

interface Entry {
  source: CatalogSource
  fault: string | undefined
  touch: string | undefined
  readonly notes: CatalogLog
  readonly poller: Poller
  attemptedAt: number | undefined
  failure: string | undefined
}

export function createCatalogs(options: CatalogsOptions): Catalogs {
  const { sources, clock, log, events, kept } = options
  const limits = { ...READING_LIMITS, ...options.limits }
  const entries = new Map<CatalogKey, Entry>()
  const closing = new Set<Promise<void>>()
  const stop = new AbortController()
  let interval = options.interval
  let synced = false

  /** Never rejects. */
  async function tell(key: CatalogKey, call: () => void | Promise<void>): Promise<void> {
    try {
      await call()
    } catch (error) {
      log.error({ catalog: key, reason: reasonOf(error) }, 'a listener failed')
    }
  }

  function add(key: CatalogKey, { source, fault, touch }: NamedCatalog): void {
    const notes = createCatalogLog(key, log)
    const poller = createPoller({
      dial: options.dial,
      decoder: options.decoder,
      limits,
      clock,
      interval: () => interval,
      onState: (state) => void tell(key, () => events.connection?.(key, state)),
      async onReading(snapshot, changed, tookMs) {
        entry.attemptedAt = clock.now()
        entry.failure = undefined
        const gone = notes.read(snapshot, changed, tookMs)
        kept?.keep(entry.source, snapshot)
        await tell(key, () => events.reading?.(key, snapshot, { changed, tookMs, gone }))
      },
      onFailure(reason) {
        entry.attemptedAt = clock.now()
        fail(key, entry, reason)
      },
    })
    const entry: Entry = { source, fault: undefined, touch, notes, poller, attemptedAt: undefined, failure: undefined }
    entries.set(key, entry)
    void tell(key, () => events.source?.(source))
    blame(key, entry, fault)
    dial(key, entry)
  }

  /** What was kept is fetched while the registry is asked: whichever comes first is shown first. */
  function dial(key: CatalogKey, entry: Entry): void {
    const { source, poller, notes } = entry
    poller.setAddress(source.address)
    if (kept === undefined || poller.snapshot !== undefined) return
    void tell(key, async () => {
      const snapshot = await kept.recall(source)
      if (snapshot === undefined || entries.get(key) !== entry || entry.source.address !== source.address) return
      if (!poller.adopt(snapshot)) return
      notes.recalled(snapshot)
      await events.recalled?.(key, snapshot)
    })
  }

  function fail(key: CatalogKey, entry: Entry, reason: string): void {
    entry.failure = reason
    entry.notes.failed(reason)
    void tell(key, () => events.failure?.(key, reason))
  }

  function blame(key: CatalogKey, entry: Entry, fault: string | undefined): void {
    entry.fault = fault
    if (fault !== undefined) fail(key, entry, fault)
  }

  function update(key: CatalogKey, entry: Entry, { source, fault, touch }: NamedCatalog): void {
    const before = entry.source
    if (!isDeepStrictEqual(before, source)) {
      entry.source = source
      void tell(key, () => events.source?.(source))
    }
    if (fault !== entry.fault) blame(key, entry, fault)
    if (before.address !== source.address) dial(key, entry)
    else if (touch !== entry.touch) entry.poller.readNow()
    entry.touch = touch
  }

  function remove(key: CatalogKey, entry: Entry): void {
    entries.delete(key)
    const closed = entry.poller.close().finally(() => closing.delete(closed))
    closing.add(closed)
    kept?.forget(key)
    void tell(key, () => events.removed?.(key, entry.source))
  }

  function reconcile(catalogs: CatalogSet): void {
    if (stop.signal.aborted) return
    for (const [key, entry] of [...entries]) {
      const named = catalogs.get(key)
      if (named === undefined || isAnother(entry.source, named.source)) remove(key, entry)
    }
    for (const [key, named] of catalogs) {
      const entry = entries.get(key)
      if (entry === undefined) add(key, named)
      else update(key, entry, named)
    }
  }

  function stateOf({ source, poller, attemptedAt, failure }: Entry): CatalogState {
    const { state, reading, snapshot } = poller
    return { source, connection: state, reading, snapshot, attemptedAt, failure }
  }

  async function close(): Promise<void> {
    stop.abort()
    for (const { poller } of entries.values()) closing.add(poller.close())
    entries.clear()
    await Promise.all([...closing])
  }

  return {
    async start(signal) {
      signal.addEventListener('abort', () => void close(), { once: true })
      await sources.start(AbortSignal.any([signal, stop.signal]), reconcile)
      if (stop.signal.aborted) return
      synced = true
      kept?.only(entries.keys())
      events.synced?.()
    },
    state(key) {
      const entry = entries.get(key)
      return entry === undefined ? undefined : stateOf(entry)
    },
    states: () => [...entries.values()].map(stateOf),
    firstAttemptOver() {
      const over = ({ source, attemptedAt }: Entry) => attemptedAt !== undefined || source.address === undefined
      return synced && [...entries.values()].every(over)
    },
    setInterval(next) {
      if (next === interval) return
      interval = next
      for (const { poller } of entries.values()) poller.reschedule()
    },
    readNow: (key) => entries.get(key)?.poller.readNow(),
    close,
  }
}

/** The object was deleted and made anew between two looks: what the old one served is gone with it. */
function isAnother(before: CatalogSource, after: CatalogSource): boolean {
  return before.uid !== undefined && after.uid !== undefined && before.uid !== after.uid
}
