// The uid of an object that is computed, not stored: a name-based UUID (RFC 9562, version 5). Equal facts, equal uid, on
// every replica and after every restart. Pure.
import { createHash } from 'node:crypto'
import type { CatalogSource } from '../api/catalog-source.ts'
import { catalogKey } from '../api/catalog-source.ts'

/** Our own name space for version 5, drawn once at random. */
const NAME_SPACE = Buffer.from('5d0c5f0e6b0b4a0f9a54c1d6e0a1f7b3', 'hex')

/** The uid of what the catalog offers under `name`: new where the catalog was deleted and made again. */
export function offeredUid(source: Pick<CatalogSource, 'namespace' | 'name' | 'uid'>, name: string): string {
  return nameUuid(`${source.uid ?? catalogKey(source)}\n${name}`)
}

/** The version 5 UUID of a name in our name space. */
export function nameUuid(name: string): string {
  const bytes = createHash('sha1').update(NAME_SPACE).update(name).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
