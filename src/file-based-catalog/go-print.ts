// Values as the reference program prints them in messages that expected something else (Go's %v and %t).
import { compareBytes } from '../api/byte-order.ts'
import type { JsonValue } from './json-text.ts'
import { isRecord } from './shape.ts'

/** Go's %v. */
export function goPlain(value: JsonValue): string {
  if (value === null) return '<nil>'
  if (Array.isArray(value)) return `[${value.map(goPlain).join(' ')}]`
  if (isRecord(value)) return `map[${members(value, goPlain, goPlain)}]`
  return typeof value === 'number' || typeof value === 'bigint' ? goFloat(Number(value)) : String(value)
}

/** Go's %t, which is for booleans only and says so of everything else. */
export function goTruth(value: JsonValue): string {
  if (value === null) return '%!t(<nil>)'
  if (typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return `[${value.map(inner).join(' ')}]`
  if (isRecord(value)) return `map[${members(value, inner, inner)}]`
  return typeof value === 'string' ? `%!t(string=${value})` : `%!t(float64=${goPlain(value)})`
}

function inner(value: JsonValue): string {
  return value === null ? '<nil>' : goTruth(value)
}

/** From this power of ten on, and below 0.0001, Go's shortest form of a number has an exponent. */
const LARGE = 6

export function goFloat(value: number): string {
  return goDigits(Object.is(value, -0) ? '-0e+0' : value.toExponential())
}

/** `digits` as toExponential writes them; an exponent has two places at least. */
export function goDigits(digits: string): string {
  const at = digits.indexOf('e')
  const exponent = Number(digits.slice(at + 1))
  const mantissa = digits.slice(0, at)
  if (exponent >= -4 && exponent < LARGE) return mantissa === '-0' ? mantissa : String(Number(digits))
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
}

function members(
  value: { readonly [key: string]: JsonValue },
  showKey: (key: string) => string,
  show: (member: JsonValue) => string,
): string {
  return Object.keys(value)
    .sort(compareBytes)
    .map((key) => `${showKey(key)}:${show(value[key] ?? null)}`)
    .join(' ')
}
