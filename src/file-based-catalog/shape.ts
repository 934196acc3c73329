// Shapes of what is read from catalogs: how a JSON value becomes a typed one, by the rules of the reference program's
// decoder (field names in any letter case, unknown fields ignored, null as if absent) and with its words where it does not fit.
import { compareBytes } from '../api/byte-order.ts'
import type { JsonValue } from './json-text.ts'

export type Path = readonly (string | number)[]

export interface Misfit {
  readonly message: string
  readonly path: Path
}

/** The first misfit is what counts; reading goes on behind it, as the reference program's does. */
export interface Reading {
  readonly path: (string | number)[]
  /** Names of the fields walked through, and of the record that holds the innermost one. */
  readonly fields: string[]
  readonly record: string
  misfit: Misfit | undefined
}

export interface Shape<Value> {
  /** The reference program's name of the type, as its messages show it. */
  readonly typeName: string
  readonly zero: Value
  /** Never throws; what does not fit leaves `before` and is noted in `reading`. */
  read(value: JsonValue, reading: Reading, before: Value): Value
  isEmpty(value: Value): boolean
  toJson(value: Value): JsonValue
}

export type ValueOf<S> = S extends Shape<infer Value> ? Value : never

export function readShape<Value>(
  shape: Shape<Value>,
  value: JsonValue,
): { readonly value: Value; readonly misfit: Misfit | undefined } {
  const reading: Reading = { path: [], fields: [], record: '', misfit: undefined }
  const read = value === null ? shape.zero : shape.read(value, reading, shape.zero)
  return { value: read, misfit: reading.misfit }
}

export const text: Shape<string> = namedText('string')

export const flag: Shape<boolean> = scalar('bool', false, (value) => (typeof value === 'boolean' ? value : undefined))

export const int32: Shape<number> = wholeNumber('int32', -(2 ** 31), 2 ** 31 - 1)

export const uint8: Shape<number> = wholeNumber('uint8', 0, 255)

/** A text whose type has a name of its own in the reference program. */
export function namedText(typeName: string): Shape<string> {
  return scalar(typeName, '', (value) => (typeof value === 'string' ? value : undefined))
}

/** Any JSON value, kept as it is; undefined where absent. */
export const raw: Shape<JsonValue | undefined> = {
  typeName: 'json.RawMessage',
  zero: undefined,
  read: (value) => value,
  isEmpty: (value) => value === undefined,
  toJson: (value) => value ?? null,
}

/** The same, but never written when empty. */
export function omitEmpty<Value>(shape: Shape<Value>): Shape<Value> & { readonly omit: true } {
  return { ...shape, omit: true }
}

/** Undefined where absent or null. */
export function optional<Value>(shape: Shape<Value>): Shape<Value | undefined> {
  return {
    typeName: shape.typeName,
    zero: undefined,
    read: (value, reading, before) => (value === null ? undefined : shape.read(value, reading, before ?? shape.zero)),
    isEmpty: (value) => value === undefined,
    toJson: (value) => (value === undefined ? null : shape.toJson(value)),
  }
}

export function list<Value>(of: Shape<Value>): Shape<readonly Value[]> {
  return {
    typeName: `[]${of.typeName}`,
    zero: [],
    read(value, reading, before) {
      if (!Array.isArray(value)) return misfit(reading, value, this.typeName, before)
      return value.map((item: JsonValue, index) => {
        reading.path.push(index)
        const read = item === null && of !== (raw as unknown) ? of.zero : of.read(item, reading, of.zero)
        reading.path.pop()
        return read
      })
    },
    isEmpty: (value) => value.length === 0,
    toJson: (value) => value.map((item) => of.toJson(item)),
  }
}

export const textMap: Shape<ReadonlyMap<string, string>> = {
  typeName: 'map[string]string',
  zero: new Map(),
  read(value, reading, before) {
    if (!isRecord(value)) return misfit(reading, value, this.typeName, before)
    const map = new Map<string, string>()
    for (const key of Object.keys(value).sort(compareBytes)) {
      const item = value[key] ?? null
      reading.path.push(key)
      map.set(key, item === null ? '' : text.read(item, reading, ''))
      reading.path.pop()
    }
    return map
  },
  isEmpty: (value) => value.size === 0,
  toJson: (value) => Object.fromEntries(value),
}

