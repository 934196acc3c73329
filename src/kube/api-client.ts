// One request to the Kubernetes API server, or one stream from it. Receives a path, hands on status and body as unknown;
// never retries (its callers decide), never logs, never puts a header into an error.
import { createHash } from 'node:crypto'
import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http'
import { Agent, request as tlsRequest } from 'node:https'
import { OlmError, reasonOf } from '../errors.ts'
import type { Connection, Kubeconfig } from './kubeconfig.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface ApiRequest {
  readonly method: Method
  /** `/api/v1/…`, encoded. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly contentType?: string
  /** Milliseconds for the whole exchange; of a stream, until its headers are there. */
  readonly deadline: number
  readonly signal?: AbortSignal
}

export interface ApiAnswer {
  readonly status: number
  readonly retryAfter: string | undefined
  /** Parsed JSON; a string where the body is not JSON. */
  readonly body: unknown
}

export interface ApiStream {
  readonly status: number
  readonly retryAfter: string | undefined
  /** The body, undecoded. Ends when the server ends it, rejects when the connection breaks. Destroying it ends the request. */
  readonly body: IncomingMessage
}

export interface ApiClient {
  /** For messages: which kubeconfig this is. */
  readonly source: string
  readonly namespace: string | undefined
  /** Any answer of the API server, whatever its status. Throws an OlmError where there was none. */
  request(request: ApiRequest): Promise<ApiAnswer>
  stream(request: ApiRequest): Promise<ApiStream>
  close(): void
}

export interface ApiClientOptions {
  readonly userAgent: string
  /** Longest body of one answer, bytes. */
  readonly maxBody?: number
}

const MAX_BODY = 256 << 20

export function createApiClient(kubeconfig: Kubeconfig, options: ApiClientOptions): ApiClient {
  const agents = createAgents()
  const maxBody = options.maxBody ?? MAX_BODY

  async function open(call: ApiRequest, deadline: AbortSignal, again = true): Promise<IncomingMessage> {
    const connection = await kubeconfig.connection()
    const url = urlOf(connection.server, call)
    const body = call.body === undefined ? undefined : Buffer.from(JSON.stringify(call.body))
    const secure = url.protocol === 'https:'
    const sent = (secure ? tlsRequest : plainRequest)(url, {
      method: call.method,
      headers: {
        accept: 'application/json',
        'user-agent': options.userAgent,
        ...connection.headers,
        ...(body === undefined
          ? {}
          : { 'content-type': call.contentType ?? 'application/json', 'content-length': body.length }),
      },
      agent: connection.agent ?? (secure ? agents.secure(connection) : agents.plain),
      signal: deadline,
      ...(connection.tls.servername === undefined ? {} : { servername: connection.tls.servername }),
    })
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve)
      sent.on('error', reject)
    })
    sent.end(body)
    const answer = await answered.catch((error: unknown) => {
      // A kept connection that the server closed just as we wrote: nothing was answered, so ask once on a new one.
      if (again && sent.reusedSocket && !deadline.aborted) return undefined
      throw error
    })
    if (answer === undefined) return open(call, deadline, false)
    if (answer.statusCode === 401) kubeconfig.refresh()
    return answer
  }

  /** Rejections say where, what and why, and whether our own deadline or the caller ended it. */
  function failure(error: unknown, call: ApiRequest, timedOut: boolean): OlmError {
    if (error instanceof OlmError) return error
    const reason = timedOut ? `no answer within ${call.deadline} ms` : reasonOf(error)
    return new OlmError(
      'KUBE_UNREACHABLE',
      { method: call.method, path: call.path, source: kubeconfig.source, reason },
      { cause: error },
    )
  }

  return {
    source: kubeconfig.source,
    namespace: kubeconfig.namespace,
    async request(call) {
      const deadline = AbortSignal.timeout(call.deadline)
      try {
        const answer = await open(call, call.signal === undefined ? deadline : AbortSignal.any([deadline, call.signal]))
        const { status, retryAfter } = headOf(answer)
        return { status, retryAfter, body: parse(await readAll(answer, maxBody)) }
      } catch (error) {
        throw failure(error, call, deadline.aborted && call.signal?.aborted !== true)
      }
    },
    async stream(call) {
      const deadline = new AbortController()
      let timedOut = false
      const timer = setTimeout(() => {
        timedOut = true
        deadline.abort()
      }, call.deadline)
      try {
        const body = await open(
          call,
          call.signal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, call.signal]),
        )
        return { ...headOf(body), body }
      } catch (error) {
        throw failure(error, call, timedOut)
      } finally {
        clearTimeout(timer)
      }
    },
    close() {
      agents.close()
    },
  }
}

/** What a caller throws for an answer that it cannot use. */
export function refusal(
  call: Pick<ApiRequest, 'method' | 'path'>,
  answer: { status: number; body: unknown },
): OlmError {
  return new OlmError('KUBE_REFUSED', {
    method: call.method,
    path: call.path,
    status: answer.status,
    reason: messageOf(answer.body),
  })
}

/** The message of a Status, or the beginning of whatever came instead. One line. */
export function messageOf(body: unknown): string {
  const message = isObject(body) && typeof body.message === 'string' ? body.message : body
  const text = typeof message === 'string' ? message : ''
  return text.replace(/\s+/g, ' ').trim().slice(0, 300) || 'no reason given'
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Connections kept per identity: when the CA or the client certificate changes, the old connections are used no more. */
function createAgents() {
  const plain = new PlainAgent({ keepAlive: true, keepAliveMsecs: 15_000 })
  let kept: { readonly identity: string; readonly agent: Agent } | undefined
  return {
    plain,
    secure({ tls }: Connection): Agent {
      const identity = createHash('sha256').update(JSON.stringify(tls)).digest('base64')
      if (kept?.identity === identity) return kept.agent
      if (kept !== undefined) retire(kept.agent)
      const agent = new Agent({
        keepAlive: true,
        keepAliveMsecs: 15_000,
        maxFreeSockets: 8,
        ALPNProtocols: ['http/1.1'],
        rejectUnauthorized: tls.rejectUnauthorized,
        ...(tls.ca === undefined ? {} : { ca: tls.ca }),
        ...(tls.cert === undefined ? {} : { cert: tls.cert }),
        ...(tls.key === undefined ? {} : { key: tls.key }),
      })
      kept = { identity, agent }
      return agent
    },
    close() {
      plain.destroy()
      kept?.agent.destroy()
    },
  }
}

/** Idle connections close now, those in use when they are done. */
function retire(agent: Agent): void {
  agent.maxFreeSockets = 0
  for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy()
}

function urlOf(server: URL, call: ApiRequest): URL {
  const url = new URL(server)
  url.pathname = url.pathname.replace(/\/$/, '') + call.path
  for (const [name, value] of Object.entries(call.query ?? {})) url.searchParams.set(name, value)
  return url
}

function headOf(answer: IncomingMessage) {
  return { status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] }
}

async function readAll(answer: IncomingMessage, maxBody: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBody) throw new Error(`answer larger than ${maxBody} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
