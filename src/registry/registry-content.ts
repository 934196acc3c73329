// What a serving registry needs of whatever it serves: an answer to each call of the protocol. Implemented by the
// program that holds a catalog; a failed answer is an OlmError of one of the ANSWER_… codes.
import type {
  Bundle,
  ChannelEntry,
  ExperimentalListPackageCustomSchemasRequest,
  GetAllReplacementsRequest,
  GetBundleInChannelRequest,
  GetBundleRequest,
  GetPackageRequest,
  GetReplacementRequest,
  Package,
  PackageName,
  ProviderRequest,
} from './messages.ts'

/** A JSON object as a registry publishes it under a schema of its own. */
export type JsonObject = Readonly<Record<string, unknown>>

/** One immutable version of a registry's content: the same question always has the same answer, in the same order. */
export interface RegistryContent {
  listPackages(): Iterable<PackageName>
  getPackage(request: GetPackageRequest): Package
  getBundle(request: GetBundleRequest): Promise<Bundle>
  getBundleForChannel(request: GetBundleInChannelRequest): Promise<Bundle>
  getChannelEntriesThatReplace(request: GetAllReplacementsRequest): readonly ChannelEntry[]
  getBundleThatReplaces(request: GetReplacementRequest): Promise<Bundle>
  getChannelEntriesThatProvide(request: ProviderRequest): readonly ChannelEntry[]
  getLatestChannelEntriesThatProvide(request: ProviderRequest): readonly ChannelEntry[]
  getDefaultBundleThatProvides(request: ProviderRequest): Promise<Bundle>
  /** Made one by one as they are read: the caller's pace is the producer's. */
  listBundles(): AsyncIterable<Bundle>
  listCustomSchemas(request: ExperimentalListPackageCustomSchemasRequest): AsyncIterable<JsonObject>
  /** Called once, when the content was replaced and the last call on it has ended. */
  close(): Promise<void>
}
