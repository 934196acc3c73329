// Station 3: one whole, frozen reading of one registry, or an error; nothing in between.
import { hash } from 'node:crypto'
import { compareBytes } from '../api/byte-order.ts'
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
  /** Without those that bear a property of type `olm.deprecated`; in byte order of their names. */
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
  /** In byte order of their names, each name once. One that did not change since the reading before is the same object. */
  readonly packages: readonly SnapshotPackage[]
  readonly leftOut: readonly LeftOut[]
  /** A digest of everything above: equal content, equal hash. */
  readonly hash: string
  /** Milliseconds since the epoch at which the reading ended. */
  readonly readAt: number
  /** Bytes of all messages received. */
  readonly bytes: number
}

/** A package and a digest of it: where the digest stayed the same, so did the package. */
export interface DigestedPackage {
  readonly digest: string
  readonly package: SnapshotPackage
}

export interface SnapshotParts {
  readonly packages: readonly DigestedPackage[]
  readonly leftOut: readonly LeftOut[]
  readonly readAt: number
  readonly bytes: number
}

/** Puts a reading in its order and gives it its hash. */
export function freezeSnapshot({ packages, leftOut, readAt, bytes }: SnapshotParts): Snapshot {
  const ordered = packages.toSorted((a, b) => compareBytes(a.package.name, b.package.name))
  const left = leftOut.toSorted(
    (a, b) => compareBytes(a.package, b.package) || compareBytes(a.channel ?? '', b.channel ?? ''),
  )
  return Object.freeze({
    packages: Object.freeze(ordered.map((digested) => digested.package)),
    leftOut: Object.freeze(left),
    hash: hash('sha256', JSON.stringify([ordered.map(({ digest }) => digest), left]), 'base64'),
    readAt,
    bytes,
  })
}
