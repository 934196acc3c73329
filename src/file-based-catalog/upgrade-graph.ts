// The upgrade graph of one channel: its head, and what is wrong with its edges. Pure.
import { compareBytes } from '../api/byte-order.ts'
import type { Rule } from './rules.ts'

export interface GraphEntry {
  readonly name: string
  readonly replaces: string
  readonly skips: readonly string[]
}

export interface GraphFault {
  readonly rule: Rule
  readonly message: string
  /** Entries concerned, the first of them first. */
  readonly entries: readonly string[]
}

/** Entries that no entry replaces or skips, in byte order: a sound channel has one. */
export function headsOf(entries: Iterable<GraphEntry>): readonly string[] {
  const all = [...entries]
  const targets = new Set(all.flatMap(({ replaces, skips }) => (replaces === '' ? skips : [replaces, ...skips])))
  return all
    .map(({ name }) => name)
    .filter((name) => !targets.has(name))
    .sort(compareBytes)
}

/** What is wrong with a channel that has entries; undefined where nothing is. */
export function graphFault(entries: ReadonlyMap<string, GraphEntry>): GraphFault | undefined {
  const heads = headsOf(entries.values())
  const [head] = heads
  if (head === undefined) return { rule: 'head-missing', message: 'no channel head found in graph', entries: [] }
  if (heads.length > 1) {
    const message = `multiple channel heads found in graph: ${heads.join(', ')}`
    return { rule: 'heads-several', message, entries: heads }
  }
  return chainFault(entries, head)
}

/** From the head, `replaces` must reach every entry that no entry skips, and come back to none. */
function chainFault(entries: ReadonlyMap<string, GraphEntry>, head: string): GraphFault | undefined {
  const skipped = new Set([...entries.values()].flatMap(({ skips }) => skips))
  const chain = [head]
  const reached = new Set(chain)
  let current = entries.get(head)
  while (current !== undefined && !skipped.has(current.replaces)) {
    const next = current.replaces
    if (reached.has(next)) {
      const cycle = [...chain.slice(chain.indexOf(next)), next]
      const message = `detected cycle in replaces chain of upgrade graph: ${cycle.join(' -> ')}`
      return { rule: 'replaces-cycle', message, entries: cycle }
    }
    chain.push(next)
    reached.add(next)
    current = entries.get(next)
  }
  const stranded = [...entries.keys()].filter((name) => !reached.has(name) && !skipped.has(name)).sort(compareBytes)
  if (stranded.length === 0) return undefined
  const message = `channel contains one or more stranded bundles: ${stranded.join(', ')}`
  return { rule: 'entry-stranded', message, entries: stranded }
}
