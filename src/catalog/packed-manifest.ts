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

type Light = Pick<ClusterServiceVersion, (typeof LIGHT)[number]>
type Packed = Pick<ClusterServiceVersion, (typeof PACKED)[number]>

/** Fast: a third larger than the usual level, in a quarter of its time. */
const LEVEL = 1

export function packManifest(csv: ClusterServiceVersion): ClusterServiceVersion {
  const long = Object.fromEntries(PACKED.map((name) => [name, csv[name]])) as unknown as Packed
  const bytes = deflateRawSync(JSON.stringify(long), { level: LEVEL })
  const unpack = (): Packed => revived(JSON.parse(inflateRawSync(bytes).toString()) as Packed)
  let latest = new WeakRef(long)
  const look = (): Packed => {
    const known = latest.deref()
    if (known !== undefined) return known
    const made = unpack()
    latest = new WeakRef(made)
    return made
  }
  const light = Object.fromEntries(LIGHT.map((name) => [name, csv[name]])) as unknown as Light
  for (const name of PACKED) Object.defineProperty(light, name, { enumerable: true, get: () => look()[name] })
  return Object.freeze(light) as ClusterServiceVersion
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
