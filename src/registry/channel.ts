// One gRPC channel to one registry: opened directly or through a proxy, watched, closed. Receives `host:port`, hands on the
// channel and its state. Connects when it is used or told to; finds a new address behind the same name by itself.
import type { Socket } from 'node:net'
import { type ChannelCredentials, Client, type ClientOptions, connectivityState, credentials } from '@grpc/grpc-js'
import { isDirect, type ProxySettings, parseProxy } from './proxy-route.ts'
import { openTunnel } from './proxy-tunnel.ts'

/** As gRPC names them. IDLE is healthy: nothing was asked for a while. */
export type ConnectionState = keyof typeof connectivityState

export interface ChannelOptions {
  readonly proxies: ProxySettings
  /** Larger messages end their call. Bytes. */
  readonly maxMessageBytes: number
  /** A channel without calls lets go of its connection after so long, ms. Undefined: never. */
  readonly idleTimeoutMs?: number
}

export interface RegistryChannel {
  readonly address: string
  /** For calls. */
  readonly grpc: Client
  state(): ConnectionState
  /** Tells of each change of state until the channel is closed or the returned function called. */
  onState(listener: (state: ConnectionState) => void): () => void
  /** Connects now, where it is not connected. */
  connect(): void
  /** Another channel of the same kind, for messages up to `maxMessageBytes`. */
  widened(maxMessageBytes: number): RegistryChannel
  /** Ends running calls with UNAVAILABLE; leaves no socket and no timer. */
  close(): void
}

/** Waits between attempts to connect: first and longest, ms. */
const FIRST_RECONNECT_MS = 500
const LONGEST_RECONNECT_MS = 15_000
/** A name is looked up again after a lost connection, but not more often than this, ms. */
const RESOLUTION_SPACING_MS = 2000
/** The longest that a timer takes. */
const NEVER_MS = 2 ** 31 - 1
/** Bytes in flight per stream: HTTP/2's own 64 kB would make each large manifest wait for round trips. */
const WINDOW_BYTES = 1024 * 1024
const TUNNEL_TIMEOUT_MS = 15_000
/** Time for a closed connection to say goodbye before its socket is taken away, ms. */
const GOODBYE_MS = 250

/** Fails with USAGE where the proxy's setting cannot be used. */
export function openChannel(address: string, options: ChannelOptions): RegistryChannel {
  const colon = address.lastIndexOf(':')
  const host = address.slice(0, colon).replace(/^\[|\]$/g, '')
  const port = Number(address.slice(colon + 1))
  const proxy = isDirect(host, port, options.proxies.noProxy) ? undefined : parseProxy(options.proxies.proxy)
  const sockets = new Set<Socket>()
  let closed = false

  const grpc = new Client(
    `dns:${proxy === undefined ? address : hostPort(proxy)}`,
    insecureThrough(async (socket) => {
      // A connection that was on its way when the channel was closed.
      if (closed) {
        socket.destroy()
        throw new Error('the channel is closed')
      }
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      // gRPC listens from the handshake on; before it an error must not be nobody's.
      socket.on('error', () => undefined)
      if (proxy !== undefined) await openTunnel(socket, proxy, { host, port }, TUNNEL_TIMEOUT_MS)
    }),
    { ...grpcOptions(options), 'grpc.default_authority': address },
  )
  const channel = grpc.getChannel()
  const listeners = new Set<(state: ConnectionState) => void>()

  const state = (): ConnectionState => (closed ? 'SHUTDOWN' : stateName(channel.getConnectivityState(false)))
  const watch = () => {
    if (closed || listeners.size === 0) return
    channel.watchConnectivityState(channel.getConnectivityState(false), Number.POSITIVE_INFINITY, () => {
      if (closed) return
      for (const listener of [...listeners]) listener(state())
      watch()
    })
  }

  return {
    address,
    grpc,
    state,
    onState(listener) {
      listeners.add(listener)
      if (listeners.size === 1) watch()
      return () => listeners.delete(listener)
    },
    connect() {
      if (!closed) channel.getConnectivityState(true)
    },
    widened: (maxMessageBytes) => openChannel(address, { ...options, maxMessageBytes }),
    close() {
      if (closed) return
      closed = true
      listeners.clear()
      grpc.close()
      if (sockets.size === 0) return
      setTimeout(() => {
        for (const socket of sockets) socket.destroy()
      }, GOODBYE_MS).unref()
    },
  }
}

function grpcOptions({ maxMessageBytes, idleTimeoutMs }: ChannelOptions): ClientOptions {
  return {
    'grpc.primary_user_agent': 'olm-package-server',
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.initial_reconnect_backoff_ms': FIRST_RECONNECT_MS,
    'grpc.max_reconnect_backoff_ms': LONGEST_RECONNECT_MS,
    'grpc.dns_min_time_between_resolutions_ms': RESOLUTION_SPACING_MS,
    'grpc.client_idle_timeout_ms': idleTimeoutMs ?? NEVER_MS,
    'grpc-node.flow_control_window': WINDOW_BYTES,
    // gRPC would read proxies from the environment, those for HTTP too.
    'grpc.enable_http_proxy': 0,
    // Shared connections would outlive the channel that is closed because its connection is dead.
    'grpc.use_local_subchannel_pool': 1,
    'grpc.service_config_disable_resolution': 1,
    'grpc.enable_channelz': 0,
  }
}

/** Insecure credentials that see each new socket before HTTP/2 does. */
function insecureThrough(prepare: (socket: Socket) => Promise<void>): ChannelCredentials {
  const insecure = credentials.createInsecure()
  const connector = insecure._createSecureConnector.bind(insecure)
  return Object.assign(insecure, {
    _createSecureConnector: (...given: Parameters<typeof connector>) => ({
      ...connector(...given),
      connect: async (socket: Socket) => {
        await prepare(socket)
        return { socket, secure: false }
      },
    }),
    _equals: (other: ChannelCredentials) => other === insecure,
  })
}

function stateName(state: connectivityState): ConnectionState {
  return connectivityState[state] as ConnectionState
}

function hostPort({ host, port }: { readonly host: string; readonly port: number }): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}
