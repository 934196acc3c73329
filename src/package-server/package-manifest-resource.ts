// Stations 5 and 6 for PackageManifests: what catalogs offer goes in, one catalog at a time; objects, lists, tables, watches
// and icons come out. Receives manifests without uid and resourceVersion, hands on a Resource.
import { type CatalogKey, type CatalogSource, catalogKey } from '../api/catalog-source.ts'
import type { Icon } from '../api/cluster-service-version.ts'
import type { PackageManifest } from '../api/package-manifest.ts'
import type { GetRequest, Payload, Resource } from '../http/resource.ts'
import { pathNotFound } from '../http/status.ts'
import { createBreather } from './breather.ts'
import { type Content, encodeContent } from './content.ts'
import { createDeflater } from './deflater.ts'
import { goJson } from './go-json.ts'
import { type IconImage, iconImage, NEUTRAL_ICON } from './icon.ts'
import { PACKAGE_MANIFEST_DEFINITION } from './package-manifest-definition.ts'
import { createStoredResource, type StoredResource, type StoredResourceOptions } from './stored-resource.ts'
import { offeredUid } from './uid.ts'

export interface OfferedManifest {
  readonly manifest: PackageManifest
  readonly icon: Icon | undefined
}

/** A manifest that is what it was when the catalog was last replaced: it need not be made and encoded again. */
export interface UnchangedManifest {
  /** The package's name. */
  readonly unchanged: string
  /** Makes it after all, where nothing is known of it; undefined: it cannot be shown. */
  make(): OfferedManifest | undefined
}

export interface PackageManifestResource extends Resource {
  readonly stored: StoredResource
  /**
   * What the catalog offers from now on: takes effect at once, after the manifests have been encoded in slices. They may
   * be made while they are read here, so that none but one need be in memory. A later call for the same catalog wins over
   * an earlier one that has not taken effect. True where this one did.
   */
  replace(source: CatalogSource, manifests: Iterable<OfferedManifest | UnchangedManifest>): Promise<boolean>
  /** The catalog is gone, at once. */
  remove(key: CatalogKey): void
  close(): void
}

export type PackageManifestOptions = Omit<StoredResourceOptions, 'definition' | 'hinted'>

/** Bytes of text encoded between two turns of the event loop: about ten milliseconds. */
const SLICE_BYTES = 512 * 1024

const ICON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
  'cache-control': 'private, max-age=300, must-revalidate',
}

export function createPackageManifestResource(options: PackageManifestOptions): PackageManifestResource {
  const stored = createStoredResource({ ...options, hinted: true, definition: PACKAGE_MANIFEST_DEFINITION })
  const deflater = createDeflater()
  const icons = new Map<CatalogKey, ReadonlyMap<string, IconImage>>()
  /** The latest change of each catalog that has begun. */
  const turns = new Map<CatalogKey, symbol>()

  async function replace(
    source: CatalogSource,
    manifests: Iterable<OfferedManifest | UnchangedManifest>,
  ): Promise<boolean> {
    const key = catalogKey(source)
    const turn = Symbol(key)
    turns.set(key, turn)
    const breathe = createBreather(SLICE_BYTES)
    const contents: Content[] = []
    const images = new Map<string, IconImage>()
    const shared = sharedImages(icons.values())
    for (const each of manifests) {
      const known = 'unchanged' in each ? stored.store.find(key, each.unchanged) : undefined
      if (known !== undefined) {
        contents.push(known)
        images.set(known.name, icons.get(key)?.get(known.name) ?? NEUTRAL_ICON)
        continue
      }
      const offered = 'unchanged' in each ? each.make() : each
      if (offered === undefined) continue
      const content = encodeManifest(source, offered.manifest)
      contents.push(content)
      images.set(content.name, shared(iconImage(offered.icon)))
      await breathe(content.tail.bytes.length + (offered.icon?.base64data.length ?? 0))
      if (turns.get(key) !== turn) return false
    }
    icons.set(key, images)
    stored.store.replace(key, contents)
    deflater.add(contents.flatMap(({ name }) => stored.store.find(key, name)?.tail ?? []))
    return true
  }

  async function icon(request: GetRequest): Promise<Payload> {
    const { owner, name } = stored.find(request).content
    const image = icons.get(owner)?.get(name) ?? NEUTRAL_ICON
    return {
      contentType: image.mediaType,
      etag: image.etag,
      warnings: [],
      headers: ICON_HEADERS,
      bytes: async (encoding) => (encoding === 'identity' ? [image.bytes] : undefined),
    }
  }

  return {
    stored,
    definition: PACKAGE_MANIFEST_DEFINITION,
    get: stored.get,
    list: stored.list,
    watch: stored.watch,
    async getSubresource(subresource, request) {
      if (subresource !== 'icon') throw pathNotFound()
      return icon(request)
    },
    replace,
    remove(key) {
      turns.delete(key)
      icons.delete(key)
      stored.store.remove(key)
    },
    close() {
      deflater.close()
      stored.close()
    },
  }
}

function encodeManifest(source: CatalogSource, { metadata, spec, status }: PackageManifest): Content {
  return encodeContent({
    owner: catalogKey(source),
    namespace: metadata.namespace,
    name: metadata.name,
    catalog: source.name,
    priority: source.priority,
    uid: offeredUid(source, metadata.name),
    creationTimestamp: metadata.creationTimestamp,
    labels: metadata.labels,
    members: `"spec":${goJson(spec)},"status":${goJson(status)}`,
    cells: [
      goJson(metadata.name),
      goJson(status.catalogSourceDisplayName),
      { since: metadata.creationTimestamp === undefined ? undefined : Date.parse(metadata.creationTimestamp) },
    ],
  })
}

/** Of images that are the same the one that is in memory already, whichever package or catalog it came with. */
function sharedImages(known: Iterable<ReadonlyMap<string, IconImage>>): (image: IconImage) => IconImage {
  const byTag = new Map<string, IconImage>()
  for (const images of known) for (const image of images.values()) byTag.set(image.etag, image)
  return (image) => {
    const same = byTag.get(image.etag) ?? image
    byTag.set(image.etag, same)
    return same
  }
}
