// The heavy part of a bundle as one run of bytes and back: its objects, its CSV metadata, its related images.
import type { RelatedImage } from './package-index.ts'

export interface ContentParts {
  /** JSON of each object, in order; not always well-formed, since the reference program passes on what begins with a brace. */
  readonly objects: readonly string[]
  /** JSON of the value of each `olm.csv.metadata` property. */
  readonly csvMetadata: readonly string[]
  readonly relatedImages: readonly RelatedImage[]
}

/** As ContentParts, in UTF-8. */
export interface ContentSlices {
  readonly objects: readonly Buffer[]
  readonly csvMetadata: readonly Buffer[]
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
  const { objects, csvMetadata, relatedImages } = sliceContent(bytes)
  return { objects: objects.map(String), csvMetadata: csvMetadata.map(String), relatedImages }
}

/** The parts as slices of the same memory: what is only passed on need not become text. */
export function sliceContent(bytes: Buffer): ContentSlices {
  const headerEnd = bytes.indexOf('\n')
  const header = JSON.parse(bytes.toString('utf8', 0, headerEnd)) as Header
  let at = headerEnd + 1
  const take = (length: number): Buffer => {
    const start = at
    at += length
    return bytes.subarray(start, at)
  }
  return {
    objects: header.objects.map(take),
    csvMetadata: header.csvMetadata.map(take),
    relatedImages: header.relatedImages,
  }
}
