// The upgrade graph of a channel as nodes and edges, for whoever draws it: from each entry to those that it can be upgraded to.
import { satisfies, valid } from 'semver'
import type { IndexedChannel, IndexedPackage } from './package-index.ts'

export type EdgeKind = 'replaces' | 'skips' | 'skipRange'

export interface GraphNode {
  readonly name: string
  /** `""` where no bundle of that name exists. */
  readonly version: string
  readonly head: boolean
  readonly deprecation: string | undefined
  /** Named by an edge, but no entry of the channel. */
  readonly missing: boolean
}

/** An installed `from` is upgraded to `to`. */
export interface GraphEdge {
  readonly from: string
  readonly to: string
  readonly kind: EdgeKind
}

export interface ChannelGraph {
  readonly channel: string
  readonly deprecation: string | undefined
  readonly isDefault: boolean
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
}

/** All channels of a package, in byte order of their names. */
export function packageGraph(pkg: IndexedPackage): readonly ChannelGraph[] {
  return [...pkg.channels.values()].map((channel) => channelGraph(pkg, channel))
}

export function channelGraph(pkg: IndexedPackage, channel: IndexedChannel): ChannelGraph {
  const edges = edgesOf(pkg, channel)
  const names = new Set([...channel.entries.keys(), ...edges.map(({ from }) => from)])
  return {
    channel: channel.name,
    deprecation: channel.deprecation,
    isDefault: channel.name === pkg.defaultChannel,
    nodes: [...names].map((name) => {
      const bundle = pkg.bundles.get(name)
      return {
        name,
        version: bundle?.version ?? '',
        head: name === channel.head,
        deprecation: bundle?.deprecation,
        missing: !channel.entries.has(name),
      }
    }),
    edges,
  }
}

/** One edge between two entries: what replaces need not be said to skip, what skips not to be in the range. */
function edgesOf(pkg: IndexedPackage, channel: IndexedChannel): readonly GraphEdge[] {
  const edges: GraphEdge[] = []
  for (const entry of channel.entries.values()) {
    const sources = new Map<string, EdgeKind>()
    if (entry.replaces !== '') sources.set(entry.replaces, 'replaces')
    for (const skipped of entry.skips) if (!sources.has(skipped)) sources.set(skipped, 'skips')
    for (const name of entriesInRange(pkg, channel, entry.skipRange)) {
      if (name !== entry.name && !sources.has(name)) sources.set(name, 'skipRange')
    }
    for (const [from, kind] of sources) edges.push({ from, to: entry.name, kind })
  }
  return edges
}

function entriesInRange(pkg: IndexedPackage, channel: IndexedChannel, range: string): readonly string[] {
  if (range === '') return []
  return [...channel.entries.keys()].filter((name) => {
    const version = pkg.bundles.get(name)?.version ?? ''
    return valid(version) !== null && satisfies(version, range, { includePrerelease: true })
  })
}
