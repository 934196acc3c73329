// The handlers of the protocol's services: each takes the content of the moment, asks it, sends the answer and reports the call.
import { performance } from 'node:perf_hooks'
import {
  type handleServerStreamingCall,
  type handleUnaryCall,
  type Metadata,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js'
import { OlmError } from '../errors.ts'
import { answerStatus } from './answer-status.ts'
import type { ContentLeases, Lease } from './content-lease.ts'
import type {
  ExperimentalListPackageCustomSchemasRequest,
  GetAllReplacementsRequest,
  GetBundleInChannelRequest,
  GetBundleRequest,
  GetPackageRequest,
  GetReplacementRequest,
  ProviderRequest,
} from './messages.ts'
import { sendAll } from './outgoing-stream.ts'
import type { JsonObject, RegistryContent } from './registry-content.ts'
import { type Struct, toStruct } from './struct.ts'

/** What is known of a call when it has ended. */
export interface FinishedCall {
  readonly method: string
  /** Name of the gRPC status, `OK` where all went well. */
  readonly status: string
  readonly seconds: number
  /** What was thrown, where the fault is the server's own. */
  readonly failure: unknown
}

export interface RegistryCalls {
  readonly registry: UntypedServiceImplementation
  readonly experimental: UntypedServiceImplementation
}

/** The header by which a caller of the experimental service says that it knows what it does. */
export const ACKNOWLEDGE_HEADER = 'x-acknowledge-experimental'

export function createRegistryCalls(leases: ContentLeases, onFinished: (call: FinishedCall) => void): RegistryCalls {
  function begin(method: string): {
    lease: Lease | undefined
    finish: (thrown?: unknown, cancelled?: boolean) => void
  } {
    const started = performance.now()
    const lease = leases.take()
    const finish = (thrown?: unknown, cancelled = false): void => {
      lease?.release()
      const code = cancelled ? status.CANCELLED : thrown === undefined ? status.OK : answerStatus(thrown).code
      const seconds = (performance.now() - started) / 1000
      onFinished({ method, status: status[code], seconds, failure: code === status.INTERNAL ? thrown : undefined })
    }
    return { lease, finish }
  }

  function unary<Request, Answer>(
    method: string,
    ask: (content: RegistryContent, request: Request) => Answer | Promise<Answer>,
  ): handleUnaryCall<Request, Answer> {
    return async (call, callback) => {
      const { lease, finish } = begin(method)
      try {
        const answer = await ask(contentOf(lease), call.request)
        callback(null, answer)
        finish(undefined, call.cancelled)
      } catch (thrown) {
        callback(answerStatus(thrown))
        finish(thrown)
      }
    }
  }

  function stream<Request, Message>(
    method: string,
    ask: (content: RegistryContent, request: Request, metadata: Metadata) => Iterable<Message> | AsyncIterable<Message>,
  ): handleServerStreamingCall<Request, Message> {
    return async (call) => {
      const { lease, finish } = begin(method)
      try {
        await sendAll(call, ask(contentOf(lease), call.request, call.metadata))
        call.end()
        finish(undefined, call.cancelled)
      } catch (thrown) {
        call.emit('error', answerStatus(thrown))
        finish(thrown)
      }
    }
  }

  return {
    registry: {
      ListPackages: stream('ListPackages', (content) => content.listPackages()),
      ListBundles: stream('ListBundles', (content) => content.listBundles()),
      GetPackage: unary('GetPackage', (content, request: GetPackageRequest) => content.getPackage(request)),
      GetBundle: unary('GetBundle', (content, request: GetBundleRequest) => content.getBundle(request)),
      GetBundleForChannel: unary('GetBundleForChannel', (content, request: GetBundleInChannelRequest) =>
        content.getBundleForChannel(request),
      ),
      GetChannelEntriesThatReplace: stream(
        'GetChannelEntriesThatReplace',
        (content, request: GetAllReplacementsRequest) => content.getChannelEntriesThatReplace(request),
      ),
      GetBundleThatReplaces: unary('GetBundleThatReplaces', (content, request: GetReplacementRequest) =>
        content.getBundleThatReplaces(request),
      ),
      GetChannelEntriesThatProvide: stream('GetChannelEntriesThatProvide', (content, request: ProviderRequest) =>
        content.getChannelEntriesThatProvide(request),
      ),
      GetLatestChannelEntriesThatProvide: stream(
        'GetLatestChannelEntriesThatProvide',
        (content, request: ProviderRequest) => content.getLatestChannelEntriesThatProvide(request),
      ),
      GetDefaultBundleThatProvides: unary('GetDefaultBundleThatProvides', (content, request: ProviderRequest) =>
        content.getDefaultBundleThatProvides(request),
      ),
    },
    experimental: {
      ExperimentalListPackageCustomSchemas: stream('ExperimentalListPackageCustomSchemas', customSchemas),
    },
  }
}

function contentOf(lease: Lease | undefined): RegistryContent {
  if (lease === undefined) throw new OlmError('ANSWER_NOT_READY', {})
  return lease.content
}

/** Without the header an empty stream, so that callers who know nothing of the experiment are not disturbed. */
async function* customSchemas(
  content: RegistryContent,
  request: ExperimentalListPackageCustomSchemasRequest,
  metadata: Metadata,
): AsyncGenerator<Struct> {
  if (metadata.get(ACKNOWLEDGE_HEADER)[0] !== 'true') return
  const blobs: AsyncIterable<JsonObject> = content.listCustomSchemas(request)
  for await (const blob of blobs) yield toStruct(blob)
}
