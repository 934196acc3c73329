// Where the next page of a list begins: a state and the last item shown, as opaque text for clients. Pure.
import type { Place } from './namespace-view.ts'

export interface ContinueToken {
  /** The number of the state that all pages show; undefined: whatever state there is then. */
  readonly version: number | undefined
  /** The last item of the page before. */
  readonly after: Place
}

const LONGEST = 4096

export function writeContinueToken({ version, after }: ContinueToken): string {
  const facts = [version ?? -1, after.namespace, after.name, after.catalog, after.priority]
  return Buffer.from(JSON.stringify(facts)).toString('base64url')
}

/** undefined: no token of ours. */
export function readContinueToken(text: string): ContinueToken | undefined {
  if (text.length > LONGEST || !/^[\w-]+$/.test(text)) return undefined
  let facts: unknown
  try {
    facts = JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
  if (!Array.isArray(facts) || facts.length !== 5) return undefined
  const [version, namespace, name, catalog, priority]: readonly unknown[] = facts
  if (!Number.isSafeInteger(version) || typeof version !== 'number' || version < -1) return undefined
  if (typeof namespace !== 'string' || typeof name !== 'string' || typeof catalog !== 'string') return undefined
  if (typeof priority !== 'number') return undefined
  return { version: version === -1 ? undefined : version, after: { namespace, name, catalog, priority } }
}
