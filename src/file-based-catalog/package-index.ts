// What a catalog holds, slim: packages, channels, heads, edges, bundles. Plain data, so that it can be cloned to another
// thread or written to a cache; the heavy texts lie packed in a ContentStore and are fetched on demand. No behaviour.
import type { ContentStore, PackedRange } from './content-store.ts'

/** A property or a dependency of a bundle; `value` is JSON text as the reference server writes it (sorted keys, compact). */
export interface TypedText {
  readonly type: string
  readonly value: string
}

export interface ApiName {
  readonly group: string
  readonly version: string
  readonly kind: string
}

export interface RelatedImage {
  readonly name: string
  readonly image: string
}

/** One bundle of one package; channels refer to it by name. */
export interface IndexedBundle {
  readonly name: string
  /** As the `olm.package` property writes it. */
  readonly version: string
  /** Release part of the version where the `olm.package` property bears one, else `""`. */
  readonly release: string
  /** `""` where the bundle lives by its objects alone. */
  readonly image: string
  /** All in order, but `olm.bundle.object` and `olm.csv.metadata`, which lie in `content`. */
  readonly properties: readonly TypedText[]
  readonly providedApis: readonly ApiName[]
  readonly requiredApis: readonly ApiName[]
  readonly dependencies: readonly TypedText[]
  readonly deprecation: string | undefined
  /** Objects, CSV metadata and related images; undefined where the bundle has neither object nor metadata. See readBundleContent. */
  readonly content: PackedRange | undefined
}

export interface IndexedEntry {
  readonly name: string
  readonly replaces: string
  readonly skips: readonly string[]
  readonly skipRange: string
}

export interface IndexedChannel {
  readonly name: string
  /** Name of the one entry that no other entry replaces or skips. */
  readonly head: string
  readonly deprecation: string | undefined
  /** By bundle name, in the order of the file. */
  readonly entries: ReadonlyMap<string, IndexedEntry>
}

export interface IndexedPackage {
  readonly name: string
  readonly description: string
  readonly defaultChannel: string
  readonly deprecation: string | undefined
  /** Packed JSON of `{mediaType, data}`, data in base64. See readIcon. */
  readonly icon: PackedRange | undefined
  /** By name, in byte order. */
  readonly channels: ReadonlyMap<string, IndexedChannel>
  /** By name, in byte order. */
  readonly bundles: ReadonlyMap<string, IndexedBundle>
}

/** A blob of a schema that is not of the format itself; its JSON text lies packed. See readText. */
export interface CustomBlob {
  readonly schema: string
  readonly package: string
  readonly name: string
  readonly blob: PackedRange
}

export interface PackageIndex {
  /** Sound packages only, by name, in byte order. */
  readonly packages: ReadonlyMap<string, IndexedPackage>
  /** In the order of files (byte order of their paths) and of blobs in them. */
  readonly customBlobs: readonly CustomBlob[]
  readonly contents: ContentStore
}
