// Typed calls to one registry. Knows gRPC, knows nothing of catalogs. Its type is also what a scripted registry in
// simulations of time stands behind.
import type { Bundle, GetBundleInChannelRequest, GetPackageRequest, Package, PackageName } from './messages.ts'

export interface CallOptions {
  /** The call ends with DEADLINE_EXCEEDED after this many milliseconds. */
  readonly deadlineMs: number
  readonly signal: AbortSignal
}

/** Every call fails with an OlmError whose code is REGISTRY_CALL and which carries the gRPC status (see RegistryCallError). */
export interface RegistryClient {
  /** Ends only where the registry ended the stream; a cut stream throws. */
  listPackages(options: CallOptions): AsyncIterable<PackageName>
  listBundles(options: CallOptions): AsyncIterable<Bundle>
  getPackage(request: GetPackageRequest, options: CallOptions): Promise<Package>
  getBundleForChannel(request: GetBundleInChannelRequest, options: CallOptions): Promise<Bundle>
}
