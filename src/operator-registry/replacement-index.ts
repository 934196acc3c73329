// Which entries replace or skip a bundle: by the name that is replaced.
import { compareBytes } from '../api/byte-order.ts'
import type { IndexedChannel, IndexedEntry, IndexedPackage, PackageIndex } from '../file-based-catalog/package-index.ts'
import type { PlacedEntry } from './provider-index.ts'
import { createTurns } from './turns.ts'

export interface ReplacementIndex {
  /** By package, channel and bundle, each in byte order; an entry that skips the name twice is there twice. */
  entries(name: string): readonly PlacedEntry[]
}

export async function createReplacementIndex(index: PackageIndex): Promise<ReplacementIndex> {
  const turn = createTurns()
  const packages = new Map<string, Set<IndexedPackage>>()
  for (const pkg of index.packages.values()) {
    await turn()
    for (const channel of pkg.channels.values()) {
      for (const entry of channel.entries.values()) {
        for (const name of [entry.replaces, ...entry.skips]) {
          packages.set(name, (packages.get(name) ?? new Set<IndexedPackage>()).add(pkg))
        }
      }
    }
  }

  return {
    entries(name) {
      const found: PlacedEntry[] = []
      for (const pkg of packages.get(name) ?? []) {
        for (const channel of pkg.channels.values()) {
          for (const entry of sortedEntries(channel)) {
            for (let times = timesReplacing(entry, name); times > 0; times--)
              found.push({ package: pkg, channel, entry })
          }
        }
      }
      return found
    },
  }
}

/**
 * The entry of the channel that replaces `name`, else the first in byte order that skips it. Where there are several the
 * reference registry answers one at random.
 */
export function entryReplacing(channel: IndexedChannel, name: string): IndexedEntry | undefined {
  const entries = sortedEntries(channel)
  return entries.find((entry) => entry.replaces === name) ?? entries.find((entry) => entry.skips.includes(name))
}

export function sortedEntries(channel: IndexedChannel): IndexedEntry[] {
  return [...channel.entries.values()].sort((a, b) => compareBytes(a.name, b.name))
}

function timesReplacing(entry: IndexedEntry, name: string): number {
  const skipped = entry.replaces === name ? 0 : entry.skips.filter((skip) => skip === name).length
  return (entry.replaces === name ? 1 : 0) + skipped
}
