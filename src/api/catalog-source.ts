// CatalogSource (operators.coreos.com/v1alpha1): the fields we read, slim. Section 1 of the rule book.
import type { StringMap } from './meta.ts'

export interface CatalogSource {
  readonly namespace: string
  readonly name: string
  readonly uid: string | undefined
  /** RFC 3339, UTC, whole seconds. */
  readonly creationTimestamp: string | undefined
  readonly labels: StringMap
  /** `""` where unset. */
  readonly displayName: string
  /** `""` where unset. */
  readonly publisher: string
  /** Higher wins a name that several catalogs offer. 0 where unset. */
  readonly priority: number
  /** `host:port` of its registry; undefined while there is nothing to dial yet, which is no error. */
  readonly address: string | undefined
}

/** `namespace/name`: what tells catalogs apart everywhere in this project. */
export type CatalogKey = string

export function catalogKey(source: Pick<CatalogSource, 'namespace' | 'name'>): CatalogKey {
  return `${source.namespace}/${source.name}`
}
