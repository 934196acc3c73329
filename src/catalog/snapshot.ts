// Station 3: one whole, frozen reading of one registry, or an error; nothing in between.
import type { ClusterServiceVersion } from '../api/cluster-service-version.ts'

export interface SnapshotEntry {
  readonly name: string
  /** `""` where the bundle bears none. */
  readonly version: string
  readonly deprecation: string | undefined
  readonly replaces: string
  readonly skips: readonly string[]
  readonly skipRange: string
}

export interface SnapshotChannel {
  readonly name: string
  readonly deprecation: string | undefined
  readonly head: ClusterServiceVersion
  /** As the registry lists them, without those that bear a property of type `olm.deprecated`; in no order yet. */
  readonly entries: readonly SnapshotEntry[]
}

export interface SnapshotPackage {
  readonly name: string
  readonly deprecation: string | undefined
  /** As `GetPackage` says, whether such a channel exists or not. */
  readonly defaultChannel: string
  /** Those whose head could be fetched and decoded; may be empty. */
  readonly channels: readonly SnapshotChannel[]
}

/** A channel, or where `channel` is undefined a package, that was left out, and why. */
export interface LeftOut {
  readonly package: string
  readonly channel: string | undefined
  readonly reason: string
}

export interface Snapshot {
  readonly packages: readonly SnapshotPackage[]
  readonly leftOut: readonly LeftOut[]
  /** A digest of everything above: equal content, equal hash. */
  readonly hash: string
  /** Milliseconds since the epoch at which the reading ended. */
  readonly readAt: number
  /** Bytes of all messages received. */
  readonly bytes: number
}
