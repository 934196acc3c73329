// The last changes in order, bounded by count and bytes: what watches read from. Readers keep a place in it and pull; it
// knows none of them. Receives numbered events, hands on those after a place, or that they are gone.
import type { EventType } from './announcements.ts'
import type { Content } from './content.ts'
import { firstIndex } from './namespace-view.ts'
import { BOOKMARK, LAST_EVENT } from './resource-version.ts'

export interface HistoryEvent {
  readonly version: number
  readonly type: EventType
  /** For DELETED: as it last was. */
  readonly content: Content
  /** What selections were about before it; undefined: nothing. */
  readonly previous: Content | undefined
}

/** Where a change ended: the number and digest of the state that it led to. */
export interface Milestone {
  readonly version: number
  readonly digest: number
  /** The place after its last event. */
  readonly place: number
}

export interface HistoryChange {
  readonly events: readonly HistoryEvent[]
  /** Contents that are in no state any more. */
  readonly superseded: readonly Content[]
  readonly version: number
  readonly digest: number
}

/** A place is a count of events since the beginning; the event at a place is the next one to read there. */
export interface History {
  /** The place after the last event. */
  end(): number
  /** undefined: there is none yet; `gone`: it was dropped. */
  at(place: number): HistoryEvent | undefined | 'gone'
  /** A change: its events and the number and digest of the state that it leads to. */
  append(change: HistoryChange): void
  /** The place of whoever holds that number, if it is one of ours that is still known. */
  placeOf(version: number): OwnPlace | undefined
  /** The latest states, newest first. */
  milestones(): readonly Milestone[]
  /** Whether a state or event of that number was ours, as far as remembered: longer than its events are kept. */
  remembers(version: number): boolean
}

export interface OwnPlace {
  readonly place: number
  /** Whether it is the number of a list, not of an event or bookmark. */
  readonly listed: boolean
}

/** The latest change is kept whole, whatever it costs: everybody who watches is about to read it. */
export interface HistoryBounds {
  readonly events: number
  /** Of superseded texts that only the history keeps. */
  readonly bytes: number
}

interface Kept extends HistoryEvent {
  /** Bytes that are in memory because of it. */
  cost: number
}

/** What an event costs beside texts. */
const EVENT_BYTES = 200
/** Each more makes it likelier that another replica's number is taken for one of ours by chance. */
const MILESTONES = 4
const REMEMBERED_CHANGES = 4096

/** From a state's last event. */
const TO_STATE = -LAST_EVENT
const TO_BOOKMARK = BOOKMARK - LAST_EVENT

export function createHistory(initialVersion: number, initialDigest: number, bounds: HistoryBounds): History {
  const events: Kept[] = []
  /** The event that keeps a content's text, once something supersedes it. */
  const keepers = new Map<Content, Kept>()
  const milestones: Milestone[] = [{ version: initialVersion, digest: initialDigest, place: 0 }]
  const changes = [{ first: initialVersion, version: initialVersion }]
  /** The place of the oldest event kept, and the number of the event before it. */
  let start = 0
  let floor = initialVersion + LAST_EVENT
  let bytes = 0

  function keep(event: HistoryEvent): void {
    const { content, previous } = event
    const kept = { ...event, cost: EVENT_BYTES }
    if (event.type === 'DELETED' || (previous !== undefined && previous !== content)) {
      kept.cost += previous?.tail.bytes.length ?? 0
    }
    events.push(kept)
    bytes += kept.cost
    if (event.type !== 'DELETED') keepers.set(content, kept)
  }

  /** The text is in no state any more: it stays in memory because of the event that told of it. */
  function supersede(content: Content): void {
    const keeper = keepers.get(content)
    if (keeper === undefined) return
    keepers.delete(content)
    keeper.cost += content.tail.bytes.length
    bytes += content.tail.bytes.length
  }

  function trim(latest: number): void {
    let drop = 0
    while (drop < events.length - latest && (events.length - drop > bounds.events || bytes > bounds.bytes)) {
      const event = events[drop++]
      if (event === undefined) break
      bytes -= event.cost
      floor = event.version
      if (keepers.get(event.content) === event) keepers.delete(event.content)
    }
    if (drop > 0) events.splice(0, drop)
    start += drop
  }

  return {
    end: () => start + events.length,
    at: (place) => (place < start ? 'gone' : events[place - start]),
    append({ events: added, superseded, version, digest }) {
      for (const content of superseded) supersede(content)
      for (const event of added) keep(event)
      changes.push({ first: added[0]?.version ?? version, version })
      if (changes.length > REMEMBERED_CHANGES) changes.shift()
      milestones.unshift({ version, digest, place: start + events.length })
      if (milestones.length > MILESTONES) milestones.pop()
      trim(added.length)
    },
    placeOf(version) {
      const index = firstIndex(events, (event) => event.version > version)
      const distance = version - (events[index - 1]?.version ?? floor)
      if (distance !== 0 && distance !== TO_STATE && distance !== TO_BOOKMARK) return undefined
      return { place: start + index, listed: distance === TO_STATE }
    },
    milestones: () => milestones.filter((milestone) => milestone.place >= start),
    remembers: (version) =>
      changes.some((change) => {
        if (change.first <= version && version <= change.version) return true
        return version === change.version + BOOKMARK
      }),
  }
}
