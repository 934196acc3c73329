// What the reading end keeps of the protocol's messages: fields that nobody shows are skipped while decoding. Receives raw
// bytes, hands on slim objects. The field numbers are those of registry.proto.
import { hash } from 'node:crypto'
import { fromJSON, type MethodDefinition } from '@grpc/proto-loader'
import type { Deprecation, PackageName } from './messages.ts'

/** One message as it arrived. Its digest is known before anything is decoded. */
export interface Received<T> {
  /** SHA-256 of its bytes, base64: equal bytes, equal digest. */
  readonly digest: string
  /** Length in bytes. */
  readonly size: number
  /** Throws where the bytes are no such message. */
  decode(): T
}

/** A bundle of `ListBundles`, without manifests. */
export interface ListedBundle {
  readonly csvName: string
  readonly packageName: string
  readonly channelName: string
  readonly version: string
  readonly skipRange: string
  readonly replaces: string
  readonly skips: readonly string[]
  readonly properties: readonly { readonly type: string }[]
  readonly deprecation: Deprecation | null
}

/** A bundle of `GetBundleForChannel`: whose it is, and its manifest. */
export interface HeadBundle {
  readonly csvName: string
  readonly packageName: string
  readonly channelName: string
  /** UTF-8 text: JSON, in old catalogs YAML; empty where the bundle has none. */
  readonly csvJson: Uint8Array
}

export interface ListedPackage {
  readonly name: string
  readonly channels: readonly {
    readonly name: string
    readonly csvName: string
    readonly deprecation: Deprecation | null
  }[]
  readonly defaultChannelName: string
  readonly deprecation: Deprecation | null
}

interface Answers {
  readonly ListPackages: PackageName
  readonly ListBundles: ListedBundle
  readonly GetPackage: ListedPackage
  readonly GetBundleForChannel: HeadBundle
}

export type ReadingCall = keyof Answers

export interface ReadingCodec {
  encode(call: ReadingCall, request: object): Buffer
  receive<C extends ReadingCall>(call: C, bytes: Buffer): Received<Answers[C]>
}

const text = (id: number) => ({ type: 'string', id })
const texts = (id: number) => ({ rule: 'repeated', type: 'string', id })
const many = (type: string, id: number) => ({ rule: 'repeated', type, id })

const PROTOCOL = {
  nested: {
    api: {
      nested: {
        Registry: {
          methods: {
            ListPackages: { requestType: 'Nothing', responseType: 'PackageName', responseStream: true },
            ListBundles: { requestType: 'Nothing', responseType: 'ListedBundle', responseStream: true },
            GetPackage: { requestType: 'PackageName', responseType: 'ListedPackage' },
            GetBundleForChannel: { requestType: 'HeadRequest', responseType: 'HeadBundle' },
          },
        },
        Nothing: { fields: {} },
        PackageName: { fields: { name: text(1) } },
        HeadRequest: { fields: { pkgName: text(1), channelName: text(2) } },
        Deprecation: { fields: { message: text(1) } },
        Property: { fields: { type: text(1) } },
        ListedPackage: {
          fields: {
            name: text(1),
            channels: many('ListedChannel', 2),
            defaultChannelName: text(3),
            deprecation: { type: 'Deprecation', id: 4 },
          },
        },
        ListedChannel: { fields: { name: text(1), csvName: text(2), deprecation: { type: 'Deprecation', id: 3 } } },
        ListedBundle: {
          fields: {
            csvName: text(1),
            packageName: text(2),
            channelName: text(3),
            version: text(9),
            skipRange: text(10),
            properties: many('Property', 12),
            replaces: text(13),
            skips: texts(14),
            deprecation: { type: 'Deprecation', id: 15 },
          },
        },
        HeadBundle: {
          fields: {
            csvName: text(1),
            packageName: text(2),
            channelName: text(3),
            csvJson: { type: 'bytes', id: 4 },
          },
        },
      },
    },
  },
}

/** Builds the decoders (a few milliseconds): call it once per program and hand it on. */
export function createReadingCodec(): ReadingCodec {
  const service = fromJSON(PROTOCOL as unknown as Parameters<typeof fromJSON>[0], { keepCase: true, defaults: true })[
    'api.Registry'
  ] as Record<ReadingCall, MethodDefinition<object, object>>
  return {
    encode: (call, request) => service[call].requestSerialize(request),
    receive<C extends ReadingCall>(call: C, bytes: Buffer) {
      const decode = () => service[call].responseDeserialize(bytes) as Answers[C]
      return { digest: hash('sha256', bytes, 'base64'), size: bytes.length, decode }
    },
  }
}
