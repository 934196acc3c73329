// The full content of a bundle as the protocol serves it: the CSV's JSON and all objects, made on demand from what is packed.
import type { IndexedBundle, IndexedPackage, PackageIndex } from './package-index.ts'

export interface BundleContent {
  /** `""` where the bundle has no ClusterServiceVersion and no CSV metadata. */
  readonly csvJson: string
  readonly objects: readonly string[]
}

export type ReadBundleContent = (
  index: PackageIndex,
  pkg: IndexedPackage,
  bundle: IndexedBundle,
) => Promise<BundleContent>
