// Station 4: what one catalog's registry answered becomes its PackageManifests, by section 2 of the rule book. Pure: equal
// snapshot and CatalogSource, equal result, in whatever order the registry answered. uid and resourceVersion are the store's.

import { compareBytes } from '../api/byte-order.ts'
import type { CatalogSource } from '../api/catalog-source.ts'
import type { ClusterServiceVersion, Icon } from '../api/cluster-service-version.ts'
import type { CsvDescription, PackageChannel, PackageManifest } from '../api/package-manifest.ts'
import { PACKAGE_MANIFEST_API_VERSION, PACKAGE_MANIFEST_KIND } from '../api/package-manifest.ts'
import type { Snapshot, SnapshotChannel, SnapshotPackage } from '../catalog/snapshot.ts'
import { channelEntries, deprecation } from './channel-entries.ts'
import { csvDescription } from './csv-description.ts'
import { manifestLabels } from './manifest-labels.ts'

export interface ManifestWithIcon {
  readonly manifest: PackageManifest
  /** The first icon of the default channel's CSV; the manifest itself carries none. */
  readonly icon: Icon | undefined
}

/** By package name. A package without a channel is left out: the snapshot says why its channels are missing. */
export function toPackageManifests(snapshot: Snapshot, source: CatalogSource): readonly ManifestWithIcon[] {
  const made = snapshot.packages.map((content) => toPackageManifest(content, source))
  return Object.freeze(
    made
      .filter((each) => each !== undefined)
      .sort((a, b) => compareBytes(a.manifest.metadata.name, b.manifest.metadata.name)),
  )
}

/** One package's manifest, or undefined where it has no channel. */
export function toPackageManifest(content: SnapshotPackage, source: CatalogSource): ManifestWithIcon | undefined {
  const channels = [...content.channels].sort((a, b) => compareBytes(a.name, b.name))
  const [first] = channels
  if (first === undefined) return undefined
  const named = channels.find((channel) => channel.name === content.defaultChannel)
  const { head } = named ?? first
  const defaultChannel = named === undefined && content.defaultChannel !== '' ? first.name : content.defaultChannel
  return Object.freeze({
    manifest: Object.freeze({
      kind: PACKAGE_MANIFEST_KIND,
      apiVersion: PACKAGE_MANIFEST_API_VERSION,
      metadata: Object.freeze({
        name: content.name,
        namespace: source.namespace,
        ...(source.creationTimestamp === undefined ? {} : { creationTimestamp: source.creationTimestamp }),
        labels: manifestLabels(source, head),
      }),
      spec: EMPTY,
      status: Object.freeze({
        catalogSource: source.name,
        catalogSourceDisplayName: source.displayName,
        catalogSourcePublisher: source.publisher,
        catalogSourceNamespace: source.namespace,
        provider: head.provider,
        packageName: content.name,
        ...deprecation(content.deprecation),
        channels: packageChannels(channels),
        defaultChannel,
      }),
    }),
    icon: head.icon,
  })
}

const EMPTY = Object.freeze({})

/** Channels with the same head share one description. */
function packageChannels(channels: readonly SnapshotChannel[]): readonly PackageChannel[] {
  const descriptions = new Map<ClusterServiceVersion, CsvDescription>()
  return Object.freeze(
    channels.map((channel) => {
      const described = descriptions.get(channel.head) ?? csvDescription(channel.head)
      descriptions.set(channel.head, described)
      return Object.freeze({
        name: channel.name,
        currentCSV: channel.head.name,
        currentCSVDesc: described,
        ...deprecation(channel.deprecation),
        entries: channelEntries(channel.entries),
      })
    }),
  )
}
