// Maps of strings whose keys come from outside: without a prototype, in the order of their keys, frozen. Pure.

import { compareBytes } from './byte-order.ts'
import type { StringMap } from './meta.ts'

/** A later entry of the same key wins. `__proto__` is a key like any other. */
export function stringMap(entries: Iterable<readonly [string, string]>): StringMap {
  const map: Record<string, string> = Object.create(null)
  for (const [key, value] of [...new Map(entries)].sort(([a], [b]) => compareBytes(a, b))) map[key] = value
  return Object.freeze(map)
}
