// Changes values as somebody who knows their structure would: members go, come twice, change type, grow, nest; and bytes as a bad
// line would. Receives a source of chance, hands on new values. The same chance, the same value.

export interface Chance {
  /** An integer in [0, below). */
  below(below: number): number
  pick<T>(values: readonly T[]): T
}

export function seededChance(seed: number): Chance {
  let state = seed >>> 0
  // Mulberry32: small, seeded, good enough to try things.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let x = Math.imul(state ^ (state >>> 15), state | 1)
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61)
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    pick(values) {
      if (values.length === 0) throw new Error('nothing to pick from')
      return values[below(values.length)] as (typeof values)[number]
    },
  }
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

const TEXTS = [
  '',
  ' ',
  '\0',
  '\u202e',
  '💥',
  '../../etc',
  '__proto__',
  'constructor',
  '\ud800',
  '<script>',
  '%s%n',
  'a'.repeat(300),
  '1e999',
  '\r\nX: y',
  'null',
]
const NUMBERS = [0, -1, 1, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, 0.1]

function strange(chance: Chance): Json {
  const kind = chance.below(7)
  if (kind === 0) return null
  if (kind === 1) return chance.pick(TEXTS)
  if (kind === 2) return chance.pick(NUMBERS)
  if (kind === 3) return []
  if (kind === 4) return {}
  if (kind === 5) return chance.below(2) === 0
  return nested(chance.pick([2, 50, 2000]))
}

function nested(depth: number): Json {
  let value: Json = 'deep'
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { k: value }
  return value
}

/** Some change somewhere in it. The value itself stays as it is. */
export function mutateJson(value: unknown, chance: Chance): unknown {
  const copy = structuredClone(value) as Json
  const places = placesOf(copy)
  for (let left = 1 + chance.below(3); left > 0 && places.length > 0; left--) {
    const { holder, key } = chance.pick(places)
    const at = holder as Record<string, Json>
    const old = at[key] as Json
    const how = chance.below(8)
    if (how === 0 && !Array.isArray(holder)) delete at[key]
    else if (how === 1) at[key] = typeof old === 'string' ? old.repeat(chance.pick([2, 100])) : strange(chance)
    else if (how === 2 && typeof old === 'string') at[key] = mutateText(old, chance)
    else if (how === 3) at[key] = [old, old]
    else if (how === 4) at[key] = String(old)
    else if (how === 5 && !Array.isArray(holder))
      Object.defineProperty(at, chance.pick(TEXTS), {
        value: old,
        enumerable: true,
        configurable: true,
        writable: true,
      })
    else if (how === 6) at[key] = structuredClone(memberOf(chance.pick(places)))
    else at[key] = strange(chance)
  }
  return copy
}

interface Place {
  readonly holder: object
  readonly key: string
}

function memberOf({ holder, key }: Place): Json {
  return (holder as Record<string, Json>)[key] ?? null
}

function placesOf(value: Json, found: Place[] = [], depth = 0): Place[] {
  if (typeof value !== 'object' || value === null || depth > 30) return found
  for (const [key, member] of Object.entries(value)) {
    found.push({ holder: value, key })
    placesOf(member, found, depth + 1)
  }
  return found
}

export function mutateText(text: string, chance: Chance): string {
  const at = chance.below(text.length + 1)
  const how = chance.below(5)
  if (how === 0) return text.slice(0, at)
  if (how === 1) return text.slice(0, at) + chance.pick(TEXTS) + text.slice(at)
  if (how === 2) return text.slice(0, at) + text.slice(at + 1 + chance.below(8))
  if (how === 3) return text.slice(0, at) + text.slice(at, at + 20).repeat(chance.pick([2, 50])) + text.slice(at)
  return text.slice(0, at) + String.fromCharCode(chance.below(0x110)) + text.slice(at + 1)
}

export function mutateBytes(bytes: Uint8Array, chance: Chance): Buffer {
  const copy = Buffer.from(bytes)
  const how = chance.below(4)
  const at = chance.below(copy.length + 1)
  if (how === 0) return copy.subarray(0, at)
  if (how === 1) return Buffer.concat([copy.subarray(0, at), copy.subarray(chance.below(copy.length + 1))])
  for (let left = 1 + chance.below(8); left > 0 && copy.length > 0; left--)
    copy[chance.below(copy.length)] = chance.below(256)
  return copy
}
