// A plain HTTP port for those who watch a program from inside the cluster: metrics and health, and nothing that is served.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { OlmError, reasonOf } from '../errors.ts'
import { answerHealth, ENDPOINTS, type Endpoint, type HealthCheck } from './health.ts'

export interface ObservationOptions {
  /** `host:port`; no host takes all addresses of the machine, port 0 any that is free. */
  readonly address: string
  /** The flag that a person gives the address by. */
  readonly flag: string
  readonly checks: readonly HealthCheck[]
  readonly metrics: { readonly contentType: string; text(): Promise<string> }
}

export interface ObservationServer {
  readonly port: number
  close(): Promise<void>
}

interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string
}

const TEXT = 'text/plain; charset=utf-8'

/** Fails with PORT_IN_USE or LISTEN_FAILED. */
export async function startObservationServer(options: ObservationOptions): Promise<ObservationServer> {
  const { address, flag } = options
  const server = createServer((request, response) => void respond(request, response, options))
  const colon = address.lastIndexOf(':')
  const host = address.slice(0, colon).replace(/^\[(.*)\]$/, '$1')
  server.listen({ port: Number(address.slice(colon + 1)), ...(host === '' ? {} : { host }) })
  try {
    await once(server, 'listening')
  } catch (thrown) {
    const taken = thrown instanceof Error && 'code' in thrown && thrown.code === 'EADDRINUSE'
    if (taken) throw new OlmError('PORT_IN_USE', { address, flag: `--${flag}` }, { cause: thrown })
    throw new OlmError('LISTEN_FAILED', { address, reason: reasonOf(thrown) }, { cause: thrown })
  }
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function respond(request: IncomingMessage, response: ServerResponse, options: ObservationOptions): Promise<void> {
  const { status, type, body } = await answer(request, options)
  const headers = { 'content-type': type, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }
  response.writeHead(status, { ...headers, ...(status === 405 ? { allow: 'GET, HEAD' } : {}) })
  response.end(request.method === 'HEAD' ? undefined : body)
}

async function answer(request: IncomingMessage, { checks, metrics }: ObservationOptions): Promise<Answer> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return { status: 405, type: TEXT, body: 'only GET\n' }
  const [path = '', query = ''] = (request.url ?? '').split('?')
  if (path === '/metrics') {
    try {
      return { status: 200, type: metrics.contentType, body: await metrics.text() }
    } catch (thrown) {
      return { status: 500, type: TEXT, body: `${reasonOf(thrown)}\n` }
    }
  }
  const [, endpoint = '', name = ''] = /^\/(\w+)(?:\/(.*))?$/.exec(path) ?? []
  const known = ENDPOINTS.includes(endpoint as Endpoint)
  const health = known ? answerHealth(checks, endpoint as Endpoint, name, new URLSearchParams(query)) : undefined
  if (health === undefined)
    return { status: 404, type: TEXT, body: 'not found: there are /metrics, /healthz, /livez, /readyz\n' }
  return { status: health.healthy ? 200 : 500, type: TEXT, body: health.text }
}
