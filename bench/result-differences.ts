// Two results of the bench, row by row: better, worse, the same, or in one of them alone. Pure.
import { type BenchResult, type Row, round } from './result.ts'

export interface Difference {
  readonly verdict: 'better' | 'worse' | 'same' | 'gone' | 'new'
  readonly text: string
}

/** `threshold`: 0.2 is a fifth. */
export function differences(before: BenchResult, after: BenchResult, threshold: number): readonly Difference[] {
  const old = new Map(before.rows.map((row) => [keyOf(row), row]))
  const found: Difference[] = []
  for (const row of after.rows) {
    const key = keyOf(row)
    const earlier = old.get(key)
    old.delete(key)
    found.push(earlier === undefined ? { verdict: 'new', text: key } : compared(key, earlier, row, threshold))
  }
  for (const key of old.keys()) found.push({ verdict: 'gone', text: key })
  return found
}

function keyOf({ group, name }: Row): string {
  return `${group}: ${name}`
}

function compared(key: string, before: Row, after: Row, threshold: number): Difference {
  const [from, to] =
    before.ratio === undefined || after.ratio === undefined ? [before.value, after.value] : [before.ratio, after.ratio]
  const gain = moreIsBetter(after) ? to / from - 1 : from / to - 1
  const verdict = gain > threshold ? 'better' : gain < -threshold / (1 + threshold) ? 'worse' : 'same'
  return { verdict, text: `${key}: ${round(from)} → ${round(to)}` }
}

/** Answers a second, ratios to a limit, and what has a least as its goal; times, sizes and multiples are better small. */
function moreIsBetter({ unit, ratio, goal }: Row): boolean {
  return ratio !== undefined || unit === '/s' || goal?.atLeast !== undefined
}
