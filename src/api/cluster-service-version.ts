// ClusterServiceVersion (operators.coreos.com/v1alpha1): the fields we read, slim. Section 3 of the rule book.
// A field is added here only together with the place that shows it: everything else is dropped on arrival.
import type { StringMap } from './meta.ts'

/** Members are left out where empty, as on the wire; `name` and `url` of AppLink are strings, possibly absent. */
export interface AppLink {
  readonly name?: string
  readonly url?: string
}

export interface Maintainer {
  readonly name?: string
  readonly email?: string
}

export interface InstallMode {
  readonly type: string
  readonly supported: boolean
}

export interface CrdDescription {
  readonly name: string
  readonly version: string
  readonly kind: string
  readonly displayName?: string
  readonly description?: string
}

export interface ApiServiceDescription {
  readonly name: string
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly displayName?: string
  readonly description?: string
}

export interface GroupVersionKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

export interface Owned<T> {
  readonly owned?: readonly T[]
  readonly required?: readonly T[]
}

export interface Icon {
  readonly base64data: string
  readonly mediatype: string
}

export interface ClusterServiceVersion {
  readonly name: string
  readonly labels: StringMap
  readonly annotations: StringMap
  readonly displayName: string
  /** Normalised semver; `0.0.0` where missing. */
  readonly version: string
  readonly provider: AppLink
  readonly keywords: readonly string[]
  readonly links: readonly AppLink[]
  readonly maintainers: readonly Maintainer[]
  readonly maturity: string
  readonly description: string
  readonly installModes: readonly InstallMode[]
  readonly customResourceDefinitions: Owned<CrdDescription>
  readonly apiServiceDefinitions: Owned<ApiServiceDescription>
  readonly nativeApis: readonly GroupVersionKind[]
  readonly minKubeVersion: string
  /** A set, sorted. */
  readonly relatedImages: readonly string[]
  /** The first icon alone; undefined where there is none. */
  readonly icon: Icon | undefined
}
