// The picture of a package: what a catalog gave, checked, or a neutral one of ours. Receives base64 text and a media type
// that nobody has looked at, hands on bytes that are safe to serve as an image. Pure.
import { hash } from 'node:crypto'
import type { Icon } from '../api/cluster-service-version.ts'

export interface IconImage {
  /** `image/…`, without parameters. */
  readonly mediaType: string
  readonly bytes: Uint8Array
  /** A function of the type and bytes alone. */
  readonly etag: string
}

/** An image type of RFC 9110's tokens; anything else would let a catalog serve pages from this address. */
const IMAGE_TYPE = /^image\/[a-z0-9][a-z0-9.+-]{0,63}$/
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

const NEUTRAL = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64" role="img" aria-label="package"><g fill="none" stroke="#6a6e73" stroke-width="3" stroke-linejoin="round" stroke-linecap="round"><path d="M32 7 54 18.5v27L32 57 10 45.5v-27z"/><path d="M10 18.5 32 30l22-11.5M32 30v27M21 12.75l22 11.5v9"/></g></svg>
`

/** Where a package has no picture, or none that can be served. */
export const NEUTRAL_ICON: IconImage = Object.freeze(image('image/svg+xml', Buffer.from(NEUTRAL)))

/** What answers for a package with this icon. Broken base64 is no picture: half of one is never served. */
export function iconImage(icon: Icon | undefined): IconImage {
  if (icon === undefined) return NEUTRAL_ICON
  const mediaType = (icon.mediatype.split(';')[0] ?? '').trim().toLowerCase()
  const bytes = decodeBase64(icon.base64data)
  return bytes === undefined || !IMAGE_TYPE.test(mediaType) ? NEUTRAL_ICON : image(mediaType, bytes)
}

/** Standard base64 with padding; line ends in between are allowed, as MIME has them, and nothing else. */
function decodeBase64(text: string): Uint8Array | undefined {
  const compact = text.replace(/[\r\n]+/g, '')
  if (compact.length % 4 !== 0 || !BASE64.test(compact)) return undefined
  // A copy of its own: what `from` hands on may lie in a larger block.
  return new Uint8Array(Buffer.from(compact, 'base64'))
}

function image(mediaType: string, bytes: Uint8Array): IconImage {
  return { mediaType, bytes, etag: hash('sha1', Buffer.concat([Buffer.from(`${mediaType}\n`), bytes]), 'base64url') }
}
