// The full content of a bundle as the protocol serves it: the CSV's JSON and all objects, made on demand from what is
// packed. Where a bundle has no CSV among its objects, one is put together from its CSV metadata, as the reference does.

import { findCsv } from './bundle-objects.ts'
import { readText, unpack } from './content-store.ts'
import { type CsvMetadata, csvMetadata } from './csv-metadata.ts'
import type { JsonValue } from './json-text.ts'
import type { IndexedBundle, IndexedPackage, PackageIndex } from './package-index.ts'
import { type ContentSlices, sliceContent } from './packed-content.ts'
import { readShape } from './shape.ts'

export interface BundleContent {
  /** `""` where the bundle has neither a ClusterServiceVersion nor CSV metadata. */
  readonly csvJson: string
  readonly objects: readonly string[]
}

/** As BundleContent, in UTF-8. */
export interface BundleBytes {
  readonly csvJson: Buffer
  readonly objects: readonly Buffer[]
}

const NOTHING = Buffer.alloc(0)

export interface PackageIcon {
  readonly mediatype: string
  /** Base64. */
  readonly base64data: string
}

export async function readBundleContent(
  index: PackageIndex,
  pkg: IndexedPackage,
  bundle: IndexedBundle,
): Promise<BundleContent> {
  const { csvJson, objects } = await readBundleBytes(index, pkg, bundle)
  return { csvJson: csvJson.toString(), objects: objects.map(String) }
}

/** The same in UTF-8: objects are passed on as they lie, without becoming text. */
export async function readBundleBytes(
  index: PackageIndex,
  pkg: IndexedPackage,
  bundle: IndexedBundle,
): Promise<BundleBytes> {
  if (bundle.content === undefined) return { csvJson: NOTHING, objects: [] }
  const parts = sliceContent(unpack(await index.contents.read(bundle.content)))
  const csvJson = findCsv(parts.objects)
  const [metadata] = parts.csvMetadata
  if (csvJson !== undefined || metadata === undefined) return { csvJson: csvJson ?? NOTHING, objects: parts.objects }
  const icon = pkg.icon === undefined ? undefined : await readIcon(index, pkg.icon)
  const made = Buffer.from(JSON.stringify(csvFromMetadata(metadata.toString(), parts, pkg, bundle, icon)))
  return { csvJson: made, objects: parts.objects.length === 0 ? [made] : parts.objects }
}

export async function readIcon(index: PackageIndex, range: NonNullable<IndexedPackage['icon']>): Promise<PackageIcon> {
  return JSON.parse(await readText(index.contents, range)) as PackageIcon
}

/** Fields and their order are those of OLM's ClusterServiceVersion as Go writes it. */
function csvFromMetadata(
  metadataText: string,
  { relatedImages }: ContentSlices,
  pkg: IndexedPackage,
  bundle: IndexedBundle,
  icon: PackageIcon | undefined,
): JsonValue {
  const { value: metadata } = readShape(csvMetadata, JSON.parse(metadataText) as JsonValue)
  const shown = csvMetadata.toJson(metadata) as { readonly [key: string]: JsonValue }
  const { annotations, labels, apiServiceDefinitions, crdDescriptions, description, displayName, ...rest } = shown
  return withoutUndefined({
    kind: 'ClusterServiceVersion',
    apiVersion: 'operators.coreos.com/v1alpha1',
    metadata: withoutUndefined({ name: bundle.name, labels, annotations }),
    spec: withoutUndefined({
      // OLM's package-server needs a strategy by name, whatever it is.
      install: { strategy: 'deployment', spec: { deployments: null } },
      version: bundle.version,
      maturity: rest.maturity,
      customresourcedefinitions: crdDescriptions,
      apiservicedefinitions: apiServiceDefinitions,
      nativeAPIs: rest.nativeAPIs,
      minKubeVersion: rest.minKubeVersion,
      displayName: displayName ?? '',
      description: describe(metadata, pkg),
      keywords: rest.keywords,
      maintainers: rest.maintainers,
      provider: rest.provider,
      links: rest.links,
      icon: icon === undefined ? undefined : [{ base64data: icon.base64data, mediatype: icon.mediatype }],
      installModes: rest.installModes,
      cleanup: { enabled: false },
      relatedImages: relatedImages.length === 0 ? undefined : relatedImages.map((image) => ({ ...image })),
    }),
    status: { cleanup: {} },
  })
}

function describe(metadata: CsvMetadata, pkg: IndexedPackage): string | undefined {
  const text = metadata.description === '' ? pkg.description : metadata.description
  return text === '' ? undefined : text
}

function withoutUndefined(map: { readonly [key: string]: JsonValue | undefined }): JsonValue {
  return Object.fromEntries(
    Object.entries(map).filter((member): member is [string, JsonValue] => member[1] !== undefined),
  )
}
