// The labels of a PackageManifest, by which clients choose: section 2 of the rule book. Pure.
import type { CatalogSource } from '../api/catalog-source.ts'
import type { ClusterServiceVersion } from '../api/cluster-service-version.ts'
import type { StringMap } from '../api/meta.ts'
import { stringMap } from '../api/string-map.ts'

const OS = 'operatorframework.io/os'
const ARCH = 'operatorframework.io/arch'

/**
 * The catalog's labels, overridden by the provider's, overridden by those of the default channel's CSV; `catalog` and
 * `catalog-namespace` always tell the truth. What says nothing of systems and architectures runs on Linux and amd64.
 */
export function manifestLabels(
  source: Pick<CatalogSource, 'namespace' | 'name' | 'labels'>,
  defaultCsv: Pick<ClusterServiceVersion, 'provider' | 'labels'>,
): StringMap {
  const labels = new Map([
    ...Object.entries(source.labels),
    ['provider', defaultCsv.provider.name ?? ''] as const,
    ['provider-url', defaultCsv.provider.url ?? ''] as const,
    ...Object.entries(defaultCsv.labels),
    ['catalog', source.name] as const,
    ['catalog-namespace', source.namespace] as const,
  ])
  const names = [...labels.keys()]
  if (!names.some((name) => name.startsWith(OS))) labels.set(`${OS}.linux`, 'supported')
  if (!names.some((name) => name.startsWith(ARCH))) labels.set(`${ARCH}.amd64`, 'supported')
  return stringMap(labels)
}
