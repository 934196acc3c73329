// Which of the known names a mistyped one most likely means. Pure.

/** The nearest by edit distance; undefined where none is near enough to be a typing error. */
export function nearestName(written: string, known: Iterable<string>): string | undefined {
  let nearest: string | undefined
  if (written.length < 3) return undefined
  let least = Math.max(2, Math.floor(written.length / 3)) + 1
  for (const name of known) {
    const distance = editDistance(written, name)
    if (distance < least) {
      least = distance
      nearest = name
    }
  }
  return nearest
}

/** Levenshtein's distance: insertions, deletions and replacements of one character each. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let line = 1; line <= from.length; line++) {
    const next = [line]
    for (let column = 1; column <= to.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (from[line - 1] === to[column - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
