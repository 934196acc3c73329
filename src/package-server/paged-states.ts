// States that somebody pages through, kept for a few minutes so that all pages show one moment. Receives states, hands
// them on by number. Bounded: the oldest goes first, and its readers are told to begin again.
import { LRUCache } from 'lru-cache'
import type { State } from './store.ts'

export interface PagedStates {
  /** `version`: the number that the pages bear, which may be another replica's. */
  keep(version: number, state: State): void
  /** The state of that number, if it is still kept. */
  find(version: number): State | undefined
}

/** As long as the API server's own tokens live. */
const KEPT_MS = 5 * 60_000
const KEPT_STATES = 16

export function createPagedStates(now: () => number): PagedStates {
  const states = new LRUCache<number, { readonly state: State; readonly until: number }>({ max: KEPT_STATES })
  return {
    keep: (version, state) => void states.set(version, { state, until: now() + KEPT_MS }),
    find(version) {
      const kept = states.get(version)
      if (kept !== undefined && kept.until >= now()) return kept.state
      states.delete(version)
      return undefined
    },
  }
}
