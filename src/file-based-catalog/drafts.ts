// All blobs of a catalog as read, before anything is known of how they belong together. Slim: heavy texts are packed already.
import type { PackedRange } from './content-store.ts'
import type { ChannelBlob, DeprecationsBlob } from './declarative-config.ts'
import type { CustomBlob, IndexedBundle } from './package-index.ts'
import type { BlobSource, Problem } from './problem.ts'

export interface PackageDraft {
  readonly source: BlobSource
  readonly name: string
  readonly defaultChannel: string
  readonly description: string
  readonly icon: PackedRange | undefined
}

export interface ChannelDraft {
  readonly source: BlobSource
  readonly blob: Pick<ChannelBlob, 'name' | 'package' | 'entries'>
}

/** What an `olm.package` property says. */
export interface PackageProperty {
  readonly packageName: string
  readonly version: string
  readonly release: string
}

export interface BundleDraft {
  readonly source: BlobSource
  readonly package: string
  /** As it will be indexed, but for the deprecation. */
  readonly bundle: IndexedBundle
  readonly objectCount: number
  readonly packageProperties: readonly PackageProperty[]
  /** Faults of the blob alone, in the order in which the reference program meets them; `rule` says of what kind. */
  readonly problems: readonly Problem[]
}

export interface DeprecationsDraft {
  readonly source: BlobSource
  readonly blob: Pick<DeprecationsBlob, 'package' | 'entries'>
}

export interface CustomDraft {
  readonly source: BlobSource
  readonly blob: CustomBlob
}

export interface Drafts {
  readonly packages: PackageDraft[]
  readonly channels: ChannelDraft[]
  readonly bundles: BundleDraft[]
  readonly deprecations: DeprecationsDraft[]
  readonly customs: CustomDraft[]
}

export function emptyDrafts(): Drafts {
  return { packages: [], channels: [], bundles: [], deprecations: [], customs: [] }
}
