// The order of texts by their UTF-8 bytes, as the reference program sorts. JavaScript's own order differs beyond U+FFFF.

const ASTRAL = /[\ud800-\udfff]/

/** Negative, zero or positive, for Array.prototype.sort. */
export function byteOrder(left: string, right: string): number {
  if (left === right) return 0
  if (ASTRAL.test(left) || ASTRAL.test(right)) return Buffer.compare(Buffer.from(left), Buffer.from(right))
  return left < right ? -1 : 1
}

/** A copy of the map with its keys in byte order. */
export function inByteOrder<Value>(map: ReadonlyMap<string, Value>): Map<string, Value> {
  return new Map([...map].sort(([left], [right]) => byteOrder(left, right)))
}
