// What changed between two catalogs: packages, channels and bundles that came or went, heads and default channels that
// moved. Pure.
import { compareBytes } from '../api/byte-order.ts'
import type { IndexedPackage, PackageIndex } from './package-index.ts'

export interface Move {
  readonly from: string
  readonly to: string
}

export interface ChannelMove extends Move {
  readonly channel: string
}

export interface PackageDiff {
  readonly package: string
  readonly defaultChannel: Move | undefined
  readonly channelsAdded: readonly string[]
  readonly channelsRemoved: readonly string[]
  readonly headsMoved: readonly ChannelMove[]
  readonly bundlesAdded: readonly string[]
  readonly bundlesRemoved: readonly string[]
}

export interface CatalogDiff {
  readonly packagesAdded: readonly string[]
  readonly packagesRemoved: readonly string[]
  /** Packages in both, that differ. */
  readonly packagesChanged: readonly PackageDiff[]
}

export function diffCatalogs(before: PackageIndex, after: PackageIndex): CatalogDiff {
  const packages = diffKeys(before.packages, after.packages)
  const changed = packages.kept.flatMap((name) => {
    const [old, now] = [before.packages.get(name), after.packages.get(name)]
    const diff = old === undefined || now === undefined ? undefined : diffPackages(old, now)
    return diff === undefined ? [] : [diff]
  })
  return { packagesAdded: packages.added, packagesRemoved: packages.removed, packagesChanged: changed }
}

/** Undefined where nothing differs. */
function diffPackages(before: IndexedPackage, after: IndexedPackage): PackageDiff | undefined {
  const channels = diffKeys(before.channels, after.channels)
  const bundles = diffKeys(before.bundles, after.bundles)
  const headsMoved = channels.kept.flatMap((channel) => {
    const [from, to] = [before.channels.get(channel)?.head ?? '', after.channels.get(channel)?.head ?? '']
    return from === to ? [] : [{ channel, from, to }]
  })
  const [from, to] = [before.defaultChannel, after.defaultChannel]
  const lists = [channels.added, channels.removed, headsMoved, bundles.added, bundles.removed]
  if (from === to && lists.every((list) => list.length === 0)) return undefined
  return {
    package: after.name,
    defaultChannel: from === to ? undefined : { from, to },
    channelsAdded: channels.added,
    channelsRemoved: channels.removed,
    headsMoved,
    bundlesAdded: bundles.added,
    bundlesRemoved: bundles.removed,
  }
}

function diffKeys(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>) {
  return {
    added: [...after.keys()].filter((key) => !before.has(key)).sort(compareBytes),
    removed: [...before.keys()].filter((key) => !after.has(key)).sort(compareBytes),
    kept: [...after.keys()].filter((key) => before.has(key)).sort(compareBytes),
  }
}
