// The catalogs that this process serves itself: folders become registries on loopback, registries become CatalogSources, and
// what happens to them becomes lines for people.
import { type CatalogSource, catalogKey } from '../api/catalog-source.ts'
import { type CatalogSources, settableSources } from '../catalog/catalog-sources.ts'
import type { LoadCatalog } from '../file-based-catalog/load-catalog.ts'
import type { Logger } from '../log.ts'
import { ownCatalogSource } from './own-catalog-sources.ts'
import {
  type FolderNews,
  mustHoldCatalogs,
  type ServedCatalog,
  type ServedCatalogs,
  serveCatalogs,
} from './served-catalogs.ts'
import type { Terminal } from './terminal.ts'

export interface OwnCatalogsOptions {
  readonly directory: string
  readonly follow: boolean
  /** Of the CatalogSources. */
  readonly namespace: string
  readonly load: LoadCatalog
  readonly terminal: Terminal
  readonly log: Logger
  /** The content behind this CatalogSource is another than before. */
  readonly onNewEdition: (source: CatalogSource) => void
}

export interface OwnCatalogs {
  readonly sources: CatalogSources
  /** True until every folder found at first was tried. */
  loading(): boolean
  /** Fails with FILE_UNREADABLE where the folder cannot be read. */
  check(): Promise<void>
  /** Ends when the registries listen; loading goes on. */
  start(): Promise<void>
  close(): Promise<void>
}

export function createOwnCatalogs(options: OwnCatalogsOptions): OwnCatalogs {
  const { directory, follow, namespace, terminal, load, log } = options
  const sources = settableSources()
  const editions = new Map<string, number>()
  const misnamed = new Set<string>()
  let served: ServedCatalogs | undefined
  let loading = true

  function change(catalogs: readonly ServedCatalog[]): void {
    const made: CatalogSource[] = []
    const renewed: CatalogSource[] = []
    for (const catalog of catalogs) {
      const result = ownCatalogSource(catalog, namespace)
      if ('reason' in result) {
        if (!misnamed.has(catalog.name)) tell({ kind: 'left out', name: catalog.name, reasons: [result.reason] })
        misnamed.add(catalog.name)
        continue
      }
      made.push(result.source)
      const before = editions.get(catalog.name)
      if (before !== undefined && before !== catalog.edition) renewed.push(result.source)
      editions.set(catalog.name, catalog.edition)
    }
    sources.set(made)
    for (const source of renewed) options.onNewEdition(source)
  }

  function tell(news: FolderNews): void {
    const key = catalogKey({ namespace, name: news.name })
    if (news.kind === 'loading') terminal.begin(key)
    if (news.kind === 'removed') terminal.line(`${key}: removed`)
    if (news.kind !== 'left out') return
    terminal.end(key)
    for (const reason of news.reasons) terminal.line(`${key}: left out: ${reason}`)
  }

  return {
    sources,
    loading: () => loading,
    check: () => mustHoldCatalogs(directory),
    async start() {
      served = await serveCatalogs({ directory, follow, load, log, onNews: tell, onChange: change })
      void served.first.then(() => {
        loading = false
      })
    },
    async close() {
      await served?.close()
    },
  }
}
