// One line for people per catalog that is listed: how many packages it holds, and what is left out of it. Said again only
// where it is another.
import { type CatalogKey, type CatalogSource, catalogKey } from '../api/catalog-source.ts'
import type { CatalogReadingFacts } from '../package-server/catalog-facts.ts'
import type { Terminal } from './terminal.ts'

export function createListedLines(terminal: Pick<Terminal, 'line' | 'end'>) {
  const said = new Map<CatalogKey, string>()
  return (source: CatalogSource, reading: CatalogReadingFacts): void => {
    const key = catalogKey(source)
    const line = `${key}: ${listedText(reading)}`
    terminal.end(source.name)
    if (said.get(key) === line) return
    said.set(key, line)
    terminal.line(line)
  }
}

function listedText({ packages, leftOut }: CatalogReadingFacts): string {
  const count = `${packages} ${packages === 1 ? 'package' : 'packages'}`
  if (leftOut.length === 0) return count
  return `${count} (${leftOut.length} left out: kubectl get catalogstatuses -A -o yaml says why)`
}
