// What a watch says before the first change, so that a client that stores objects by namespace and name alone ends with
// the winner of every name that several catalogs offer. Receives the
// items of a namespace's list (undefined: of all) in its order, the winner of a name first. Pure.
import type { Item } from './content.ts'

/** Every item, those of one name from the lowest rank to the highest. */
export function* losersFirst(items: readonly Item[], namespace: string | undefined): Generator<Item> {
  for (const [start, end] of nameRuns(items, namespace)) {
    for (let index = end - 1; index >= start; index--) {
      const item = items[index]
      if (item !== undefined) yield item
    }
  }
}

/** The winners of shared names that have not changed since `version`, in the order of their numbers. */
export function sharedWinners(items: readonly Item[], namespace: string | undefined, version: number): readonly Item[] {
  const winners: Item[] = []
  for (const [start, end] of nameRuns(items, namespace)) {
    const winner = items[start]
    if (end - start > 1 && winner !== undefined && winner.version <= version) winners.push(winner)
  }
  return winners.sort((a, b) => a.version - b.version)
}

/** Start and end of each run of items of one name; in a namespaced list all items are shown in that namespace. */
function* nameRuns(items: readonly Item[], namespace: string | undefined): Generator<readonly [number, number]> {
  let start = 0
  for (let end = 1; end <= items.length; end++) {
    const [first, next] = [items[start]?.content, items[end]?.content]
    const alike = next?.name === first?.name && (namespace !== undefined || next?.namespace === first?.namespace)
    if (alike) continue
    yield [start, end]
    start = end
  }
}
