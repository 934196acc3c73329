// JSON Schemas (draft 7, plain keywords, as OpenAPI knows them too) tied to our types: the compiler refuses a schema that
// lacks a member of its type, has another, or gives it another JSON type. The order of `properties` is the order on the wire.

interface Described {
  /** A sentence for people: `kubectl explain` prints it. */
  readonly description: string
}

interface TextSchema {
  readonly type: 'string'
  readonly format?: 'date-time'
  readonly enum?: readonly string[]
}

interface IntegerSchema {
  readonly type: 'integer'
  readonly format: 'int32' | 'int64'
}

interface TextMapSchema {
  readonly type: 'object'
  readonly additionalProperties: TextSchema
}

interface ObjectSchema<T> {
  readonly type: 'object'
  /** The name of the model in OpenAPI. */
  readonly title: string
  readonly properties: { readonly [K in keyof T]-?: Described & SchemaOf<Exclude<T[K], undefined>> }
  readonly required?: readonly AlwaysThere<T>[]
}

type AlwaysThere<T> = { [K in keyof T]-?: undefined extends T[K] ? never : K }[keyof T]

type HasFreeKeys<T> = string extends keyof T ? true : false

/** The schema of a value of type T; where it is a member of an object it needs a description as well. */
export type SchemaOf<T> = T extends string
  ? TextSchema
  : T extends boolean
    ? { readonly type: 'boolean' }
    : T extends number
      ? IntegerSchema
      : T extends readonly (infer E)[]
        ? { readonly type: 'array'; readonly items: SchemaOf<E> }
        : HasFreeKeys<T> extends true
          ? T extends Readonly<Record<string, never>>
            ? { readonly type: 'object'; readonly title: string }
            : TextMapSchema
          : ObjectSchema<T>

export type DescribedSchemaOf<T> = Described & SchemaOf<T>