export function record<Fields extends Readonly<Record<string, Shape<unknown>>>>(
  typeName: string,
  fields: Fields,
): Shape<{ readonly [Name in keyof Fields]: ValueOf<Fields[Name]> }> {
  type Value = { readonly [Name in keyof Fields]: ValueOf<Fields[Name]> }
  const shapes = Object.entries(fields) as unknown as readonly (readonly [string, Shape<unknown> & { omit?: true }])[]
  const byFoldedName = new Map(shapes.map(([name, shape]) => [name.toLowerCase(), { name, shape }]))
  const zero = Object.freeze(Object.fromEntries(shapes.map(([name, shape]) => [name, shape.zero]))) as Value
  return {
    typeName,
    zero,
    read(value, reading, before) {
      if (!isRecord(value)) return misfit(reading, value, typeName, before)
      const read: Record<string, unknown> = { ...before }
      for (const key of Object.keys(value).sort(compareBytes)) {
        const field = byFoldedName.get(key) ?? byFoldedName.get(key.toLowerCase())
        if (field === undefined) continue
        read[field.name] = readField(field, value[key] ?? null, key, reading, read[field.name], typeName)
      }
      return read as Value
    },
    isEmpty: () => false,
    toJson(value) {
      const written = shapes.filter(([name, shape]) => shape.omit !== true || !shape.isEmpty(value[name]))
      return Object.fromEntries(written.map(([name, shape]) => [name, shape.toJson(value[name])]))
    },
  }
}

function readField(
  field: { readonly name: string; readonly shape: Shape<unknown> },
  value: JsonValue,
  key: string,
  reading: Reading,
  before: unknown,
  typeName: string,
): unknown {
  // Null sets what can be absent to absent, and leaves everything else as it was.
  if (value === null && !isNullable(field.shape)) return before
  const inner: Reading = {
    path: [...reading.path, key],
    fields: [...reading.fields, field.name],
    record: typeName.replace(/^.*\./, ''),
    misfit: reading.misfit,
  }
  const read = value === null ? field.shape.read(null, inner, field.shape.zero) : field.shape.read(value, inner, before)
  reading.misfit = inner.misfit
  return read
}

function isNullable(shape: Shape<unknown>): boolean {
  return shape.zero === undefined
}

function wholeNumber(typeName: string, least: number, most: number): Shape<number> {
  return scalar(typeName, 0, (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most ? value : undefined,
  )
}

function scalar<Value extends JsonValue>(
  typeName: string,
  zero: Value,
  narrow: (value: JsonValue) => Value | undefined,
): Shape<Value> {
  return {
    typeName,
    zero,
    read: (value, reading, before) => narrow(value) ?? misfit(reading, value, typeName, before),
    isEmpty: (value) => value === zero,
    toJson: (value) => value,
  }
}

/** Notes the first misfit, and hands back what was there. */
export function misfit<Value>(reading: Reading, value: JsonValue, typeName: string, before: Value): Value {
  const target =
    reading.fields.length === 0
      ? `Go value of type ${typeName}`
      : `Go struct field ${reading.record}.${reading.fields.join('.')} of type ${typeName}`
  return note(reading, `json: cannot unmarshal ${kindOf(value, typeName)} into ${target}`, before)
}

export function note<Value>(reading: Reading, message: string, before: Value): Value {
  reading.misfit ??= { message, path: [...reading.path] }
  return before
}

export function isRecord(value: JsonValue | undefined): value is { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function kindOf(value: JsonValue, typeName: string): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number' || typeof value === 'bigint')
    return typeName === 'int32' || typeName === 'uint8' ? `number ${value}` : 'number'
  if (typeof value === 'boolean') return 'bool'
  return typeof value
}
