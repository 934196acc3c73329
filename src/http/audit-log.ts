// Who asked for what and which answer they got: one JSON line a request. Receives answered requests, writes to a stream; never
// holds a header, a token or a body, never makes a request wait.
import type { Writable } from 'node:stream'
import type { AnswerFacts } from './request-handler.ts'

export interface AuditLogOptions {
  /** Opened and closed by whoever gives it. */
  readonly stream: Writable
  readonly clock: { now(): number }
  /** Told once that lines are lost because the stream takes none. */
  readonly onLoss: () => void
}

/** Lines waiting for a stream that does not take them, bytes; above it they are dropped. */
const MOST_WAITING = 16 << 20

export function createAuditLog({ stream, clock, onLoss }: AuditLogOptions): (facts: AnswerFacts) => void {
  let lost = false
  return (facts) => {
    if (stream.writableLength > MOST_WAITING || !stream.writable) {
      if (!lost) onLoss()
      lost = true
      return
    }
    lost = false
    stream.write(`${JSON.stringify(auditLine(facts, clock.now()))}\n`)
  }
}

/** What is not known is left out: a request may be refused before it is. */
export function auditLine(facts: AnswerFacts, now: number): object {
  const { auditId, method, identity, attributes, path, code, bytes, milliseconds } = facts
  const who = identity === undefined ? {} : { user: identity.user, groups: identity.groups, ...uidOf(identity.uid) }
  const time = new Date(now).toISOString()
  return {
    time,
    auditId,
    ...who,
    method,
    ...whatOf(attributes, path),
    code,
    bytes,
    milliseconds: Math.round(milliseconds),
  }
}

/** Of a path that nobody judged, a request refused or open to all, so much is kept, characters. */
const LONGEST_PATH = 1024

function whatOf(attributes: AnswerFacts['attributes'], path: string): object {
  if (attributes === undefined) return { path: path.slice(0, LONGEST_PATH) }
  if (attributes.kind === 'path') return { verb: attributes.verb, path: attributes.path }
  const { verb, group, version, resource, subresource, namespace, name } = attributes
  const more = { subresource, namespace, name }
  const set = Object.entries(more).filter(([, value]) => value !== '')
  return { verb, group, version, resource, ...Object.fromEntries(set) }
}

function uidOf(uid: string): object {
  return uid === '' ? {} : { uid }
}
