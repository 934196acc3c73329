// Drafts put together: packages with their channels and bundles, as far as they can be told apart; and the faults met on
// the way, in the order in which the reference program would meet them.
import type { BundleDraft, ChannelDraft, Drafts, PackageDraft } from './drafts.ts'
import { packageNameFaults } from './package-name.ts'
import type { BlobSource, Report } from './problem.ts'
import { quoted } from './quoted-text.ts'
import type { Path } from './shape.ts'

/** What an `olm.deprecations` blob says of something, and where it says so. */
export interface Deprecation {
  readonly message: string
  readonly source: BlobSource
  readonly path: Path
}

export interface ChannelNode {
  readonly name: string
  /** Undefined where the package names it as its default, and no blob has it. */
  readonly draft: ChannelDraft | undefined
  readonly entries: ReadonlyMap<string, EntryNode>
  deprecation: Deprecation | undefined
}

export interface EntryNode {
  readonly name: string
  readonly replaces: string
  readonly skips: readonly string[]
  readonly skipRange: string
  /** Place among the channel's entries in the file. */
  readonly index: number
}

export interface PackageNode {
  readonly draft: PackageDraft
  /** In the order of reading. */
  readonly channels: Map<string, ChannelNode>
  readonly bundles: Map<string, BundleNode>
  deprecation: Deprecation | undefined
}

export interface BundleNode {
  readonly draft: BundleDraft
  deprecation: Deprecation | undefined
}

export type CatalogTree = Map<string, PackageNode>

export function buildTree(drafts: Drafts, report: Report): CatalogTree {
  const tree: CatalogTree = new Map()
  for (const draft of drafts.packages) addPackage(tree, draft, report)
  for (const draft of drafts.channels) addChannel(tree, draft, report)
  for (const draft of drafts.bundles) addBundle(tree, draft, report)
  return tree
}

function addPackage(tree: CatalogTree, draft: PackageDraft, report: Report): void {
  const { source, name } = draft
  const about = { stage: 'convert', source, path: ['name'], package: name } as const
  if (name === '') {
    const reference = 'config contains package with no name'
    report({ ...about, path: [], rule: 'package-name-missing', message: 'the package has no name', reference })
    return
  }
  if (tree.has(name)) {
    const reference = `duplicate package ${quoted(name)}`
    report({ ...about, rule: 'package-duplicate', message: reference, reference })
    return
  }
  const reasons = packageNameFaults(name)
  if (reasons.length > 0) {
    const reference = `invalid package name ${quoted(name)}: [${reasons.join(' ')}]`
    report({ ...about, rule: 'package-name-invalid', message: reference, reference })
  }
  tree.set(name, { draft, channels: new Map(), bundles: new Map(), deprecation: undefined })
}

function addChannel(tree: CatalogTree, draft: ChannelDraft, report: Report): void {
  const { name, package: packageName, entries } = draft.blob
  const about = { stage: 'convert', source: draft.source, package: packageName, channel: name } as const
  const pkg = tree.get(packageName)
  if (pkg === undefined) {
    const reference = `unknown package ${quoted(packageName)} for channel ${quoted(name)}`
    report({ ...about, rule: 'package-unknown', message: reference, reference, path: ['package'] })
    return
  }
  if (name === '') {
    const reference = `package ${quoted(packageName)} contains channel with no name`
    report({ ...about, rule: 'channel-name-missing', message: reference, reference, path: [] })
    return
  }
  if (pkg.channels.has(name)) {
    const reference = `package ${quoted(packageName)} has duplicate channel ${quoted(name)}`
    report({ ...about, rule: 'channel-duplicate', message: reference, reference, path: ['name'] })
    return
  }
  const nodes = new Map<string, EntryNode>()
  for (const [index, entry] of entries.entries()) {
    if (!nodes.has(entry.name)) {
      nodes.set(entry.name, { ...entry, index })
      continue
    }
    const place = `invalid package ${quoted(packageName)}, channel ${quoted(name)}`
    const reference = `${place}: duplicate entry ${quoted(entry.name)}`
    const path = ['entries', index, 'name']
    report({ ...about, rule: 'entry-duplicate', message: reference, reference, path, bundle: entry.name })
  }
  pkg.channels.set(name, { name, draft, entries: nodes, deprecation: undefined })
}

function addBundle(tree: CatalogTree, draft: BundleDraft, report: Report): void {
  const { name } = draft.bundle
  const about = { stage: 'convert', source: draft.source, package: draft.package, bundle: name } as const
  if (draft.package === '') {
    const reference = `package name must be set for bundle ${quoted(name)}`
    report({ ...about, rule: 'package-missing', message: reference, reference, path: [] })
  }
  const pkg = tree.get(draft.package)
  if (pkg === undefined && draft.package !== '') {
    const reference = `unknown package ${quoted(draft.package)} for bundle ${quoted(name)}`
    report({ ...about, rule: 'package-unknown', message: reference, reference, path: ['package'] })
  }
  if (pkg?.bundles.has(name) === true) {
    const reference = `package ${quoted(draft.package)} has duplicate bundle ${quoted(name)}`
    report({ ...about, rule: 'bundle-duplicate', message: reference, reference, path: ['name'] })
    return
  }
  for (const problem of draft.problems) report(problem)
  if (pkg === undefined) return
  pkg.bundles.set(name, { draft, deprecation: undefined })
  if ([...pkg.channels.values()].some((channel) => channel.entries.has(name))) return
  const reference = `package ${quoted(draft.package)}, bundle ${quoted(name)} not found in any channel entries`
  report({ ...about, rule: 'bundle-in-no-channel', message: reference, reference, path: ['name'] })
}
