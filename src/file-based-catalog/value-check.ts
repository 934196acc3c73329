// Bounds on what was read: nesting, and numbers that are none. Walks without recursion, so that no depth ends the stack.
import type { JsonValue } from './json-text.ts'

export interface SyntaxFault {
  /** In the reference program's words. */
  readonly message: string
  /** Characters from the start of the document's text. */
  readonly offset: number
}

export type ReadDocument = { readonly value: JsonValue } | { readonly fault: SyntaxFault }

/**
 * Levels of nesting that a document may have. The reference program allows ten thousand; manifests have some twenty.
 * Everything behind this check may recurse.
 */
export const MAX_DEPTH = 1000

export const TOO_DEEP = `exceeded max depth of ${MAX_DEPTH}`

export function checkValue(value: JsonValue): ReadDocument {
  let level: readonly JsonValue[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return { fault: { message: TOO_DEEP, offset: 0 } }
    const next: JsonValue[] = []
    for (const item of level) {
      if (typeof item === 'number' && !Number.isFinite(item)) {
        return { fault: { message: 'json: cannot unmarshal number into Go value of type float64', offset: 0 } }
      }
      if (typeof item === 'object' && item !== null) addMembers(item, next)
    }
    level = next
  }
  return { value }
}

function addMembers(item: object, next: JsonValue[]): void {
  for (const member of Object.values(item) as JsonValue[]) {
    if (typeof member === 'number' || (typeof member === 'object' && member !== null)) next.push(member)
  }
}
