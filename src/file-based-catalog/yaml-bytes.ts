// Bytes that no YAML document may hold (YAML 1.1, 5.1), told in the reference program's words.
import { isUtf8 } from 'node:buffer'
import type { SyntaxFault } from './value-check.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that YAML forbids
const FORBIDDEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/

/** The offset counts bytes. */
export function yamlBytesFault(bytes: Buffer): SyntaxFault | undefined {
  if (!isUtf8(bytes)) return { message: 'yaml: invalid leading UTF-8 octet', offset: 0 }
  const text = bytes.toString()
  const match = FORBIDDEN.exec(text)
  if (match === null) return undefined
  return { message: 'yaml: control characters are not allowed', offset: Buffer.byteLength(text.slice(0, match.index)) }
}
