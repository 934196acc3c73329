// Shapes of JSON and how text is read into them, by the rules of Go's encoding/json, on which the reference server's
// decoding rests. Receives text and a shape, hands on a frozen value or the first reason why the text has not that shape.
import { JsonCursor, type JsonKind } from './json-cursor.ts'
import type { StringMap } from './meta.ts'
import { stringMap } from './string-map.ts'

/** How values of one type are read. `previous` is what an earlier key of the same name left: structs and maps merge. */
export interface Shape<T> {
  readonly zero: T
  read(reading: Reading, previous: T, path: string): T
}

export type ValueOf<S> = S extends Shape<infer T> ? T : never

/** More elements and members, made or copied, than any real object has: beyond them the text only means to cost time and memory. */
const MOST_VALUES = 200_000

/** One text being read: where the cursor is and the first thing that was wrong. */
export interface Reading {
  readonly cursor: JsonCursor
  reason: string | undefined
  values: number
  /** Of lists that a later key of the same name made shorter: what stood behind their end, which a longer one merges with again. */
  readonly tails: WeakMap<object, readonly unknown[]>
}

export type Decoded<T> = { readonly value: T } | { readonly reason: string }

/** Throws a JsonSyntaxError where the text is not JSON. A wrong type, anywhere in the shape, is a reason. */
export function readJson<T>(text: string, shape: Shape<T>): Decoded<T> {
  const reading: Reading = { cursor: new JsonCursor(text), reason: undefined, values: 0, tails: new WeakMap() }
  const value = shape.read(reading, shape.zero, '')
  reading.cursor.end()
  return reading.reason === undefined ? { value } : { reason: reading.reason }
}

/** A string. null leaves what there was. */
export const text: Shape<string> = {
  zero: '',
  read(reading, previous, path) {
    return expected(reading, 'string', path) ? reading.cursor.string() : previous
  },
}

export const truth: Shape<boolean> = {
  zero: false,
  read(reading, previous, path) {
    return expected(reading, 'boolean', path) ? reading.cursor.boolean() : previous
  },
}

/** Strings by key, sorted by key; a null inside is the empty string. Without a prototype, whatever the keys are. */
export const textMap: Shape<StringMap> = {
  zero: stringMap([]),
  read(reading, previous, path) {
    if (reading.cursor.kind() === 'null') return skipped(reading, textMap.zero)
    if (!expected(reading, 'object', path) || !counted(reading, path)) return previous
    const found = new Map(Object.entries(previous))
    reading.values += found.size
    reading.cursor.object((key) => {
      if (counted(reading, path)) found.set(key, text.read(reading, '', `${path}[${JSON.stringify(shortened(key))}]`))
    })
    return stringMap(found)
  },
}

/** A list; null is the empty list, a null inside is the element's zero value. */
export function list<T>(element: Shape<T>): Shape<readonly T[]> {
  const zero: readonly T[] = Object.freeze([])
  return {
    zero,
    read(reading, previous, path) {
      if (reading.cursor.kind() === 'null') return skipped(reading, zero)
      if (!expected(reading, 'array', path) || !counted(reading, path)) return previous
      const before = [...previous, ...((reading.tails.get(previous) ?? []) as readonly T[])]
      reading.values += before.length
      const found: T[] = []
      reading.cursor.array((index) => {
        if (counted(reading, path))
          found.push(element.read(reading, before[index] ?? element.zero, `${path}[${index}]`))
      })
      if (found.length === 0) return zero
      if (before.length > found.length) reading.tails.set(found, before.slice(found.length))
      return Object.freeze(found)
    },
  }
}

/** An object with these members; others are ignored. A key means the member it equals, or equals but for letter case. */
export function struct<S extends Readonly<Record<string, Shape<unknown>>>>(
  members: S,
): Shape<{ readonly [K in keyof S]: ValueOf<S[K]> }> {
  type Value = { readonly [K in keyof S]: ValueOf<S[K]> }
  const names = new Map(Object.keys(members).flatMap((name) => [[folded(name), name] as const]))
  const zero = Object.freeze(
    Object.fromEntries(Object.entries(members).map(([name, shape]) => [name, shape.zero])),
  ) as Value
  return {
    zero,
    read(reading, previous, path) {
      if (!expected(reading, 'object', path)) return previous
      const found: Record<string, unknown> = { ...previous }
      reading.cursor.object((key) => {
        const name = names.get(folded(key))
        const shape = name === undefined ? undefined : members[name]
        if (name === undefined || shape === undefined) reading.cursor.skip()
        else found[name] = shape.read(reading, found[name], path === '' ? name : `${path}.${name}`)
      })
      return Object.freeze(found) as Value
    },
  }
}

/** A string that `parse` turns into another, or into undefined where it is none. Absent it is `zero`. */
export function parsedText(zero: string, what: string, parse: (value: string) => string | undefined): Shape<string> {
  return {
    zero,
    read(reading, previous, path) {
      if (!expected(reading, 'string', path)) return previous
      const value = reading.cursor.string()
      const parsed = parse(value)
      if (parsed === undefined) reading.reason ??= `${path}: ${JSON.stringify(shortened(value))} is not ${what}`
      return parsed ?? previous
    },
  }
}

/** Tells whether the wanted kind stands at the cursor; consumes anything else, and notes it unless it is null. */
function expected(reading: Reading, kind: JsonKind, path: string): boolean {
  const found = reading.cursor.kind()
  if (found === kind) return true
  reading.cursor.skip()
  if (found !== 'null') reading.reason ??= `${path === '' ? 'the document' : path} is ${NOUN[found]}, not ${NOUN[kind]}`
  return false
}

/** Counts one more value; beyond the bound it is consumed unread. */
function counted(reading: Reading, path: string): boolean {
  if (++reading.values <= MOST_VALUES) return true
  reading.reason ??= `${path}: more than ${MOST_VALUES} values`
  reading.cursor.skip()
  return false
}

function skipped<T>(reading: Reading, value: T): T {
  reading.cursor.skip()
  return value
}

const NOUN: Readonly<Record<JsonKind, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  null: 'null',
}

/** Upper and lower case alike; U+017F and U+212A count as s and k, as in Go. */
function folded(key: string): string {
  return key.toLowerCase().replaceAll('\u017f', 's')
}

function shortened(value: string): string {
  return value.length > 60 ? `${value.slice(0, 60).toWellFormed()}…` : value
}
