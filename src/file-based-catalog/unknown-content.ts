// What a catalog holds that the format does not name: it is kept and served as it is, and worth one line of the log.
import type { PackageIndex } from './package-index.ts'

export interface UnknownContent {
  /** How many blobs of each schema. */
  readonly schemas: Readonly<Record<string, number>>
  /** How many properties of bundles of each type. */
  readonly properties: Readonly<Record<string, number>>
}

const KNOWN_PROPERTIES: ReadonlySet<string> = new Set([
  'olm.package',
  'olm.package.required',
  'olm.gvk',
  'olm.gvk.required',
  'olm.channel',
  'olm.constraint',
  'olm.maxOpenShiftVersion',
])

/** Undefined where there is none. */
export function unknownContent(index: PackageIndex): UnknownContent | undefined {
  const properties = [...index.packages.values()]
    .flatMap(({ bundles }) => [...bundles.values()])
    .flatMap((bundle) => bundle.properties.map(({ type }) => type))
    .filter((type) => !KNOWN_PROPERTIES.has(type))
  const schemas = index.customBlobs.map(({ schema }) => schema)
  if (schemas.length === 0 && properties.length === 0) return undefined
  return { schemas: countOf(schemas), properties: countOf(properties) }
}

function countOf(names: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return Object.fromEntries(counts)
}
