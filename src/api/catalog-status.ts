// CatalogStatus (packages.operators.coreos.com/v1): why a list of packages is as long as it is, one object per
// CatalogSource. Member order is the order on the wire. Read-only, made by the package-server alone.
import type { ObjectMeta } from './meta.ts'
import type { PACKAGE_MANIFEST_API_VERSION } from './package-manifest.ts'

export const CATALOG_STATUS_KIND = 'CatalogStatus'

export interface CatalogConnection {
  /** As gRPC names it, or `NO_ADDRESS`. */
  readonly state: string
  /** RFC 3339. */
  readonly since: string
}

export interface CatalogReading {
  /** RFC 3339. */
  readonly time: string
  readonly packages: number
  readonly channels: number
  readonly bytes: number
}

export interface CatalogFailure {
  /** RFC 3339: of the first attempt that failed since the last good one. */
  readonly since: string
  readonly reason: string
}

/** What could not be shown: a channel, or where none is named a whole package. */
export interface CatalogOmission {
  readonly package: string
  readonly channel?: string
  readonly reason: string
}

/** As `kubectl wait --for=condition=…` reads it. */
export interface CatalogCondition {
  readonly type: string
  readonly status: string
  /** RFC 3339. */
  readonly lastTransitionTime?: string
  readonly reason: string
  readonly message: string
}

export interface CatalogStatusSpec {
  readonly displayName: string
  readonly publisher: string
  readonly priority: number
  readonly address?: string
}

export interface CatalogStatusStatus {
  readonly connection: CatalogConnection
  /** The last good one, which is what lists show. */
  readonly reading?: CatalogReading
  readonly failure?: CatalogFailure
  readonly omitted: number
  readonly omissions?: readonly CatalogOmission[]
  readonly conditions: readonly CatalogCondition[]
}

export interface CatalogStatus {
  readonly kind: typeof CATALOG_STATUS_KIND
  readonly apiVersion: typeof PACKAGE_MANIFEST_API_VERSION
  readonly metadata: ObjectMeta
  readonly spec: CatalogStatusSpec
  readonly status: CatalogStatusStatus
}
