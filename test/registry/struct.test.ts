import fc from 'fast-check'
import t from 'tap'
import { loadProtocol } from '../../src/registry/protocol.ts'
import { toStruct } from '../../src/registry/struct.ts'

interface Value {
  readonly kind?: string
  readonly nullValue?: unknown
  readonly numberValue?: number
  readonly stringValue?: string
  readonly boolValue?: boolean
  readonly structValue?: { readonly fields: Readonly<Record<string, Value>> }
  readonly listValue?: { readonly values?: readonly Value[] }
}

t.test('every JSON object comes through the wire as it was', async (t) => {
  const method = loadProtocol().experimental.ExperimentalListPackageCustomSchemas
  if (method === undefined) return void t.fail('no such method')
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ noUnicodeString: false })), (object) => {
      const answer = method.responseDeserialize(method.responseSerialize(toStruct(object))) as Value['structValue']
      t.strictSame(fromStruct(answer), asDoubles(object))
    }),
    { numRuns: 200 },
  )
})

function fromStruct(struct: Value['structValue']): unknown {
  const map = new Map(Object.entries(struct?.fields ?? {}).map(([key, value]) => [key, fromValue(value)]))
  return Object.fromEntries(map)
}

function fromValue(value: Value): unknown {
  if (Object.hasOwn(value, 'structValue')) return fromStruct(value.structValue)
  if (Object.hasOwn(value, 'listValue')) return (value.listValue?.values ?? []).map(fromValue)
  if (Object.hasOwn(value, 'stringValue')) return value.stringValue
  if (Object.hasOwn(value, 'numberValue')) return value.numberValue
  if (Object.hasOwn(value, 'boolValue')) return value.boolValue
  return null
}

/** JSON knows no negative zero of its own; the key that would be a prototype stays a key. */
function asDoubles(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown
}
