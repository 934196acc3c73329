// Which events a change of one catalog is told by, and in what order. Clients store objects by namespace and name alone,
// but several catalogs may offer one name: what a client's store ends with must be what `get` answers. So the objects of
// a changed name that rank above what changed are told again, and everything is told from the lowest rank to the highest. Pure.
import { compareBytes } from '../api/byte-order.ts'
import type { Content } from './content.ts'
import { compareRank } from './namespace-view.ts'

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED'

/** An event before it has its number. */
export interface Announcement {
  readonly type: EventType
  readonly content: Content
  /** What the same catalog offered under that name before, where it did. */
  readonly previous: Content | undefined
}

export interface CatalogChange {
  readonly deleted: readonly Content[]
  readonly changed: readonly Announcement[]
  /** Names whose ranks may have changed though no content did. */
  readonly reordered: ReadonlySet<string>
}

/** `named` hands on all objects of a name after the change, of all catalogs. */
export function announce(
  change: CatalogChange,
  named: (name: string) => readonly Content[],
  globalNamespace: string,
): readonly Announcement[] {
  const touched = new Set<Content>()
  const changed = new Set(change.changed.map((announcement) => announcement.content))
  const deleted = Map.groupBy(change.deleted, (content) => content.name)
  for (const name of changedNames(change)) {
    const gone = deleted.get(name) ?? []
    const all = named(name)
    if (all.length + gone.length < 2) continue
    for (const view of viewsOf([...all, ...gone], globalNamespace)) {
      const seen = (content: Content) => content.namespace === view || content.namespace === globalNamespace
      const candidates = all.filter(seen).sort((a, b) => fromLowest(a, b, globalNamespace))
      const everything = change.reordered.has(name) || gone.some(seen)
      const first = everything ? 0 : candidates.findIndex((content) => changed.has(content))
      if (first < 0 || (change.reordered.has(name) && candidates.length < 2)) continue
      for (const content of candidates.slice(first)) if (!changed.has(content)) touched.add(content)
    }
  }
  const deletions = change.deleted
    .map((content): Announcement => ({ type: 'DELETED', content, previous: content }))
    .sort((a, b) => compareBytes(a.content.name, b.content.name))
  const rest = [...touched].map((content): Announcement => ({ type: 'MODIFIED', content, previous: content }))
  return [
    ...deletions,
    ...[...change.changed, ...rest].sort(
      (a, b) => fromLowest(a.content, b.content, globalNamespace) || compareBytes(a.content.name, b.content.name),
    ),
  ]
}

function changedNames(change: CatalogChange): Set<string> {
  const names = new Set(change.reordered)
  for (const content of change.deleted) names.add(content.name)
  for (const { content } of change.changed) names.add(content.name)
  return names
}

/** The namespaces whose views may differ in who wins the name. */
function viewsOf(contents: readonly Content[], globalNamespace: string): Set<string> {
  return new Set([globalNamespace, ...contents.map((content) => content.namespace)])
}

/** The loser first: global objects before those of a namespace itself, then by priority from low to high. */
function fromLowest(a: Content, b: Content, globalNamespace: string): number {
  return (
    Number(a.namespace !== globalNamespace) - Number(b.namespace !== globalNamespace) ||
    compareBytes(a.namespace, b.namespace) ||
    compareRank(b, a)
  )
}
