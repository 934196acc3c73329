// Stations 5 and 6 for CatalogStatus: facts of catalogs go in, objects, lists, tables and watches come out. The same store
// and representation as for PackageManifests, with a namespace seeing its own catalogs alone.
import { type CatalogKey, catalogKey } from '../api/catalog-source.ts'
import { CATALOG_STATUS_KIND, type CatalogStatus } from '../api/catalog-status.ts'
import { CATALOG_STATUS_SCHEMA } from '../api/catalog-status-schema.ts'
import { PACKAGES_GROUP, PACKAGES_VERSION } from '../api/package-manifest.ts'
import type { Resource, ResourceDefinition } from '../http/resource.ts'
import { pathNotFound } from '../http/status.ts'
import type { CatalogFacts } from './catalog-facts.ts'
import { type Content, encodeContent } from './content.ts'
import { goJson } from './go-json.ts'
import { createStoredResource, type StoredResource, type StoredResourceOptions } from './stored-resource.ts'
import { AGE_COLUMN, NAME_COLUMN, textColumn } from './table-columns.ts'
import { toCatalogStatus } from './to-catalog-status.ts'
import { offeredUid } from './uid.ts'

export const CATALOG_STATUS_DEFINITION: ResourceDefinition = {
  group: PACKAGES_GROUP,
  version: PACKAGES_VERSION,
  plural: 'catalogstatuses',
  singular: 'catalogstatus',
  kind: CATALOG_STATUS_KIND,
  listKind: `${CATALOG_STATUS_KIND}List`,
  shortNames: ['catstatus'],
  verbs: ['get', 'list', 'watch'],
  subresources: [],
  columns: [
    NAME_COLUMN,
    textColumn('Connection', 'State of the connection to the registry'),
    textColumn('Packages', 'How many packages of the catalog are shown'),
    textColumn('Omitted', 'How many packages and channels are left out'),
    textColumn('Read', 'How long ago the registry was last read from beginning to end'),
    textColumn('Problem', 'Why what is shown may be out of date'),
    AGE_COLUMN,
    textColumn('Address', 'Where the registry is reached', 1),
    textColumn('Channels', 'How many channels of the catalog are shown', 1),
  ],
  schema: CATALOG_STATUS_SCHEMA,
}

export interface CatalogStatusResource extends Resource {
  readonly stored: StoredResource
  /** What is known of the catalog now. Nothing happens where it says the same as before. */
  set(facts: CatalogFacts): void
  remove(key: CatalogKey): void
  close(): void
}

export type CatalogStatusOptions = Pick<StoredResourceOptions, 'now' | 'settled'>

/** No package can have this name. */
const OWN_NAME = `\n${CATALOG_STATUS_KIND}`

/** Its objects are few and small. */
const ANSWER_BYTES = 2 ** 20

export function createCatalogStatusResource(options: CatalogStatusOptions): CatalogStatusResource {
  const stored = createStoredResource({
    ...options,
    globalNamespace: '',
    definition: CATALOG_STATUS_DEFINITION,
    answerBytes: ANSWER_BYTES,
  })
  return {
    stored,
    definition: CATALOG_STATUS_DEFINITION,
    get: stored.get,
    list: stored.list,
    watch: stored.watch,
    getSubresource: async () => {
      throw pathNotFound()
    },
    set: (facts) => stored.store.replace(catalogKey(facts.source), [encodeStatus(facts)]),
    remove: (key) => stored.store.remove(key),
    close: stored.close,
  }
}

function encodeStatus(facts: CatalogFacts): Content {
  const { source } = facts
  const object = toCatalogStatus(facts)
  return encodeContent({
    owner: catalogKey(source),
    namespace: source.namespace,
    name: source.name,
    catalog: source.name,
    priority: 0,
    uid: offeredUid(source, OWN_NAME),
    creationTimestamp: source.creationTimestamp,
    labels: object.metadata.labels,
    members: `"spec":${goJson(object.spec)},"status":${goJson(object.status)}`,
    cells: cellsOf(facts, object),
  })
}

function cellsOf({ source, reading }: CatalogFacts, { status }: CatalogStatus): Content['cells'] {
  return [
    goJson(source.name),
    goJson(status.connection.state),
    goJson(String(reading?.packages ?? 0)),
    goJson(String(status.omitted)),
    reading === undefined ? goJson('never') : { since: reading.readAt },
    goJson(status.failure?.reason ?? ''),
    { since: source.creationTimestamp === undefined ? undefined : Date.parse(source.creationTimestamp) },
    goJson(source.address ?? ''),
    goJson(String(reading?.channels ?? 0)),
  ]
}
