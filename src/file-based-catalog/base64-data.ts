// Bytes that a catalog carries in base64 (RFC 4648, padded, line breaks ignored), checked as strictly as Go checks them.
import { list, misfit, note, type Reading, type Shape, uint8 } from './shape.ts'

const ALPHABET = /^[A-Za-z0-9+/]*$/

/** Bytes may also be written one by one. */
const bytes = list(uint8)

/** Kept as base64 without line breaks: the bytes themselves are made where they are needed. */
export const base64Bytes: Shape<string> = {
  typeName: '[]uint8',
  zero: '',
  read(value, reading, before) {
    if (Array.isArray(value)) return Buffer.from(bytes.read(value, reading, [])).toString('base64')
    if (typeof value !== 'string') return misfit(reading, value, this.typeName, before)
    return readBase64(value, reading, before)
  },
  isEmpty: (value) => value === '',
  toJson: (value) => value,
}

function readBase64(value: string, reading: Reading, before: string): string {
  const place = base64Fault(value)
  if (place !== undefined) return note(reading, `illegal base64 data at input byte ${place}`, before)
  return value.includes('\n') || value.includes('\r') ? value.replace(/[\r\n]+/g, '') : value
}

/** Where a text stops being base64, counted as Go counts; undefined where it is. */
export function base64Fault(value: string): number | undefined {
  const clean = value.includes('\n') || value.includes('\r') ? value.replace(/[\r\n]+/g, '') : value
  return isBase64(clean) ? undefined : placeOfFault(value)
}

/** Buffer drops what is no base64, so that a text with such characters gives too few bytes; but it also takes `-` and `_`. */
function isBase64(text: string): boolean {
  if (text.length % 4 !== 0 || text.includes('-') || text.includes('_')) return false
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return Buffer.from(text, 'base64').length === (text.length / 4) * 3 - padding
}

function placeOfFault(value: string): number {
  /** Characters of the current group of four. */
  let group = 0
  for (let at = 0; at < value.length; at++) {
    const character = value.charAt(at)
    if (character === '\r' || character === '\n') continue
    if (ALPHABET.test(character)) {
      group = (group + 1) % 4
      continue
    }
    if (character !== '=' || group < 2) return at
    return placeBehindPadding(value, at + 1, group === 2)
  }
  return value.length - group
}

function placeBehindPadding(value: string, from: number, second: boolean): number {
  let at = behindBreaks(value, from)
  if (second) {
    if (value.charAt(at) !== '=') return at < value.length ? at - 1 : value.length
    at = behindBreaks(value, at + 1)
  }
  return at
}

function behindBreaks(value: string, from: number): number {
  let at = from
  while (value.charAt(at) === '\n' || value.charAt(at) === '\r') at++
  return at
}
