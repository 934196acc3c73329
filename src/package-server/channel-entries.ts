// The entries of a channel: every bundle that can be installed from it, newest first. Pure.

import { compareBytes } from '../api/byte-order.ts'
import { compareVersions, parseVersion, type SemanticVersion, ZERO_VERSION } from '../api/operator-version.ts'
import type { ChannelEntry, Deprecation } from '../api/package-manifest.ts'
import type { SnapshotEntry } from '../catalog/snapshot.ts'

/** Sorted by semver, newest first; a version that is not strict semver counts as 0.0.0; ties by name, ascending. */
export function channelEntries(entries: readonly SnapshotEntry[]): readonly ChannelEntry[] {
  const aged = entries.map((entry) => ({ entry, version: parseVersion(entry.version) ?? ZERO_VERSION }))
  return Object.freeze(aged.sort(newestFirst).map(({ entry }) => channelEntry(entry)))
}

/** `{ message }`, or nothing at all where nothing is deprecated: clients take any other value for a deprecation. */
export function deprecation(message: string | undefined): { readonly deprecation?: Deprecation } {
  return message === undefined ? {} : { deprecation: Object.freeze({ message }) }
}

interface Aged {
  readonly entry: SnapshotEntry
  readonly version: SemanticVersion
}

function newestFirst(a: Aged, b: Aged): number {
  return compareVersions(b.version, a.version) || compareBytes(a.entry.name, b.entry.name)
}

function channelEntry(entry: SnapshotEntry): ChannelEntry {
  return Object.freeze({
    name: entry.name,
    ...(entry.version === '' ? {} : { version: entry.version }),
    ...deprecation(entry.deprecation),
  })
}
