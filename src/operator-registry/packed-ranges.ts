// Moves the packed texts of an index elsewhere: the same index, with every range as the mover says. Each text once.
import type { PackedRange } from '../file-based-catalog/content-store.ts'
import type { IndexedBundle, IndexedPackage, PackageIndex } from '../file-based-catalog/package-index.ts'
import type { IndexParts } from './index-lines.ts'

export async function withRanges(
  index: PackageIndex,
  move: (range: PackedRange) => Promise<PackedRange>,
): Promise<IndexParts> {
  const moved = new Map<string, PackedRange>()
  async function once(range: PackedRange): Promise<PackedRange> {
    const key = `${range.chunk}:${range.offset}`
    const before = moved.get(key)
    if (before !== undefined) return before
    const after = await move(range)
    moved.set(key, after)
    return after
  }
  async function optional(range: PackedRange | undefined): Promise<PackedRange | undefined> {
    return range === undefined ? undefined : await once(range)
  }

  const packages = new Map<string, IndexedPackage>()
  for (const pkg of index.packages.values()) {
    const icon = await optional(pkg.icon)
    const bundles = new Map<string, IndexedBundle>()
    for (const bundle of pkg.bundles.values()) {
      bundles.set(bundle.name, { ...bundle, content: await optional(bundle.content) })
    }
    packages.set(pkg.name, { ...pkg, icon, bundles })
  }
  const customBlobs = []
  for (const blob of index.customBlobs) customBlobs.push({ ...blob, blob: await once(blob.blob) })
  return { packages, customBlobs }
}
