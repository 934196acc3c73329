// What the store holds of one object: what identifies, orders and selects it, and its JSON text, made once. The object it
// was made from is not kept. Receives an object's parts, hands on a Content.
import { hash } from 'node:crypto'
import type { CatalogKey } from '../api/catalog-source.ts'
import type { StringMap } from '../api/meta.ts'
import type { Piece } from '../http/gzip-pieces.ts'
import { goJson, goMap } from './go-json.ts'
import { contentDigest } from './resource-version.ts'

/** Bytes of an object's text that no request changes, and, once made, the same bytes deflated. */
export interface Tail {
  /** May be replaced by equal bytes that lie elsewhere in memory. */
  bytes: Uint8Array
  piece: Piece | undefined
  /** While it is being deflated. */
  making: Promise<Piece> | undefined
}

/** A cell of a table: JSON text, or a moment (milliseconds) whose age is told when the row is sent. */
export type Cell = string | { readonly since: number | undefined }

/** One version of one object. */
export interface Content {
  readonly owner: CatalogKey
  readonly namespace: string
  readonly name: string
  /** Who offers it, and how high that one ranks: decides between objects of one name. */
  readonly catalog: string
  readonly priority: number
  readonly labels: StringMap
  /** The name and `,"uid":"…"` as JSON text: what surrounds the namespace. */
  readonly nameJson: string
  readonly uidJson: string
  readonly cells: readonly Cell[]
  /** The JSON text after `resourceVersion`, to the end of the object. */
  readonly tail: Tail
  /** Where in the tail the object's metadata ends. */
  readonly metadataEnd: number
  /** Hash of everything but the resourceVersion; equal content, equal hash. */
  readonly hash: string
  /** Its share in the digest of a state. */
  readonly digest: number
}

/** An object's parts as a resource hands them in. */
export interface ObjectParts {
  readonly owner: CatalogKey
  readonly namespace: string
  readonly name: string
  readonly catalog: string
  readonly priority: number
  readonly uid: string
  readonly creationTimestamp: string | undefined
  readonly labels: StringMap | undefined
  /** JSON text of the members after `metadata`, without braces: `"spec":{},"status":{…}`. */
  readonly members: string
  readonly cells: readonly Cell[]
}

const NO_LABELS: StringMap = Object.freeze(Object.create(null))

export function encodeContent(parts: ObjectParts): Content {
  const created = parts.creationTimestamp === undefined ? '' : `,"creationTimestamp":${goJson(parts.creationTimestamp)}`
  const labels = parts.labels === undefined ? '' : `,"labels":${goMap(parts.labels)}`
  const metadata = `${created}${labels}}`
  const bytes = ownBytes(`${metadata},${parts.members}}`)
  const identity = [parts.namespace, parts.catalog, parts.name, parts.uid, hash('sha1', bytes, 'hex')].join('\n')
  const contentHash = hash('sha1', identity, 'hex')
  return {
    owner: parts.owner,
    namespace: parts.namespace,
    name: parts.name,
    catalog: parts.catalog,
    priority: parts.priority,
    labels: parts.labels ?? NO_LABELS,
    nameJson: goJson(parts.name),
    uidJson: `,"uid":${goJson(parts.uid)}`,
    cells: parts.cells,
    tail: { bytes, piece: undefined, making: undefined },
    metadataEnd: Buffer.byteLength(metadata),
    hash: contentHash,
    digest: contentDigest(contentHash),
  }
}

/** Memory of its own: `Buffer.from` may take a part of a block that would live as long as this, with whatever else is in it. */
function ownBytes(text: string): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

/** Whether every selection that holds the one holds the other, if they bear one name. */
export function sameLabels(a: Content, b: Content): boolean {
  if (a.labels === b.labels) return true
  const keys = Object.keys(a.labels)
  return keys.length === Object.keys(b.labels).length && keys.every((key) => a.labels[key] === b.labels[key])
}

/** A content and the number of its last change: what a state is made of. */
export interface Item {
  readonly content: Content
  readonly version: number
}
