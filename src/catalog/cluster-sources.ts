// Catalogs from the cluster: its CatalogSource objects, as kube/list-watch.ts keeps them. Receives that collection, hands on the
// whole set. An object that is not right in itself is told apart by its fault and is never dropped for it.
import { type CatalogKey, catalogKey, parseCatalogSource } from '../api/catalog-source.ts'
import type { ListWatch } from '../kube/list-watch.ts'
import type { CatalogSources, NamedCatalog } from './catalog-sources.ts'

/** For the list-watch: `/apis/…/catalogsources` in all namespaces. */
export const CATALOG_SOURCES_PATH = '/apis/operators.coreos.com/v1alpha1/catalogsources'

/** For the list-watch's `decode`. Undefined where an object has no usable name, which the API server would not have stored. */
export function decodeNamedCatalog(object: unknown): NamedCatalog | undefined {
  const { source, fault, touch } = parseCatalogSource(object)
  return source === undefined ? undefined : { source, fault: fault?.reason, touch }
}

/** The list-watch is run by whoever made it. */
export function clusterSources(watched: Pick<ListWatch<NamedCatalog>, 'subscribe'>): CatalogSources {
  return {
    start(signal, onChange) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const catalogs = new Map<CatalogKey, NamedCatalog>()
      let synced = false
      const changed = () => {
        if (synced) onChange(new Map(catalogs))
      }
      const unsubscribe = watched.subscribe({
        set(_key, catalog) {
          const key = catalogKey(catalog.source)
          catalogs.set(key, withKnownWords(catalog, catalogs.get(key)))
          changed()
        },
        removed(_key, catalog) {
          catalogs.delete(catalogKey(catalog.source))
          changed()
        },
        synced() {
          if (synced) return
          synced = true
          changed()
          resolve()
        },
      })
      const end = () => {
        unsubscribe()
        resolve()
      }
      signal.addEventListener('abort', end, { once: true })
      if (signal.aborted) end()
      return promise
    },
  }
}

/** Where an object is not right, what it said before counts, but for its address. */
function withKnownWords(catalog: NamedCatalog, known: NamedCatalog | undefined): NamedCatalog {
  if (catalog.fault === undefined || known === undefined) return catalog
  const uid = catalog.source.uid ?? known.source.uid
  return { ...catalog, source: { ...known.source, uid, address: undefined } }
}
