// PackageManifest (packages.operators.coreos.com/v1): group, version, names, types. Member order is the order on the wire.
import type {
  ApiServiceDescription,
  AppLink,
  CrdDescription,
  GroupVersionKind,
  InstallMode,
  Maintainer,
  Owned,
} from './cluster-service-version.ts'
import type { ObjectMeta, StringMap } from './meta.ts'

export const PACKAGES_GROUP = 'packages.operators.coreos.com'
export const PACKAGES_VERSION = 'v1'
export const PACKAGE_MANIFEST_KIND = 'PackageManifest'
export const PACKAGE_MANIFEST_API_VERSION = `${PACKAGES_GROUP}/${PACKAGES_VERSION}` as const

/** Under which names OpenAPI knows the models of this group, and those taken from operators.coreos.com/v1alpha1. */
export const PACKAGES_MODELS =
  'com.github.operator-framework.operator-lifecycle-manager.pkg.package-server.apis.operators.v1'
export const OPERATORS_MODELS = 'com.github.operator-framework.api.pkg.operators.v1alpha1'

export interface Deprecation {
  readonly message: string
}

export interface CsvDescription {
  readonly displayName?: string
  readonly version: string
  readonly provider: AppLink
  readonly annotations?: StringMap
  readonly keywords?: readonly string[]
  readonly links?: readonly AppLink[]
  readonly maintainers?: readonly Maintainer[]
  readonly maturity?: string
  readonly description?: string
  readonly installModes?: readonly InstallMode[]
  readonly customresourcedefinitions: Owned<CrdDescription>
  readonly apiservicedefinitions: Owned<ApiServiceDescription>
  readonly nativeApis?: readonly GroupVersionKind[]
  readonly minKubeVersion?: string
  readonly relatedImages?: readonly string[]
}

export interface ChannelEntry {
  readonly name: string
  readonly version?: string
  readonly deprecation?: Deprecation
}

export interface PackageChannel {
  readonly name: string
  readonly currentCSV: string
  readonly currentCSVDesc: CsvDescription
  readonly deprecation?: Deprecation
  readonly entries: readonly ChannelEntry[]
}

export interface PackageManifestStatus {
  readonly catalogSource: string
  readonly catalogSourceDisplayName: string
  readonly catalogSourcePublisher: string
  readonly catalogSourceNamespace: string
  readonly provider: AppLink
  readonly packageName: string
  readonly deprecation?: Deprecation
  readonly channels: readonly PackageChannel[]
  readonly defaultChannel: string
}

export interface PackageManifest {
  readonly kind: typeof PACKAGE_MANIFEST_KIND
  readonly apiVersion: typeof PACKAGE_MANIFEST_API_VERSION
  readonly metadata: ObjectMeta
  readonly spec: Readonly<Record<string, never>>
  readonly status: PackageManifestStatus
}
