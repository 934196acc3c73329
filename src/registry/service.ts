// The serving end of the protocol: listens at once, says NOT_SERVING until there is content, answers every call from the
// content of the moment, and swaps it without touching a connection.
import { logVerbosity, Server, ServerCredentials, setLogVerbosity } from '@grpc/grpc-js'
import { ReflectionService } from '@grpc/reflection'
import { OlmError, reasonOf } from '../errors.ts'
import type { Logger } from '../log.ts'
import { createContentLeases } from './content-lease.ts'
import { createHealthService } from './health-service.ts'
import { loadProtocol } from './protocol.ts'
import { createRegistryCalls, type FinishedCall } from './registry-calls.ts'
import type { RegistryContent } from './registry-content.ts'
import { slimAnswers } from './slim-answers.ts'

export interface RegistryServerOptions {
  /** `host:port`; no host takes all addresses of the machine, port 0 any that is free. */
  readonly address: string
  readonly log: Logger
  /** Bytes of one request. Requests are names, so the default is small. */
  readonly maxReceiveBytes?: number
  readonly onFinished?: (call: FinishedCall) => void
}

export interface RegistryServer {
  /** `host:port` with the port that was really taken. */
  readonly address: string
  readonly port: number
  /** From now on new calls see this content; running ones finish on the old, which is then closed. */
  replace(content: RegistryContent): void
  /** Takes no new calls, lets running ones finish for `graceMs`, then cuts them; closes the content last. */
  close(graceMs?: number): Promise<void>
}

const DEFAULT_MAX_RECEIVE_BYTES = 4 * 1024 * 1024
const DEFAULT_GRACE_MS = 5000
/** As the reference registry's library does: a peer that is gone without a word is found within two hours. */
const KEEPALIVE_MS = 2 * 60 * 60 * 1000
const KEEPALIVE_TIMEOUT_MS = 20_000

/** Fails with PORT_IN_USE or LISTEN_FAILED. */
export async function createRegistryServer(options: RegistryServerOptions): Promise<RegistryServer> {
  const { log } = options
  // The library writes to standard error what it also hands to callbacks.
  setLogVerbosity(logVerbosity.NONE)
  const protocol = loadProtocol()
  const health = createHealthService()
  const leases = createContentLeases((thrown) => log.warn({ reason: reasonOf(thrown) }, 'old content not closed'))
  const calls = createRegistryCalls(leases, (call) => {
    if (call.failure !== undefined) log.error({ method: call.method, reason: reasonOf(call.failure) }, 'call failed')
    options.onFinished?.(call)
  })

  const server = new Server({
    'grpc.max_receive_message_length': options.maxReceiveBytes ?? DEFAULT_MAX_RECEIVE_BYTES,
    'grpc.max_send_message_length': -1,
    'grpc.keepalive_time_ms': KEEPALIVE_MS,
    'grpc.keepalive_timeout_ms': KEEPALIVE_TIMEOUT_MS,
  })
  server.addService(slimAnswers(protocol.registry), calls.registry)
  server.addService(protocol.experimental, calls.experimental)
  server.addService(protocol.health, health.implementation)
  new ReflectionService(protocol.definition).addToServer(server)

  const { host, port } = await listen(server, options.address)

  return {
    address: `${host}:${port}`,
    port,
    replace(content) {
      leases.replace(content)
      health.set('SERVING')
    },
    async close(graceMs = DEFAULT_GRACE_MS) {
      health.set('NOT_SERVING')
      health.close()
      await shutDown(server, graceMs)
      await leases.close()
    },
  }
}

async function listen(server: Server, address: string): Promise<{ readonly host: string; readonly port: number }> {
  const colon = address.lastIndexOf(':')
  const host = address.slice(0, colon)
  if (host !== '') return { host, port: await bind(server, address) }
  const port = address.slice(colon + 1)
  try {
    return { host: '[::]', port: await bind(server, `[::]:${port}`) }
  } catch (thrown) {
    // A machine without IPv6.
    if (!(thrown instanceof OlmError) || thrown.code !== 'LISTEN_FAILED') throw thrown
    return { host: '0.0.0.0', port: await bind(server, `0.0.0.0:${port}`) }
  }
}

function bind(server: Server, address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(address, ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) resolve(port)
      else if (error.message.includes('EADDRINUSE')) reject(new OlmError('PORT_IN_USE', { address, flag: '--port' }))
      else reject(new OlmError('LISTEN_FAILED', { address, reason: reasonOf(error) }, { cause: error }))
    })
  })
}

function shutDown(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.forceShutdown(), graceMs)
    server.tryShutdown(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
