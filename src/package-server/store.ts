// Station 5: all objects by the catalog that they come from. One catalog is replaced at once or not at all; what differs
// becomes numbered events. Receives contents, hands on states and the history. A plain Map: nothing is ever evicted.
import type { CatalogKey } from '../api/catalog-source.ts'
import { type Announcement, announce } from './announcements.ts'
import { type CatalogChange, catalogChange } from './catalog-change.ts'
import { type Content, type Item, sameLabels } from './content.ts'
import { createHistory, type History, type HistoryBounds, type HistoryEvent } from './history.ts'
import { comparePlaces, merged } from './namespace-view.ts'
import {
  BOOKMARK,
  CLOCK_TOLERANCE_MS,
  digestOf,
  LAST_EVENT,
  slotAt,
  slotOf,
  versionAfter,
  versionOf,
} from './resource-version.ts'

/** Everything at one moment. Never changes once made. */
export interface State {
  /** The resourceVersion of lists. */
  readonly version: number
  readonly digest: number
  /** By namespace, name and rank. */
  readonly items: readonly Item[]
}

/** Where the holder of some number stands, or that the number says nothing to this process. */
export type Standing = KnownStanding | { readonly known: false }

export interface KnownStanding {
  readonly known: true
  /** The next event to read. */
  readonly place: number
  /** Whether nothing has changed since. */
  readonly current: boolean
  /** Whether it is the number of a list: its holder may have stored the loser of a shared name. */
  readonly listed: boolean
  /** What of ours has a greater number than this is told by events from `place` on. */
  readonly version: number
  /** The number from which to go on elsewhere: not below the one asked about, nor above the event at `place`. */
  readonly bookmark: number
}

export interface Store {
  state(): State
  readonly history: History
  /** What the catalog offers from now on. Equal content keeps its number. At most one content per name. */
  replace(owner: CatalogKey, contents: readonly Content[]): void
  remove(owner: CatalogKey): void
  /** What the catalog offers under that name. */
  find(owner: CatalogKey, name: string): Content | undefined
  owners(): readonly CatalogKey[]
  /** Where a number stands: ours, or another replica's number of a state that we know by its digest. */
  standing(version: number): Standing
  onChange(listener: () => void): () => void
}

export interface StoreOptions {
  /** `""`: none. */
  readonly globalNamespace: string
  /** Milliseconds since the epoch; a clock common to all replicas, where there is one. */
  readonly now: () => number
  readonly history?: Partial<HistoryBounds>
}

const NOTHING: ReadonlyMap<string, Item> = new Map()
const DEFAULT_BOUNDS: HistoryBounds = { events: 20_000, bytes: 16 * 2 ** 20 }

export function createStore(options: StoreOptions): Store {
  let slot = slotAt(options.now())
  let state: State = { version: versionOf(slot, 0), digest: 0, items: [] }
  const history = createHistory(state.version, state.digest, { ...DEFAULT_BOUNDS, ...options.history })
  const catalogs = new Map<CatalogKey, ReadonlyMap<string, Item>>()
  const names = new Map<string, readonly Content[]>()
  const listeners = new Set<() => void>()

  function commit(owner: CatalogKey, contents: readonly Content[]): void {
    const before = catalogs.get(owner) ?? NOTHING
    const change = catalogChange(before, contents, state.digest)
    if (change === undefined) return
    rename(before, change.items)
    publish(
      owner,
      change,
      announce(change, (name) => names.get(name) ?? [], options.globalNamespace),
    )
  }

  function rename(before: ReadonlyMap<string, Item>, after: ReadonlyMap<string, Item>): void {
    for (const [name, { content }] of before) {
      names.set(
        name,
        (names.get(name) ?? []).filter((other) => other !== content),
      )
    }
    for (const [name, { content }] of after) names.set(name, [...(names.get(name) ?? []), content])
    for (const name of before.keys()) if (names.get(name)?.length === 0) names.delete(name)
  }

  function publish(owner: CatalogKey, change: CatalogChange, announcements: readonly Announcement[]): void {
    slot = Math.max(slot, slotAt(options.now()))
    const { digest, superseded } = change
    const version =
      announcements.length === 0 ? state.version : versionAfter(state.version, slot, digest, announcements.length)
    const events = announcements.map(
      ({ type, content, previous }, index): HistoryEvent => ({
        type,
        content,
        previous: previous !== undefined && sameLabels(previous, content) ? content : previous,
        version: version + LAST_EVENT - announcements.length + 1 + index,
      }),
    )
    const renumbered = new Map<CatalogKey, Map<string, Item>>([[owner, change.items]])
    for (const { type, content, version: number } of events) {
      if (type === 'DELETED') continue
      const items = renumbered.get(content.owner) ?? new Map(catalogs.get(content.owner))
      items.set(content.name, { content, version: number })
      renumbered.set(content.owner, items)
    }
    for (const [key, items] of renumbered) {
      if (items.size === 0) catalogs.delete(key)
      else catalogs.set(key, items)
    }
    state = { version, digest, items: itemsOf(state.items, renumbered) }
    if (events.length === 0) return
    history.append({ events, superseded, version, digest })
    for (const listener of listeners) listener()
  }

  function standing(version: number): Standing {
    observe(version)
    const own = history.placeOf(version)
    if (own === undefined) return vouched(version)
    const current = own.place === history.end()
    const { place, listed } = own
    return { known: true, place, current, listed, version, bookmark: listed ? version + BOOKMARK : version }
  }

  /** Another replica's number (or ours of another life) names a state that we had too if its digest says so. */
  function vouched(version: number): Standing {
    if (slotOf(version) > slotAt(options.now() + CLOCK_TOLERANCE_MS)) return { known: false }
    for (const milestone of history.milestones()) {
      const distance = [0, BOOKMARK, LAST_EVENT].find((offset) => digestOf(version - offset) === milestone.digest)
      if (distance === undefined) continue
      const bookmark = Math.max(version - distance, milestone.version) + BOOKMARK
      const next = history.at(milestone.place)
      if (next === 'gone' || (next !== undefined && next.version <= bookmark)) continue
      const { place } = milestone
      const current = place === history.end()
      return { known: true, place, current, listed: distance === 0, version: milestone.version, bookmark }
    }
    return { known: false }
  }

  /** A replica whose clock is ahead handed this number out: what we number next must be above it, and above its bookmark. */
  function observe(version: number): void {
    if (version <= state.version + BOOKMARK) return
    const seen = slotOf(version + BOOKMARK)
    if (seen <= slotAt(options.now() + CLOCK_TOLERANCE_MS)) slot = Math.max(slot, seen + 1)
  }

  return {
    state: () => state,
    history,
    replace: commit,
    remove: (owner) => commit(owner, []),
    find: (owner, name) => catalogs.get(owner)?.get(name)?.content,
    owners: () => [...catalogs.keys()],
    standing,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The state's items with those of some catalogs replaced; what did not change keeps its place and identity. */
function itemsOf(
  items: readonly Item[],
  replaced: ReadonlyMap<CatalogKey, ReadonlyMap<string, Item>>,
): readonly Item[] {
  const others = items.filter((item) => !replaced.has(item.content.owner))
  const own = [...replaced.values()].flatMap((map) => [...map.values()])
  own.sort((a, b) => comparePlaces(a.content, b.content))
  return merged(others, own, (a, b) => comparePlaces(a.content, b.content))
}
