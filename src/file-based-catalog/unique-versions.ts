// No two bundles of a package may bear the same version.
import { compareBytes } from '../api/byte-order.ts'
import type { PackageNode } from './catalog-tree.ts'
import type { Problem } from './problem.ts'

/** Of a bundle that is not there. */
const NO_VERSION = '0.0.0'

type Finding = Pick<Problem, 'rule' | 'message' | 'reference' | 'path' | 'implied'> & Partial<Pick<Problem, 'source'>>

export function duplicateVersions(pkg: PackageNode): Finding | undefined {
  const byVersion = new Map<string, Set<string>>()
  for (const channel of pkg.channels.values()) {
    for (const name of channel.entries.keys()) {
      const version = versionOf(pkg, name)
      byVersion.set(version, (byVersion.get(version) ?? new Set()).add(name))
    }
  }
  const duplicates = [...byVersion]
    .filter(([, names]) => names.size > 1)
    .sort(([left], [right]) => compareBytes(left, right))
  if (duplicates.length === 0) return undefined
  const shown = duplicates.map(([version, names]) => `{${version}: [${[...names].sort(compareBytes).join(', ')}]}`)
  const message = `duplicate versions found in bundles: [${shown.join(' ')}]`
  const real = duplicates.flatMap(([, names]) => [...names]).filter((name) => pkg.bundles.has(name))
  const source = pkg.bundles.get(real[1] ?? real[0] ?? '')?.draft.source
  const finding = { rule: 'versions-duplicate', message, reference: message, path: ['properties'] } as const
  return { ...finding, implied: real.length < 2, ...(source === undefined ? {} : { source }) }
}

function versionOf(pkg: PackageNode, name: string): string {
  const bundle = pkg.bundles.get(name)?.draft.bundle
  if (bundle === undefined) return NO_VERSION
  return bundle.release === '' ? bundle.version : `${bundle.version}-${bundle.release}`
}
