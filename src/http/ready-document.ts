// A document that is made once and sent often: its bytes, plain and compressed, and its tag.
import { createHash } from 'node:crypto'
import { compress } from './body-style.ts'

export interface ReadyDocument {
  readonly contentType: string
  readonly bytes: Buffer
  /** Strong, unquoted: SHA-512 of the bytes; undefined: no conditional reads. */
  readonly etag: string | undefined
  /** undefined: not to be kept without asking. */
  readonly cacheControl: string | undefined
  /** Compressed at the first call; undefined where it is too small to gain. */
  gzip(): Promise<readonly Uint8Array[] | undefined>
}

export interface DocumentFacts {
  readonly contentType: string
  readonly bytes: Buffer
  readonly tagged?: boolean
  readonly cacheControl?: string
}

export function readyDocument({ contentType, bytes, tagged = false, cacheControl }: DocumentFacts): ReadyDocument {
  let compressed: Promise<readonly Uint8Array[] | undefined> | undefined
  return {
    contentType,
    bytes,
    etag: tagged ? sha512(bytes) : undefined,
    cacheControl,
    gzip() {
      compressed ??= compress([bytes])
      return compressed
    },
  }
}

/** Upper-case hexadecimal, as the API server writes hashes of documents. */
export function sha512(bytes: Uint8Array): string {
  return createHash('sha512').update(bytes).digest('hex').toUpperCase()
}
