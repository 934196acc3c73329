// A client with a certificate, as the bench's own questions need it: one answer at a time, or a stream held open.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'

export interface Credentials {
  readonly ca: string
  readonly cert: string
  readonly key: string
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface SecureClient {
  ask(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** Resolves with the response when its headers are there. */
  open(path: string, headers?: Readonly<Record<string, string>>): Promise<IncomingMessage>
  close(): void
}

/** `origin`: `https://host:port`. */
export function secureClient(origin: string, credentials: Credentials): SecureClient {
  const agent = new Agent({ keepAlive: true, ...credentials })

  const open: SecureClient['open'] = (path, headers = {}) =>
    new Promise((resolve, reject) => {
      request(origin + path, { agent, headers }, resolve)
        .on('error', reject)
        .end()
    })

  return {
    open,
    async ask(path, headers) {
      const response = await open(path, headers)
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk as Buffer)
      return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }
    },
    close: () => agent.destroy(),
  }
}
