// Maps whose keys stand in the order in which the reference program sorts them.
import { compareBytes } from '../api/byte-order.ts'

/** A copy of the map with its keys in byte order. */
export function inByteOrder<Value>(map: ReadonlyMap<string, Value>): Map<string, Value> {
  return new Map([...map].sort(([left], [right]) => compareBytes(left, right)))
}
