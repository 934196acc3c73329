// A Bundle message put together from an encoded part and manifests that are bytes already. See "Message Structure" in the
// encoding of protocol buffers: fields come in any order, a text is its key, its length as a varint, and its bytes.
import type { Bundle } from './messages.ts'
import type { ServedBundle } from './registry-content.ts'

/** Keys of `csvJson` (field 4) and `object` (field 5), both of the wire type for lengths (2). */
const CSV_JSON = (4 << 3) | 2
const OBJECT = (5 << 3) | 2

/** `encode` makes the bytes of a Bundle of whatever fields it is given. */
export function bundleBytes(bundle: ServedBundle, encode: (facts: object) => Uint8Array): Buffer {
  const { csvJson, object, ...facts } = bundle
  const pieces = [encode(facts)]
  const add = (key: number, text: string | Buffer): void => {
    const bytes = typeof text === 'string' ? Buffer.from(text) : text
    pieces.push(keyAndLength(key, bytes.length), bytes)
  }
  if (csvJson.length > 0) add(CSV_JSON, csvJson)
  for (const manifest of object) add(OBJECT, manifest)
  return Buffer.concat(pieces)
}

/** The same bundle with its manifests as texts. */
export function bundleText(bundle: ServedBundle): Bundle {
  return { ...bundle, csvJson: bundle.csvJson.toString(), object: bundle.object.map(String) }
}

function keyAndLength(key: number, length: number): Uint8Array {
  const bytes = [key]
  let rest = length
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80)
    rest >>>= 7
  }
  bytes.push(rest)
  return Uint8Array.from(bytes)
}
