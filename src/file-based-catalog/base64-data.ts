// Bytes that a catalog carries in base64 (RFC 4648, padded, line breaks ignored), checked as strictly as Go checks them.
import { misfit, note, type Reading, type Shape } from './shape.ts'

const ALPHABET = /^[A-Za-z0-9+/]*$/

/** Kept as base64 without line breaks: the bytes themselves are made where they are needed. */
export const base64Bytes: Shape<string> = {
  typeName: '[]uint8',
  zero: '',
  read(value, reading, before) {
    if (Array.isArray(value) && value.every(isByte)) return Buffer.from(value).toString('base64')
    if (typeof value !== 'string') return misfit(reading, value, this.typeName, before)
    return readBase64(value, reading, before)
  },
  isEmpty: (value) => value === '',
  toJson: (value) => value,
}

function readBase64(value: string, reading: Reading, before: string): string {
  const clean = /[\r\n]/.test(value) ? value.replace(/[\r\n]+/g, '') : value
  const padding = clean.endsWith('==') ? 2 : clean.endsWith('=') ? 1 : 0
  const body = padding === 0 ? clean : clean.slice(0, -padding)
  if (clean.length % 4 === 0 && ALPHABET.test(body)) return clean
  const place = /[^A-Za-z0-9+/]/.exec(body)?.index ?? body.length
  return note(reading, `illegal base64 data at input byte ${place}`, before)
}

function isByte(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 256
}
