// From the tree of a catalog to the index that is served: the packages that no fault concerns, everything in byte order.
import { compareBytes } from '../api/byte-order.ts'
import type { CatalogTree, ChannelNode, PackageNode } from './catalog-tree.ts'
import { type ContentChunks, contentStore } from './content-store.ts'
import type { CustomDraft } from './drafts.ts'
import { inByteOrder } from './key-order.ts'
import type { IndexedBundle, IndexedChannel, IndexedPackage, PackageIndex } from './package-index.ts'
import type { Problem } from './problem.ts'
import { headsOf } from './upgrade-graph.ts'

export function buildIndex(
  tree: CatalogTree,
  customs: readonly CustomDraft[],
  chunks: ContentChunks,
  problems: readonly Problem[],
): PackageIndex {
  const broken = brokenPackages(tree, problems)
  const sound = [...tree].filter(([name]) => !broken.has(name))
  return {
    packages: new Map(
      sound.sort(([left], [right]) => compareBytes(left, right)).map(([name, pkg]) => [name, indexPackage(pkg)]),
    ),
    customBlobs: customs.map(({ blob }) => blob),
    contents: contentStore(chunks),
  }
}

/** Also those of which a file held something that could not be read: what is missing of them is not known. */
function brokenPackages(tree: CatalogTree, problems: readonly Problem[]): ReadonlySet<string> {
  const broken = new Set(problems.flatMap(({ package: name }) => (name === undefined ? [] : [name])))
  const unread = problems.filter(({ stage, package: name }) => stage === 'read' && name === undefined)
  const files = new Set(unread.map(({ source }) => source?.file.path))
  for (const [name, { draft, channels, bundles }] of tree) {
    const parts = [
      draft,
      ...[...channels.values()].map((channel) => channel.draft),
      ...[...bundles.values()].map((bundle) => bundle.draft),
    ]
    if (parts.some((part) => part !== undefined && files.has(part.source.file.path))) broken.add(name)
  }
  return broken
}

function indexPackage(pkg: PackageNode): IndexedPackage {
  const { name, description, defaultChannel, icon } = pkg.draft
  const channels = [...inByteOrder(pkg.channels).values()].map(indexChannel)
  const bundles = [...inByteOrder(pkg.bundles).values()].map(
    ({ draft, deprecation }): IndexedBundle => ({ ...draft.bundle, deprecation: deprecation?.message }),
  )
  return {
    name,
    description,
    defaultChannel,
    deprecation: pkg.deprecation?.message,
    icon,
    channels: new Map(channels.map((channel) => [channel.name, channel])),
    bundles: new Map(bundles.map((bundle) => [bundle.name, bundle])),
  }
}

function indexChannel(channel: ChannelNode): IndexedChannel {
  const entries = [...channel.entries.values()].map(({ name, replaces, skips, skipRange }) => ({
    name,
    replaces,
    skips,
    skipRange,
  }))
  return {
    name: channel.name,
    head: headsOf(entries)[0] ?? '',
    deprecation: channel.deprecation?.message,
    entries: new Map(entries.map((entry) => [entry.name, entry])),
  }
}
