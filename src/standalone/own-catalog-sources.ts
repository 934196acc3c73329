// The CatalogSources of catalogs that this process serves itself: what an administrator would have written for them. Pure.
import { type CatalogSource, parseCatalogSource } from '../api/catalog-source.ts'

export interface OwnCatalog {
  readonly name: string
  /** `host:port`. */
  readonly address: string
  /** Milliseconds since the epoch. */
  readonly since: number
}

/** The object, or why this name cannot be one's. */
export function ownCatalogSource(
  { name, address, since }: OwnCatalog,
  namespace: string,
): { readonly source: CatalogSource } | { readonly reason: string } {
  const { source, fault } = parseCatalogSource({
    metadata: { name, namespace, creationTimestamp: new Date(since).toISOString() },
    spec: { sourceType: 'grpc', address, displayName: displayName(name), publisher: '' },
  })
  if (fault !== undefined) return { reason: fault.reason }
  return source === undefined ? { reason: 'no CatalogSource can have this name' } : { source }
}

/** `community-operators` as a title: `Community Operators`. */
function displayName(name: string): string {
  return name
    .split(/[-_.]+/)
    .filter((word) => word !== '')
    .map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
    .join(' ')
}
