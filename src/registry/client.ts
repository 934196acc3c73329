// Typed calls to one registry. Knows gRPC, knows nothing of catalogs. Its type is also what a scripted registry in
// simulations of time stands behind.
import type { Client } from '@grpc/grpc-js'
import { fromGrpc, isRegistryCallError, registryCallError } from './call-error.ts'
import { type ChannelOptions, type ConnectionState, openChannel, type RegistryChannel } from './channel.ts'
import type { GetBundleInChannelRequest, GetPackageRequest, PackageName } from './messages.ts'
import type {
  HeadBundle,
  ListedBundle,
  ListedPackage,
  ReadingCall,
  ReadingCodec,
  Received,
} from './received-messages.ts'

export interface CallOptions {
  /** The call ends with DEADLINE_EXCEEDED after this many milliseconds. */
  readonly deadlineMs: number
  readonly signal: AbortSignal
}

/**
 * Every call fails with a RegistryCallError (call-error.ts): code REGISTRY_CALL, with the name of its gRPC status. Messages are
 * handed on undecoded with the digest of their bytes, so that a reading without news decodes nothing.
 */
export interface RegistryClient {
  /** Ends only where the registry ended the stream; a cut stream throws. */
  listPackages(options: CallOptions): AsyncIterable<Received<PackageName>>
  /** As above. One that fails because a message was too large may be called again: it then has more room. */
  listBundles(options: CallOptions): AsyncIterable<Received<ListedBundle>>
  getPackage(request: GetPackageRequest, options: CallOptions): Promise<Received<ListedPackage>>
  getBundleForChannel(request: GetBundleInChannelRequest, options: CallOptions): Promise<Received<HeadBundle>>
}

/** A client and what becomes of its connection. */
export interface RegistryConnection {
  readonly client: RegistryClient
  state(): ConnectionState
  /** Tells of each change of state until closed or the returned function is called. */
  onState(listener: (state: ConnectionState) => void): () => void
  /** Connects now, where it is not connected. */
  connect(): void
  close(): void
}

/** Opens nothing by itself: the first call or `connect` does. */
export type Dial = (address: string) => RegistryConnection

/**
 * A listed bundle may be larger than the limit, where a registry lists manifests too. These are skipped while decoding; so that
 * one of them costs no other bundle, `listBundles` has room for this many times the limit once it has failed for its size.
 */
const LISTING_ROOM = 4

export function createDial(options: ChannelOptions, codec: ReadingCodec): Dial {
  return (address) => {
    const channel = openChannel(address, options)
    let wide: RegistryChannel | undefined
    const widen = () => {
      wide ??= channel.widened(options.maxMessageBytes * LISTING_ROOM)
    }
    return {
      client: createClient(channel.grpc, codec, () => (wide ?? channel).grpc, widen),
      state: channel.state,
      onState: channel.onState,
      connect: channel.connect,
      close() {
        channel.close()
        wide?.close()
      },
    }
  }
}

function createClient(grpc: Client, codec: ReadingCodec, bundlesFrom: () => Client, widen: () => void): RegistryClient {
  return {
    listPackages: (options) => stream(grpc, codec, 'ListPackages', options),
    async *listBundles(options) {
      try {
        yield* stream(bundlesFrom(), codec, 'ListBundles', options)
      } catch (error) {
        if (isRegistryCallError(error) && error.tooLarge) widen()
        throw error
      }
    },
    getPackage: (request, options) => unary(grpc, codec, 'GetPackage', request, options),
    getBundleForChannel: (request, options) => unary(grpc, codec, 'GetBundleForChannel', request, options),
  }
}

function asIs(bytes: Buffer): Buffer {
  return bytes
}

async function* stream<C extends ReadingCall>(grpc: Client, codec: ReadingCodec, method: C, options: CallOptions) {
  const { deadlineMs, signal } = options
  if (signal.aborted) throw cancelled(method)
  const encode = () => codec.encode(method, {})
  const call = grpc.makeServerStreamRequest(path(method), encode, asIs, {}, { deadline: Date.now() + deadlineMs })
  const status = Promise.withResolvers<void>()
  call.once('status', ({ code }) => (code === 0 ? status.resolve() : undefined))
  // The failure is thrown by the loop below or, where the stream had ended before it, by the status.
  call.on('error', (error) => status.reject(error))
  status.promise.catch(() => undefined)
  const cancel = () => call.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    for await (const bytes of call) yield codec.receive(method, bytes as Buffer)
    await status.promise
  } catch (error) {
    throw fromGrpc(method, error, deadlineMs)
  } finally {
    signal.removeEventListener('abort', cancel)
    call.cancel()
  }
}

function unary<C extends ReadingCall>(
  grpc: Client,
  codec: ReadingCodec,
  method: C,
  request: object,
  { deadlineMs, signal }: CallOptions,
): Promise<ReturnType<typeof codec.receive<C>>> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(cancelled(method))
    const encode = () => codec.encode(method, request)
    const cancel = () => call.cancel()
    const call = grpc.makeUnaryRequest(
      path(method),
      encode,
      asIs,
      request,
      { deadline: Date.now() + deadlineMs },
      (error, bytes) => {
        signal.removeEventListener('abort', cancel)
        if (error !== null) reject(fromGrpc(method, error, deadlineMs))
        else resolve(codec.receive(method, bytes ?? Buffer.alloc(0)))
      },
    )
    signal.addEventListener('abort', cancel, { once: true })
  })
}

function path(method: ReadingCall): string {
  return `/api.Registry/${method}`
}

function cancelled(method: string) {
  return registryCallError(method, { status: 'CANCELLED', cut: false, tooLarge: false }, 'not wanted any more')
}
