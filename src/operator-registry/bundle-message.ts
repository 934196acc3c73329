// From an indexed bundle to the message of the protocol, in its two forms: in a list and alone. Pure.
import type { BundleBytes } from '../file-based-catalog/bundle-content.ts'
import type { IndexedBundle } from '../file-based-catalog/package-index.ts'
import type { ChannelEntry } from '../registry/messages.ts'
import type { ServedBundle } from '../registry/registry-content.ts'
import type { PlacedEntry } from './provider-index.ts'

const NOTHING = Buffer.alloc(0)

/** A bundle alone: with its manifests, without the edges of the upgrade graph. */
export function wholeBundle(place: PlacedEntry, bundle: IndexedBundle, content: BundleBytes): ServedBundle {
  return { ...bundleFacts(place, bundle), csvJson: content.csvJson, object: content.objects, replaces: '', skips: [] }
}

/** A bundle in a list: with its edges; with its manifests only where it has no image that they could be had from. */
export function listedBundle(
  place: PlacedEntry,
  bundle: IndexedBundle,
  content: BundleBytes | undefined,
): ServedBundle {
  return {
    ...bundleFacts(place, bundle),
    csvJson: content?.csvJson ?? NOTHING,
    object: content?.objects ?? [],
    replaces: place.entry.replaces,
    skips: place.entry.skips,
  }
}

/** The edge from an entry to the bundle that it replaces. */
export function channelEntry(place: PlacedEntry, replaces = place.entry.replaces): ChannelEntry {
  return {
    packageName: place.package.name,
    channelName: place.channel.name,
    bundleName: place.entry.name,
    replaces,
  }
}

/** The entry's own edge and one for each bundle it skips; `known` says which skipped ones count. */
export function channelEntries(place: PlacedEntry, known: (skipped: string) => boolean): ChannelEntry[] {
  const { replaces, skips } = place.entry
  const skipped = skips.filter((name) => name !== replaces && known(name))
  return [channelEntry(place), ...skipped.map((name) => channelEntry(place, name))]
}

function bundleFacts(
  place: PlacedEntry,
  bundle: IndexedBundle,
): Omit<ServedBundle, 'csvJson' | 'object' | 'replaces' | 'skips'> {
  return {
    csvName: bundle.name,
    packageName: place.package.name,
    channelName: place.channel.name,
    bundlePath: bundle.image,
    providedApis: bundle.providedApis.map((api) => ({ ...api, plural: '' })),
    requiredApis: bundle.requiredApis.map((api) => ({ ...api, plural: '' })),
    version: bundle.version,
    skipRange: place.entry.skipRange,
    dependencies: bundle.dependencies,
    properties: bundle.properties,
    deprecation: bundle.deprecation === undefined ? null : { message: bundle.deprecation },
  }
}
