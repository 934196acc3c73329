// What a namespace sees, in what order, and who wins a name: section 4 of the rule book, once for lists, gets and watches.
// Receives the items of a state in their order, hands on those that a namespace sees. Pure.
import { compareBytes } from '../api/byte-order.ts'
import type { Item } from './content.ts'

/** What orders items: nothing else of them does, and never when they arrived. */
export interface Place {
  readonly namespace: string
  readonly name: string
  readonly catalog: string
  readonly priority: number
}

export interface NamespaceView {
  /** Items that answer a request in `namespace` (undefined: all), by namespace and name, the winner of a name first. */
  items(all: readonly Item[], namespace: string | undefined): readonly Item[]
  /** Those of them that bear `name`, the winner first. */
  named(all: readonly Item[], namespace: string, name: string): readonly Item[]
  /** Whether a request in `namespace` sees what belongs to `own`. */
  sees(namespace: string | undefined, own: string): boolean
  /** The order of `items` for that namespace. */
  compare(namespace: string | undefined, a: Place, b: Place): number
}

/** The order of a state: namespace, name, then priority from high to low, then the catalog's name. */
export function comparePlaces(a: Place, b: Place): number {
  return compareBytes(a.namespace, b.namespace) || compareBytes(a.name, b.name) || compareRank(a, b)
}

/** Among objects of one namespace and name: negative where `a` wins. */
export function compareRank(a: Place, b: Place): number {
  return b.priority - a.priority || compareBytes(a.catalog, b.catalog)
}

/** `globalNamespace`: its objects are seen in every namespace; `""` where there is none. */
export function createNamespaceView(globalNamespace: string): NamespaceView {
  const compare = (namespace: string | undefined, a: Place, b: Place): number => {
    if (namespace === undefined) return comparePlaces(a, b)
    return compareBytes(a.name, b.name) || compareOwn(namespace, a, b) || compareRank(a, b)
  }
  return {
    items(all, namespace) {
      if (namespace === undefined) return all
      const own = range(all, namespace)
      if (namespace === globalNamespace) return own
      const global = range(all, globalNamespace)
      if (own.length === 0) return global
      if (global.length === 0) return own
      return merged(own, global, (a, b) => compare(namespace, a.content, b.content))
    },
    named(all, namespace, name) {
      const own = range(all, namespace, name)
      return namespace === globalNamespace ? own : [...own, ...range(all, globalNamespace, name)]
    },
    sees(namespace, own) {
      return namespace === undefined || own === namespace || (own === globalNamespace && globalNamespace !== '')
    },
    compare,
  }
}

/** A namespace's own objects come before global ones. */
function compareOwn(namespace: string, a: Place, b: Place): number {
  return Number(a.namespace !== namespace) - Number(b.namespace !== namespace)
}

/** The items of a namespace, and where `name` is given of that name: they lie side by side. */
function range(all: readonly Item[], namespace: string, name?: string): readonly Item[] {
  const before = (item: Item, after: boolean): boolean => {
    const order =
      compareBytes(item.content.namespace, namespace) ||
      (name === undefined ? 0 : compareBytes(item.content.name, name))
    return after ? order <= 0 : order < 0
  }
  const start = firstIndex(all, (item) => !before(item, false))
  const end = firstIndex(all, (item) => !before(item, true))
  return start === 0 && end === all.length ? all : all.slice(start, end)
}

/** The first index at which `holds`, which holds from there on; the length where it never does. */
export function firstIndex<T>(sorted: readonly T[], holds: (element: T) => boolean): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const element = sorted[middle]
    if (element !== undefined && holds(element)) high = middle
    else low = middle + 1
  }
  return low
}

/** Two sorted runs as one. */
export function merged<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number): T[] {
  const result: T[] = []
  let next = 0
  for (const element of a) {
    for (let other = b[next]; other !== undefined && compare(other, element) < 0; other = b[++next]) result.push(other)
    result.push(element)
  }
  for (; next < b.length; next++) {
    const other = b[next]
    if (other !== undefined) result.push(other)
  }
  return result
}
