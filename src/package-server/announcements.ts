// Which events a change of one catalog is told by, and in what order. Clients store objects by namespace and name alone,
// but several catalogs may offer one name: what a client's store ends with must be what `get` answers. So the objects of
// a changed name that rank above what changed are told again, and everything is told from the lowest rank to the highest;
// what goes, or may go from a selection, goes first. Pure.
import { compareBytes } from '../api/byte-order.ts'
import type { CatalogChange } from './catalog-change.ts'
import { type Content, sameLabels } from './content.ts'
import { compareRank } from './namespace-view.ts'

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED'

/** An event before it has its number. */
export interface Announcement {
  readonly type: EventType
  readonly content: Content
  /** What the same catalog offered under that name before, where it did. */
  readonly previous: Content | undefined
}

export type Telling = Pick<CatalogChange, 'deleted' | 'changed' | 'reordered'>

/** `named` hands on all objects of a name after the change, of all catalogs. */
export function announce(
  change: Telling,
  named: (name: string) => readonly Content[],
  globalNamespace: string,
): readonly Announcement[] {
  const changed = new Map(change.changed.map((announcement) => [announcement.content, announcement]))
  const deletions = change.deleted.map((content): Announcement => ({ type: 'DELETED', content, previous: content }))
  const first = new Set<Announcement>(deletions)
  const again = new Set<Content>()
  const deleted = Map.groupBy(change.deleted, (content) => content.name)
  for (const name of changedNames(change)) {
    const gone = deleted.get(name) ?? []
    const all = named(name)
    if (all.length + gone.length < 2) continue
    const left = all.filter((content) => relabelled(changed.get(content)) && sharesName(content, all, globalNamespace))
    for (const content of left) {
      const announcement = changed.get(content)
      if (announcement !== undefined) first.add(announcement)
    }
    const reordered = change.reordered.has(name)
    const told = toldOf(
      { all, gone: [...gone, ...left], reordered },
      (content) => changed.has(content),
      globalNamespace,
    )
    for (const content of told) if (!changed.has(content) || left.includes(content)) again.add(content)
  }
  const rest = [...again].map((content): Announcement => ({ type: 'MODIFIED', content, previous: content }))
  const order = (a: Announcement, b: Announcement) =>
    fromLowest(a.content, b.content, globalNamespace) || compareBytes(a.content.name, b.content.name)
  return [
    ...[...first].sort(order),
    ...[...change.changed.filter((announcement) => !first.has(announcement)), ...rest].sort(order),
  ]
}

/** Whether it may have left some selection, which tells its clients that nothing of its name is there. */
function relabelled(announcement: Announcement | undefined): boolean {
  return announcement?.previous !== undefined && !sameLabels(announcement.content, announcement.previous)
}

function sharesName(content: Content, namesakes: readonly Content[], globalNamespace: string): boolean {
  return namesakes.some(
    ({ owner, namespace }) =>
      owner !== content.owner &&
      (namespace === content.namespace || namespace === globalNamespace || content.namespace === globalNamespace),
  )
}

interface Namesakes {
  /** After the change. */
  readonly all: readonly Content[]
  readonly gone: readonly Content[]
  readonly reordered: boolean
}

/** Which objects of a name must be told: those that changed, and whatever ranks above one that is told in some namespace. */
function toldOf(
  { all, gone, reordered }: Namesakes,
  changed: (content: Content) => boolean,
  globalNamespace: string,
): ReadonlySet<Content> {
  const told = new Set(all.filter(changed))
  const views = viewsOf([...all, ...gone], globalNamespace).map((view) => {
    const seen = ({ namespace }: Content) => namespace === view || namespace === globalNamespace
    const candidates = all.filter(seen).sort((a, b) => fromLowest(a, b, globalNamespace))
    return { candidates, everything: gone.some(seen) || (reordered && candidates.length > 1) }
  })
  // A global object that is told because of one namespace is told in all of them: once more until nothing is added.
  for (let before = -1; before < told.size && told.size < all.length; ) {
    before = told.size
    for (const { candidates, everything } of views) {
      const lowest = everything ? 0 : candidates.findIndex((content) => told.has(content))
      if (lowest >= 0) for (const content of candidates.slice(lowest)) told.add(content)
    }
  }
  return told
}

function changedNames(change: Telling): Set<string> {
  const names = new Set(change.reordered)
  for (const content of change.deleted) names.add(content.name)
  for (const { content } of change.changed) names.add(content.name)
  return names
}

/** The namespaces whose views may differ in who wins the name. Most names are of one namespace. */
function viewsOf(contents: readonly Content[], globalNamespace: string): readonly string[] {
  const namespaces = new Set(contents.map((content) => content.namespace))
  return namespaces.size === 1 ? [...namespaces] : [...namespaces.add(globalNamespace)]
}

/** The loser first: global objects before those of a namespace itself, then by priority from low to high. */
function fromLowest(a: Content, b: Content, globalNamespace: string): number {
  return (
    Number(a.namespace !== globalNamespace) - Number(b.namespace !== globalNamespace) ||
    compareBytes(a.namespace, b.namespace) ||
    compareRank(b, a)
  )
}
