// The small file that says what was kept of one catalog: of which object and address, read when, and which larger file holds its
// packages. Written last, so that it is true whenever it is there. Pure.
import { hash } from 'node:crypto'
import type { CatalogSource } from '../api/catalog-source.ts'
import { createCheck } from '../api/schema-check.ts'
import type { LeftOut, Snapshot } from './snapshot.ts'

export interface KeptHeader {
  readonly namespace: string
  readonly name: string
  /** Null: the object bore none. */
  readonly uid: string | null
  readonly address: string
  /** Milliseconds since the epoch. */
  readonly readAt: number
  /** Bytes of all messages of the reading. */
  readonly bytes: number
  readonly packages: number
  readonly leftOut: readonly LeftOut[]
  /** SHA-256 of the file of packages, hexadecimal: its name too. */
  readonly body: string
  readonly bodyBytes: number
}

/** Raised whenever what is kept, or what is made of a manifest, becomes another. */
const FORMAT = 'olm-kept-reading/1'

const TEXT = { type: 'string' }
const COUNT = { type: 'integer', minimum: 0 }
const PROPERTIES = {
  namespace: TEXT,
  name: TEXT,
  uid: { type: ['string', 'null'] },
  address: TEXT,
  readAt: { type: 'number' },
  bytes: COUNT,
  packages: COUNT,
  leftOut: {
    type: 'array',
    items: {
      type: 'object',
      required: ['package', 'reason'],
      properties: { package: TEXT, channel: TEXT, reason: TEXT },
    },
  },
  body: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  bodyBytes: COUNT,
} satisfies Record<keyof KeptHeader, object>

const check = createCheck<KeptHeader>({
  type: 'object',
  required: Object.keys(PROPERTIES),
  properties: PROPERTIES,
})

/** What is kept of a reading of this source; undefined where the source has no address any more. */
export function keptHeader(
  { namespace, name, uid, address }: CatalogSource,
  { readAt, bytes, packages, leftOut }: Snapshot,
  body: Pick<KeptHeader, 'body' | 'bodyBytes'>,
): KeptHeader | undefined {
  if (address === undefined) return undefined
  return { namespace, name, uid: uid ?? null, address, readAt, bytes, packages: packages.length, leftOut, ...body }
}

export function encodeKeptHeader(header: KeptHeader): string {
  const text = JSON.stringify(header)
  return `${FORMAT} ${hash('sha256', text, 'hex')}\n${text}\n`
}

/** Throws where the text is no header of this format, saying why. */
export function decodeKeptHeader(text: string): KeptHeader {
  const [first = '', second = ''] = text.split('\n')
  const [format = '', digest] = first.split(' ')
  if (format !== FORMAT) {
    throw new Error(format.startsWith('olm-kept-reading/') ? `its format is ${format}, not ${FORMAT}` : 'damaged')
  }
  if (digest !== hash('sha256', second, 'hex')) throw new Error('damaged: its digest is another')
  const checked = check(JSON.parse(second))
  if (!checked.ok) throw new Error(checked.reason)
  const leftOut = checked.value.leftOut.map((one) => ({ ...one, channel: one.channel ?? undefined }))
  return { ...checked.value, leftOut }
}

/** Why what was kept is not of this source; undefined: it is. */
export function headerMismatch(header: KeptHeader, source: CatalogSource): string | undefined {
  if (header.namespace !== source.namespace || header.name !== source.name) {
    return `kept of ${header.namespace}/${header.name}`
  }
  if (header.uid !== (source.uid ?? null)) return 'kept of another object of this name'
  return header.address === source.address ? undefined : `kept of another address, ${header.address}`
}
