// Entries of channels that no bundle stands behind, and default channels that do not exist.
import { compareBytes } from '../api/byte-order.ts'
import type { CatalogTree, ChannelNode, EntryNode, PackageNode } from './catalog-tree.ts'
import type { Report } from './problem.ts'
import { quoted } from './quoted-text.ts'

/**
 * The reference program looks at once only at the channel of each package that it read last; entries of the others it
 * meets later, as bundles without properties and image (entry-rules.ts). Its verdict is the same.
 */
export function checkMissingBundles(tree: CatalogTree, report: Report): void {
  for (const pkg of tree.values()) {
    const last = lastRead(pkg)
    if (last === undefined) continue
    const missing = [...last.entries.values()].filter(({ name }) => !pkg.bundles.has(name))
    const names = missing.map(({ name }) => name).sort(compareBytes)
    const packageName = quoted(pkg.draft.name)
    const reference = `no olm.bundle blobs found in package ${packageName} for olm.channel entries [${names.join(' ')}]`
    for (const entry of missing) report({ ...missingBundle(pkg, last, entry), stage: 'convert', reference })
  }
}

export function lastRead(pkg: PackageNode): ChannelNode | undefined {
  return [...pkg.channels.values()].findLast(({ draft }) => draft !== undefined)
}

export function missingBundle(pkg: PackageNode, channel: ChannelNode, entry: EntryNode) {
  return {
    rule: 'entry-without-bundle',
    message: `no olm.bundle blob of package ${quoted(pkg.draft.name)} is named ${quoted(entry.name)}`,
    source: channel.draft?.source,
    path: ['entries', entry.index, 'name'],
    package: pkg.draft.name,
    channel: channel.name,
    bundle: entry.name,
  } as const
}

/** A default channel that no blob has is an empty channel of that name from here on, as the reference program has it. */
export function addDefaultChannels(tree: CatalogTree): void {
  for (const pkg of tree.values()) {
    const name = pkg.draft.defaultChannel
    if (name === '' || pkg.channels.has(name)) continue
    pkg.channels.set(name, { name, draft: undefined, entries: new Map(), deprecation: undefined })
  }
}
