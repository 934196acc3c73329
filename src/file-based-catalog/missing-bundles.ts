// Entries of channels that no bundle stands behind, and default channels that do not exist.
import { compareBytes } from '../api/byte-order.ts'
import type { CatalogTree, ChannelNode, PackageNode } from './catalog-tree.ts'
import type { Report } from './problem.ts'
import { quoted } from './quoted-text.ts'

/**
 * The reference program looks at once only at the channel of each package that it read last; entries of the others it
 * meets later, as bundles without properties and image. Its verdict is the same.
 */
export function checkMissingBundles(tree: CatalogTree, report: Report): void {
  for (const pkg of tree.values()) {
    const last = [...pkg.channels.values()].at(-1)
    for (const channel of pkg.channels.values()) reportMissing(pkg, channel, channel === last, report)
  }
}

function reportMissing(pkg: PackageNode, channel: ChannelNode, last: boolean, report: Report): void {
  const missing = [...channel.entries.values()].filter(({ name }) => !pkg.bundles.has(name))
  const names = missing.map(({ name }) => name).sort(compareBytes)
  const packageName = pkg.draft.name
  const atOnce = `no olm.bundle blobs found in package ${quoted(packageName)} for olm.channel entries [${names.join(' ')}]`
  for (const entry of missing) {
    report({
      stage: last ? 'convert' : 'check',
      rule: 'entry-without-bundle',
      message: `no olm.bundle blob of package ${quoted(packageName)} is named ${quoted(entry.name)}`,
      reference: last ? atOnce : ['must be exactly one property with type "olm.package"', 'bundle image must be set'],
      source: channel.draft?.source,
      path: ['entries', entry.index, 'name'],
      package: packageName,
      channel: channel.name,
      bundle: entry.name,
    })
  }
}

/** A default channel that no blob has is an empty channel of that name from here on, as the reference program has it. */
export function addDefaultChannels(tree: CatalogTree): void {
  for (const pkg of tree.values()) {
    const name = pkg.draft.defaultChannel
    if (name === '' || pkg.channels.has(name)) continue
    pkg.channels.set(name, { name, draft: undefined, entries: new Map(), deprecation: undefined })
  }
}
