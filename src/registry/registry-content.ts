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

/** A bundle whose manifests may be UTF-8 bytes already: they are sent as they are. Empty where there are none. */
export interface ServedBundle extends Omit<Bundle, 'csvJson' | 'object'> {
  readonly csvJson: string | Buffer
  readonly object: readonly (string | Buffer)[]
}

/** One immutable version of a registry's content: the same question always has the same answer, in the same order. */
export interface RegistryContent {
  listPackages(): Iterable<PackageName>
  getPackage(request: GetPackageRequest): Package
  getBundle(request: GetBundleRequest): Promise<ServedBundle>
  getBundleForChannel(request: GetBundleInChannelRequest): Promise<ServedBundle>
  getChannelEntriesThatReplace(request: GetAllReplacementsRequest): readonly ChannelEntry[]
  getBundleThatReplaces(request: GetReplacementRequest): Promise<ServedBundle>
  getChannelEntriesThatProvide(request: ProviderRequest): readonly ChannelEntry[]
  getLatestChannelEntriesThatProvide(request: ProviderRequest): readonly ChannelEntry[]
  getDefaultBundleThatProvides(request: ProviderRequest): Promise<ServedBundle>
  /** Made one by one as they are read: the caller's pace is the producer's. */
  listBundles(): AsyncIterable<ServedBundle>
  listCustomSchemas(request: ExperimentalListPackageCustomSchemasRequest): AsyncIterable<JsonObject>
  /** Called once, when the content was replaced and the last call on it has ended. */
  close(): Promise<void>
}
