// What a program hands to the HTTP room: a resource that can be read, listed and watched. The room knows conventions
// (paths, negotiation, options, Status, streams); the program knows its objects and makes their bytes.
import type { StringMap } from '../api/meta.ts'

export interface TableColumn {
  readonly name: string
  readonly type: string
  readonly format: string
  readonly description: string
  readonly priority: number
}

export interface SubresourceDefinition {
  readonly name: string
  readonly verbs: readonly string[]
}

/** A JSON Schema, draft 7, of plain keywords: type, properties, items, additionalProperties, required, description, enum. */
export interface JsonSchema {
  readonly type?: string
  /** The name of the model in OpenAPI; an object without one is written out where it stands. */
  readonly title?: string
  readonly format?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: JsonSchema
  readonly required?: readonly string[]
  readonly enum?: readonly unknown[]
}

export interface ResourceDefinition {
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly singular: string
  readonly kind: string
  readonly listKind: string
  readonly shortNames: readonly string[]
  readonly verbs: readonly string[]
  readonly subresources: readonly SubresourceDefinition[]
  readonly columns: readonly TableColumn[]
  /** JSON Schema of one object, nested, a `description` on every field: the one source of OpenAPI and `kubectl explain`. */
  readonly schema: JsonSchema
}

/** The form in which a client wants objects. */
export type Form =
  | { readonly as: 'object' }
  | { readonly as: 'metadata'; readonly version: 'v1' | 'v1beta1' }
  | {
      readonly as: 'table'
      readonly version: 'v1' | 'v1beta1'
      readonly includeObject: 'None' | 'Metadata' | 'Object'
    }

/** A parsed label or field selector. `empty` selects everything. */
export interface Selector<T> {
  readonly empty: boolean
  matches(subject: T): boolean
  /** The one value that the selector demands of this key by equality, where there is one: lets a store look up instead of scan. */
  exactly(key: string): string | undefined
}

export interface SelectableFields {
  readonly 'metadata.name': string
  readonly 'metadata.namespace': string
}

export interface Scope {
  /** undefined: all namespaces. */
  readonly namespace: string | undefined
  readonly form: Form
  /** The query as sent: a resource reads its own parameters from it (`catalog`, `catalog-namespace`). */
  readonly query: URLSearchParams
}

export type ResourceVersionMatch = 'Exact' | 'NotOlderThan'

export interface GetRequest extends Scope {
  readonly namespace: string
  readonly name: string
  /** `""` where unset. Decimal digits where set: the room has checked, but not on subresources, where it is opaque. */
  readonly resourceVersion: string
}

export interface ListRequest extends Scope {
  readonly labels: Selector<StringMap>
  readonly fields: Selector<SelectableFields>
  /** `""` where unset. */
  readonly resourceVersion: string
  readonly resourceVersionMatch: ResourceVersionMatch | undefined
  /** 0: no limit. */
  readonly limit: number
  /** `""` where unset. */
  readonly continue: string
}

export interface WatchRequest extends Scope {
  readonly labels: Selector<StringMap>
  readonly fields: Selector<SelectableFields>
  /** `""` where unset. Decimal digits where set: the room has checked. */
  readonly resourceVersion: string
  /** Unset: the state first as ADDED where resourceVersion is unset or `0`. true: the state, then a marked bookmark. false: changes only. */
  readonly sendInitialEvents: boolean | undefined
  readonly allowBookmarks: boolean
}

/** An answer's body, made ready: the room slices it, counts it and sends it, never changes it. */
export interface Payload {
  /** `application/json`, or what a subresource has. */
  readonly contentType: string
  /** A function of the content without resourceVersions, unquoted; undefined: no conditional reads. */
  readonly etag: string | undefined
  /** Texts for `Warning: 299` headers. */
  readonly warnings: readonly string[]
  /** More headers, lower-case names. */
  readonly headers?: Readonly<Record<string, string>>
  /** Ready buffers that joined are the body. `gzip` may answer undefined: the room then sends identity. */
  bytes(encoding: 'identity' | 'gzip'): Promise<readonly Uint8Array[] | undefined>
}

/**
 * A watch as its reader sees it: a cursor into the resource's history, pulled by the room as fast as the client reads.
 * Each frame is one watch event as JSON text in UTF-8, without a line feed.
 */
export interface WatchCursor {
  /** Ready frames after the cursor, at most about `maxBytes` of them (at least one where there is one). `ended`: none will follow. */
  read(maxBytes: number): { readonly frames: readonly Uint8Array[]; readonly ended: boolean }
  /** A BOOKMARK frame for where the cursor stands, or undefined where the client asked for none. */
  bookmark(): Uint8Array | undefined
  /** Calls `listener` when `read` has something new, until `close`. */
  onReadable(listener: () => void): void
  close(): void
}

/** All of these throw a StatusError (http/status.ts) for answers that are not 2xx. */
export interface Resource {
  readonly definition: ResourceDefinition
  get(request: GetRequest): Promise<Payload>
  list(request: ListRequest): Promise<Payload>
  watch(request: WatchRequest): Promise<WatchCursor>
  /** One of the definition's subresources. */
  getSubresource(subresource: string, request: GetRequest): Promise<Payload>
}
