// The one Ajv instance: a JSON Schema becomes a check of a value from outside. Receives schemas, hands on functions that narrow
// a value or name the first thing that is wrong with it. Nothing is compiled before it is first used.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false
      /** Members and indexes on the way to what is wrong; empty: the value itself. */
      readonly path: readonly string[]
      /** Such as `spec.address must be string`. */
      readonly reason: string
    }

/** The value is handed on as it came: nothing is filled in, converted or removed. */
export function createCheck<T>(schema: object): (value: unknown) => Checked<T> {
  let validate: ValidateFunction<T> | undefined
  return (value) => {
    validate ??= sharedAjv().compile<T>(schema)
    if (validate(value)) return { ok: true, value }
    const error = validate.errors?.[0]
    const path = error === undefined ? [] : pathOf(error)
    return { ok: false, path, reason: `${pathText(path)} ${reasonText(error)}` }
  }
}

let ajv: Ajv | undefined

/** Made at the first use, since importing this file must do no work. */
function sharedAjv(): Ajv {
  ajv ??= new Ajv({ strict: true, allowUnionTypes: true, verbose: true })
  return ajv
}

/** RFC 6901; a missing member is blamed on itself, not on the object that lacks it. */
function pathOf(error: ErrorObject): readonly string[] {
  const segments = error.instancePath.split('/').slice(1)
  const path = segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
  const missing: unknown = error.params.missingProperty
  return typeof missing === 'string' ? [...path, missing] : path
}

function pathText(path: readonly string[]): string {
  return path.length === 0 ? 'the value' : path.join('.')
}

function reasonText(error: ErrorObject | undefined): string {
  if (error?.keyword === 'required') return 'is missing'
  if (error?.keyword === 'const') return `must be ${JSON.stringify(error.params.allowedValue)}`
  if (error?.keyword === 'type') return `must be ${typeText(error.params.type)}`
  const described: unknown = error?.parentSchema?.description
  if (error?.keyword === 'pattern' && typeof described === 'string') return `must be ${described}`
  return error?.message ?? 'is not valid'
}

/** `null` is said to be allowed nowhere: it counts as absent. */
function typeText(type: unknown): string {
  const types = Array.isArray(type) ? type : [type]
  return types.filter((one) => one !== 'null').join(' or ')
}
