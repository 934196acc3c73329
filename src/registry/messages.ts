// The messages of api.Registry as TypeScript sees them: what proto-loader makes of registry.proto with
// { keepCase: true, defaults: true }. Scalars are never absent (""), lists never absent ([]); a message may be null.

export interface PackageName {
  readonly name: string
}

export interface Deprecation {
  readonly message: string
}

export interface Channel {
  readonly name: string
  /** Name of the bundle at the head of the channel. */
  readonly csvName: string
  readonly deprecation: Deprecation | null
}

export interface Package {
  readonly name: string
  readonly channels: readonly Channel[]
  readonly defaultChannelName: string
  readonly deprecation: Deprecation | null
}

export interface GroupVersionKind {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
}

/** A dependency or a property of a bundle: `value` is JSON text. */
export interface TypedValue {
  readonly type: string
  readonly value: string
}

export interface Bundle {
  readonly csvName: string
  readonly packageName: string
  readonly channelName: string
  readonly csvJson: string
  readonly object: readonly string[]
  readonly bundlePath: string
  readonly providedApis: readonly GroupVersionKind[]
  readonly requiredApis: readonly GroupVersionKind[]
  readonly version: string
  readonly skipRange: string
  readonly dependencies: readonly TypedValue[]
  readonly properties: readonly TypedValue[]
  readonly replaces: string
  readonly skips: readonly string[]
  readonly deprecation: Deprecation | null
}

export interface ChannelEntry {
  readonly packageName: string
  readonly channelName: string
  readonly bundleName: string
  readonly replaces: string
}

export interface GetPackageRequest {
  readonly name: string
}

export interface GetBundleRequest {
  readonly pkgName: string
  readonly channelName: string
  readonly csvName: string
}

export interface GetBundleInChannelRequest {
  readonly pkgName: string
  readonly channelName: string
}

export interface GetAllReplacementsRequest {
  readonly csvName: string
}

export interface GetReplacementRequest {
  readonly csvName: string
  readonly pkgName: string
  readonly channelName: string
}

/** GetAllProvidersRequest, GetLatestProvidersRequest and GetDefaultProviderRequest alike. */
export type ProviderRequest = GroupVersionKind

export interface ExperimentalListPackageCustomSchemasRequest {
  readonly schema: string
  readonly packageName: string
}
