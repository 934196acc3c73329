// Holds a decoded manifest in little memory: what is long lies deflated outside the heap and is unpacked when somebody looks,
// which is when manifests are made anew. Receives and hands on a ClusterServiceVersion: nobody sees a difference.
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { ClusterServiceVersion } from '../api/cluster-service-version.ts'
import { stringMap } from '../api/string-map.ts'

/** What every manifest has little of, and orders or labels it. */
const LIGHT = ['name', 'labels', 'displayName', 'version', 'provider', 'maturity', 'minKubeVersion'] as const
const PACKED = [
  'annotations',
  'keywords',
  'links',
  'maintainers',
  'description',
  'installModes',
  'customResourceDefinitions',
  'apiServiceDefinitions',
  'nativeApis',
  'relatedImages',
  'icon',
] as const

type Packed = Pick<ClusterServiceVersion, (typeof PACKED)[number]>

/** Fast: a third larger than the usual level, in a quarter of its time. */
const LEVEL = 1

export function packManifest(csv: ClusterServiceVersion): ClusterServiceVersion {
  const light = membersOf(csv, LIGHT)
  const look = unpacking(membersOf(csv, PACKED))
  for (const name of PACKED) Object.defineProperty(light, name, { enumerable: true, get: () => look()[name] })
  return Object.freeze(light) as ClusterServiceVersion
}

/** Hands on what was packed, for as long as nobody has collected it, then what is unpacked. */
function unpacking(long: Packed): () => Packed {
  const bytes = packed(long)
  let latest = new WeakRef(long)
  return () => {
    const known = latest.deref()
    if (known !== undefined) return known
    const made = revived(JSON.parse(inflateRawSync(bytes).toString()) as Packed)
    latest = new WeakRef(made)
    return made
  }
}

/** A copy of its own: what zlib hands on lies in a larger buffer. */
function packed(long: Packed): Uint8Array {
  return new Uint8Array(deflateRawSync(JSON.stringify(long), { level: LEVEL }))
}

function membersOf<Name extends keyof ClusterServiceVersion>(
  csv: ClusterServiceVersion,
  names: readonly Name[],
): Pick<ClusterServiceVersion, Name> {
  return Object.fromEntries(names.map((name) => [name, csv[name]])) as Pick<ClusterServiceVersion, Name>
}

/** As the decoder makes it: frozen, with maps that have no prototype. */
function revived(long: Packed): Packed {
  const annotations = stringMap(Object.entries(long.annotations))
  return deepFrozen({ ...long, annotations, icon: long.icon })
}

function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const member of Object.values(value)) deepFrozen(member)
  return Object.freeze(value)
}
