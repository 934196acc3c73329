// JSON objects as google.protobuf.Struct, in the shape that proto-loader encodes. See struct.proto of protobuf.
import type { JsonObject } from './registry-content.ts'

export interface Struct {
  readonly fields: Readonly<Record<string, StructValue>>
}

export type StructValue =
  | { readonly nullValue: 'NULL_VALUE' }
  | { readonly numberValue: number }
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly structValue: Struct }
  | { readonly listValue: { readonly values: readonly StructValue[] } }

/** Whatever JSON can hold; numbers become doubles, as the protocol has no others. */
export function toStruct(object: JsonObject): Struct {
  const fields = Object.create(null) as Record<string, StructValue>
  for (const [key, value] of Object.entries(object)) fields[key] = toValue(value)
  return { fields }
}

function toValue(value: unknown): StructValue {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'number') return { numberValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (Array.isArray(value)) return { listValue: { values: value.map(toValue) } }
  if (typeof value === 'object' && value !== null) return { structValue: toStruct(value as JsonObject) }
  return { nullValue: 'NULL_VALUE' }
}
