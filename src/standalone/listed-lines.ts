// What a person is told of catalogs: which are being read, then one line per catalog with its count of packages and what is
// left out of it. Said again only where it is another.
import { type CatalogKey, catalogKey } from '../api/catalog-source.ts'
import type { CatalogReadingFacts } from '../package-server/catalog-facts.ts'
import type { CatalogNews } from '../package-server/offered-catalogs.ts'
import type { Terminal } from './terminal.ts'

export function createListedLines(terminal: Pick<Terminal, 'line' | 'begin' | 'end'>): CatalogNews {
  const said = new Map<CatalogKey, string>()
  return {
    trying: (source) => terminal.begin(catalogKey(source)),
    listed(source, reading) {
      const key = catalogKey(source)
      const line = `${key}: ${listedText(reading)}`
      terminal.end(key)
      if (said.get(key) === line) return
      said.set(key, line)
      terminal.line(line)
    },
    // The log says why.
    failed: (source) => terminal.end(catalogKey(source)),
  }
}

function listedText({ packages, leftOut }: CatalogReadingFacts): string {
  const count = `${packages} ${packages === 1 ? 'package' : 'packages'}`
  if (leftOut.length === 0) return count
  return `${count} (${leftOut.length} left out: kubectl get catalogstatuses -A -o yaml says why)`
}
