// What differs between what a catalog offered and what it offers now. Receives both, hands on the items that stay and come
// and what must be told of them. Pure: equal content is no difference, whoever made it anew.
import type { Announcement } from './announcements.ts'
import type { Content, Item } from './content.ts'
import { movedDigest } from './resource-version.ts'

export interface CatalogChange {
  /** What the catalog offers now, by name; what changed has no number yet. */
  readonly items: Map<string, Item>
  readonly deleted: readonly Content[]
  readonly changed: readonly Announcement[]
  /** Names whose ranks may have changed though no content did. */
  readonly reordered: ReadonlySet<string>
  /** Contents that are offered no more. */
  readonly superseded: readonly Content[]
  /** The digest of the state after it. */
  readonly digest: number
}

/** undefined: nothing differs. `digest` is that of the state before. At most one content of a name counts, the first. */
export function catalogChange(
  before: ReadonlyMap<string, Item>,
  contents: readonly Content[],
  digest: number,
): CatalogChange | undefined {
  const items = new Map<string, Item>()
  const changed: Announcement[] = []
  const reordered = new Set<string>()
  for (const content of contents) {
    if (items.has(content.name)) continue
    const old = before.get(content.name)
    if (old?.content.hash === content.hash) {
      items.set(content.name, sameItem(old, content))
      if (old.content.priority !== content.priority) reordered.add(content.name)
      continue
    }
    items.set(content.name, { content, version: Number.NaN })
    const previous = old?.content.uidJson === content.uidJson ? old.content : undefined
    changed.push({ type: previous === undefined ? 'ADDED' : 'MODIFIED', content, previous })
  }
  const superseded = [...before.values()]
    .map(({ content }) => content)
    .filter(({ name, hash }) => items.get(name)?.content.hash !== hash)
  if (changed.length + superseded.length + reordered.size === 0) return undefined
  const modified = new Set(changed.map(({ previous }) => previous))
  return {
    items,
    changed,
    reordered,
    superseded,
    deleted: superseded.filter((content) => !modified.has(content)),
    digest: superseded.reduce(
      (sum, content) => movedDigest(sum, content.digest, -1),
      changed.reduce((sum, { content }) => movedDigest(sum, content.digest, 1), digest),
    ),
  }
}

/** The item that is known already, with the rank of the new one and the bytes of the old. */
function sameItem(old: Item, content: Content): Item {
  if (old.content.priority === content.priority) return old
  return { content: { ...content, tail: old.content.tail }, version: old.version }
}
