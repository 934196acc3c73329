// What the API says of PackageManifest as a resource: names, verbs, and the columns of its tables, which are those that
// kubectl shows for the reference server.
import { PACKAGE_MANIFEST_KIND, PACKAGES_GROUP, PACKAGES_VERSION } from '../api/package-manifest.ts'
import { PACKAGE_MANIFEST_SCHEMA } from '../api/package-manifest-schema.ts'
import type { ResourceDefinition } from '../http/resource.ts'
import { AGE_COLUMN, NAME_COLUMN, textColumn } from './table-columns.ts'

export const PACKAGE_MANIFEST_DEFINITION: ResourceDefinition = {
  group: PACKAGES_GROUP,
  version: PACKAGES_VERSION,
  plural: 'packagemanifests',
  singular: 'packagemanifest',
  kind: PACKAGE_MANIFEST_KIND,
  listKind: `${PACKAGE_MANIFEST_KIND}List`,
  shortNames: [],
  verbs: ['get', 'list', 'watch'],
  subresources: [{ name: 'icon', verbs: ['get'] }],
  columns: [NAME_COLUMN, textColumn('Catalog', 'The source catalog for this package'), AGE_COLUMN],
  schema: PACKAGE_MANIFEST_SCHEMA,
}
