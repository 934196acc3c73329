// What a resourceVersion is: time and content in one decimal number below 2^53. Pure.
//
//   slot (31 bits: half seconds since 2025, enough until 2059) · 2^22 + digest (22 bits: of the whole state that it names)
//
// Numbers rise with time on every replica, so clients may compare them as numbers. Replicas share nothing, yet one can
// vouch for another's number: it bears the digest of a state that both had. A change of n objects gives its n events the
// n numbers before that of the state it leads to, which lists bear; bookmarks bear one a little further on: so a number
// tells whether its holder has listed or watched, which matters where several objects share a name.

const DIGESTS = 2 ** 22
const SLOT_MS = 500
const FIRST_SLOT_AT = Date.UTC(2025, 0, 1)

/** How far a number seen from outside may be ahead of the clock and still be believed. */
export const CLOCK_TOLERANCE_MS = 10 * 60_000

/** The slot of a moment, in milliseconds since the epoch. */
export function slotAt(milliseconds: number): number {
  return Math.max(1, Math.floor((milliseconds - FIRST_SLOT_AT) / SLOT_MS))
}

export function slotOf(version: number): number {
  return Math.floor(version / DIGESTS)
}

/** The digest of the state that a number names. Means nothing for numbers inside a change. */
export function digestOf(version: number): number {
  return version % DIGESTS
}

export function versionOf(slot: number, digest: number): number {
  return slot * DIGESTS + digest
}

/** How far the number of a state's last event is from its own. */
export const LAST_EVENT = -1
/** How far that of its bookmarks is: further than anybody gets who makes up a future by adding one or a hundred. */
export const BOOKMARK = 617

/** The number of the state after a change of `events` objects, not before `slot`: all its numbers are above the previous state's. */
export function versionAfter(previous: number, slot: number, digest: number, events: number): number {
  const least = previous + BOOKMARK + events - LAST_EVENT
  return versionOf(Math.max(slot, Math.ceil((least - digest) / DIGESTS)), digest)
}

/** The digest of one object, from the hexadecimal hash of its content. */
export function contentDigest(hash: string): number {
  return Number.parseInt(hash.slice(0, 6), 16) % DIGESTS
}

/** A state's digest after one object came (`1`) or went (`-1`): independent of the order in which they did. */
export function movedDigest(state: number, content: number, direction: 1 | -1): number {
  return (state + direction * content + DIGESTS) % DIGESTS
}

/** The number in a client's text; what no process ever handed out is Infinity: from the future for everybody. */
export function parseVersion(text: string): number {
  if (!/^\d+$/.test(text)) return Number.POSITIVE_INFINITY
  const version = Number(text)
  return Number.isSafeInteger(version) ? version : Number.POSITIVE_INFINITY
}
