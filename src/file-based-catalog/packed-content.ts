// The heavy part of a bundle as one run of bytes and back: its objects, its CSV metadata, its related images.
import type { RelatedImage } from './package-index.ts'

export interface ContentParts {
  /** JSON of each object, in order; not always well-formed, since the reference program passes on what begins with a brace. */
  readonly objects: readonly string[]
  /** JSON of the value of each `olm.csv.metadata` property. */
  readonly csvMetadata: readonly string[]
  readonly relatedImages: readonly RelatedImage[]
}

interface Header {
  readonly objects: readonly number[]
  readonly csvMetadata: readonly number[]
  readonly relatedImages: readonly RelatedImage[]
}

/** A header line of JSON that tells the lengths, then the texts one after the other. */
export function joinContent(parts: ContentParts): Buffer {
  const objects = parts.objects.map((text) => Buffer.from(text))
  const csvMetadata = parts.csvMetadata.map((text) => Buffer.from(text))
  const header: Header = {
    objects: objects.map((bytes) => bytes.length),
    csvMetadata: csvMetadata.map((bytes) => bytes.length),
    relatedImages: parts.relatedImages,
  }
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ...objects, ...csvMetadata])
}

export function splitContent(bytes: Buffer): ContentParts {
  const headerEnd = bytes.indexOf('\n')
  const header = JSON.parse(bytes.toString('utf8', 0, headerEnd)) as Header
  let at = headerEnd + 1
  const take = (length: number): string => {
    const text = bytes.toString('utf8', at, at + length)
    at += length
    return text
  }
  return {
    objects: header.objects.map(take),
    csvMetadata: header.csvMetadata.map(take),
    relatedImages: header.relatedImages,
  }
}
