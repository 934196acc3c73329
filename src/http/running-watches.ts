// All watches that are running: each pulls from its cursor as fast as its client reads. One timer looks after all of them:
// the end of their time, bookmarks, clients that stall, permissions that ended. Closing ends every one cleanly.
import type { Bounds } from './bounds.ts'
import type { WatchCursor } from './resource.ts'
import type { WatchSink } from './watch-sink.ts'

export interface WatchFacts {
  readonly cursor: WatchCursor
  readonly sink: WatchSink
  /** Undefined: a random time between 30 and 60 minutes. Not positive: ends at once. */
  readonly timeoutSeconds: number | undefined
  /** Whether the caller may still watch; a rejection counts as yes: whoever is asked may be away for a moment. */
  readonly mayWatch: () => Promise<boolean>
  readonly onEnd: () => void
}

export interface RunningWatches {
  start(facts: WatchFacts): void
  readonly size: number
  /** Ends all, and those that start later at once. */
  close(): void
}

export interface WatchTiming {
  /** Told of frames handed to a client, and of each client that was cut off because it took nothing. */
  readonly onSent?: (frames: number) => void
  readonly onCut?: () => void
  readonly clock: { now(): number; random(): number }
  readonly bounds: Pick<Bounds, 'stallMilliseconds' | 'bookmarkMilliseconds' | 'reauthorizeMilliseconds'>
}

interface Watch extends WatchFacts {
  readonly deadline: number
  nextBookmark: number
  nextQuestion: number
  /** Since when the client has taken nothing; undefined: it is not waited for. */
  stalledSince: number | undefined
  ended: boolean
}

const READ_BYTES = 64 * 1024
const TICK_MILLISECONDS = 500
const SHORTEST_WATCH = 30 * 60_000
/** A last bookmark lets a client resume where the watch ended, not a minute before. */
const LAST_BOOKMARK = 2_000

export function createRunningWatches({ clock, bounds, onSent, onCut }: WatchTiming): RunningWatches {
  const watches = new Set<Watch>()
  let closed = false
  let timer: NodeJS.Timeout | undefined

  function start(facts: WatchFacts): void {
    const now = clock.now()
    const { timeoutSeconds } = facts
    const time = timeoutSeconds === undefined ? SHORTEST_WATCH * (1 + clock.random()) : timeoutSeconds * 1000
    const watch: Watch = {
      ...facts,
      deadline: now + time,
      // Spread, so that a thousand watches that began together do not all speak at once.
      nextBookmark:
        now + Math.min(bounds.bookmarkMilliseconds * (0.75 + clock.random() / 4), Math.max(0, time - LAST_BOOKMARK)),
      nextQuestion: now + bounds.reauthorizeMilliseconds,
      stalledSince: undefined,
      ended: false,
    }
    watches.add(watch)
    timer ??= setInterval(tick, TICK_MILLISECONDS).unref()
    watch.sink.onClose(() => finish(watch))
    watch.sink.onDrain(() => {
      watch.stalledSince = undefined
      pump(watch)
    })
    watch.cursor.onReadable(() => pump(watch))
    pump(watch)
    if (closed || time <= 0) end(watch)
  }

  function pump(watch: Watch): void {
    while (!watch.ended && watch.stalledSince === undefined) {
      const { frames, ended } = watch.cursor.read(READ_BYTES)
      if (frames.length > 0) write(watch, frames)
      if (ended) end(watch)
      else if (frames.length === 0) return
    }
  }

  function write(watch: Watch, frames: readonly Uint8Array[]): void {
    onSent?.(frames.length)
    if (!watch.sink.write(frames)) watch.stalledSince = clock.now()
  }

  function end(watch: Watch): void {
    if (watch.ended) return
    watch.sink.end()
    // A client that does not read never takes the clean end either.
    const cut = setTimeout(() => watch.sink.destroy(), bounds.stallMilliseconds).unref()
    watch.sink.onClose(() => clearTimeout(cut))
    finish(watch)
  }

  function finish(watch: Watch): void {
    if (watch.ended) return
    watch.ended = true
    watches.delete(watch)
    watch.cursor.close()
    watch.onEnd()
    if (watches.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  function tick(): void {
    const now = clock.now()
    for (const watch of watches) look(watch, now)
  }

  function look(watch: Watch, now: number): void {
    if (watch.stalledSince !== undefined && now - watch.stalledSince >= bounds.stallMilliseconds) {
      onCut?.()
      watch.sink.destroy()
      finish(watch)
      return
    }
    if (now >= watch.deadline) {
      end(watch)
      return
    }
    if (now >= watch.nextBookmark) sendBookmark(watch, now)
    if (now >= watch.nextQuestion) {
      watch.nextQuestion = now + bounds.reauthorizeMilliseconds
      watch.mayWatch().then(
        (may) => (may ? undefined : end(watch)),
        () => undefined,
      )
    }
  }

  function sendBookmark(watch: Watch, now: number): void {
    const left = watch.deadline - LAST_BOOKMARK - now
    watch.nextBookmark = left > 0 ? now + Math.min(bounds.bookmarkMilliseconds, left) : Number.POSITIVE_INFINITY
    if (watch.stalledSince !== undefined) return
    const frame = watch.cursor.bookmark()
    if (frame !== undefined) write(watch, [frame])
  }

  return {
    start,
    get size() {
      return watches.size
    },
    close() {
      closed = true
      for (const watch of watches) end(watch)
    },
  }
}
