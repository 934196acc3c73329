// The rules for packages, channels and bundles once they are put together, told in the order of the reference program's tree.

import type { CatalogTree, ChannelNode, EntryNode, PackageNode } from './catalog-tree.ts'
import { emptyDeprecation } from './deprecation-rules.ts'
import { checkEntry } from './entry-rules.ts'
import { inByteOrder } from './key-order.ts'
import type { Problem, Report } from './problem.ts'
import { duplicateVersions } from './unique-versions.ts'
import { graphFault } from './upgrade-graph.ts'

export function checkWhole(tree: CatalogTree, report: Report): void {
  for (const pkg of inByteOrder(tree).values()) checkPackage(pkg, report)
}

function checkPackage(pkg: PackageNode, report: Report): void {
  const { source, name, defaultChannel } = pkg.draft
  const about = { stage: 'check', source, package: name } as const
  const plain = (rule: Problem['rule'], reference: string, path: Problem['path']): void =>
    report({ ...about, rule, message: reference, reference, path })
  if (defaultChannel === '') plain('default-channel-missing', 'default channel must be set', [])
  if (pkg.channels.size === 0) plain('channels-missing', 'package must contain at least one channel', [])
  for (const channel of inByteOrder(pkg.channels).values()) checkChannel(pkg, channel, report)
  const duplicates = duplicateVersions(pkg)
  if (duplicates !== undefined) report({ ...about, ...duplicates })
  if (pkg.deprecation?.message === '') report({ ...about, ...emptyDeprecation(pkg.deprecation) })
}

function checkChannel(pkg: PackageNode, channel: ChannelNode, report: Report): void {
  const about = {
    stage: 'check',
    source: channel.draft?.source ?? pkg.draft.source,
    package: pkg.draft.name,
    channel: channel.name,
  } as const
  if (channel.entries.size === 0) {
    const reference = 'channel must contain at least one bundle'
    const unknown = channel.draft === undefined
    report({
      ...about,
      rule: unknown ? 'default-channel-unknown' : 'channel-empty',
      message: unknown ? `default channel ${JSON.stringify(channel.name)} does not exist` : reference,
      reference,
      path: unknown ? ['defaultChannel'] : ['entries'],
    })
  } else {
    const fault = graphFault(channel.entries)
    if (fault !== undefined) {
      const first: EntryNode | undefined = channel.entries.get(fault.entries[0] ?? '')
      const path = first === undefined ? ['entries'] : ['entries', first.index]
      report({ ...about, rule: fault.rule, message: fault.message, reference: fault.message, path })
    }
  }
  for (const entry of inByteOrder(channel.entries).values()) checkEntry(pkg, channel, entry, report)
  if (channel.deprecation?.message === '') report({ ...about, ...emptyDeprecation(channel.deprecation) })
}
