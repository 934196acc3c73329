// From a head bundle's manifest to the ClusterServiceVersion that is shown. Equal manifests are decoded and kept once, across
// channels, readings and catalogs. Receives bytes, hands on the decoded object or the reason why there is none.
import { hash } from 'node:crypto'
import type { ClusterServiceVersion } from '../api/cluster-service-version.ts'
import { createSharedIcons, type ShareIcon } from './shared-icons.ts'

export type DecodedHead = { readonly csv: ClusterServiceVersion } | { readonly reason: string }

export interface Head {
  /** SHA-256 of the manifest, base64: equal manifests, equal digest. */
  readonly digest: string
  readonly decoded: DecodedHead
}

export interface HeadDecoder {
  decode(manifest: Uint8Array): Promise<Head>
}

/** `decode` is asked once for equal manifests, as long as anybody still holds what it made of them. */
export function createHeadDecoder(decode: (manifest: string) => DecodedHead | Promise<DecodedHead>): HeadDecoder {
  const known = new Map<string, WeakRef<Head>>()
  const forgotten = new FinalizationRegistry<string>((digest) => {
    if (known.get(digest)?.deref() === undefined) known.delete(digest)
  })
  const running = new Map<string, Promise<Head>>()
  const shareIcon = createSharedIcons()

  async function make(digest: string, manifest: Uint8Array): Promise<Head> {
    const text = Buffer.from(manifest.buffer, manifest.byteOffset, manifest.byteLength).toString('utf8')
    const head: Head = Object.freeze({ digest, decoded: sharing(await decode(text), shareIcon) })
    known.set(digest, new WeakRef(head))
    forgotten.register(head, digest)
    return head
  }

  return {
    async decode(manifest) {
      const digest = hash('sha256', manifest, 'base64')
      const before = known.get(digest)?.deref()
      if (before !== undefined) return before
      const started = running.get(digest) ?? make(digest, manifest)
      running.set(digest, started)
      try {
        return await started
      } finally {
        running.delete(digest)
      }
    },
  }
}

function sharing(decoded: DecodedHead, shareIcon: ShareIcon): DecodedHead {
  if ('reason' in decoded || decoded.csv.icon === undefined) return decoded
  const icon = shareIcon(decoded.csv.icon)
  return icon === decoded.csv.icon ? decoded : { csv: Object.freeze({ ...decoded.csv, icon }) }
}
