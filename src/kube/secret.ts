// One Secret, read and written with optimistic concurrency. Receives plain texts, hands on what is stored or that somebody else
// was first. Its contents go into no error and no log.
import { type ApiClient, type ApiRequest, isObject, refusal } from './api-client.ts'
import type { RawObject } from './object-set.ts'
import { resourceVersionOf } from './watch-events.ts'

export interface StoredSecret {
  readonly resourceVersion: string
  /** Decoded. */
  readonly data: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

export interface SecretContent {
  readonly data: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly labels: Readonly<Record<string, string>>
}

export interface SecretPlace {
  readonly client: ApiClient
  readonly namespace: string
  readonly name: string
}

const DEADLINE = 10_000

export function secretsPath(namespace: string): string {
  return `/api/v1/namespaces/${encodeURIComponent(namespace)}/secrets`
}

/** Undefined: there is none. Throws an OlmError where the API server does not say. */
export async function readSecret({ client, namespace, name }: SecretPlace): Promise<StoredSecret | undefined> {
  const call: ApiRequest = { method: 'GET', path: `${secretsPath(namespace)}/${name}`, deadline: DEADLINE }
  const answer = await client.request(call)
  if (answer.status === 404) return undefined
  if (answer.status !== 200 || !isObject(answer.body)) throw refusal(call, answer)
  return parseSecret(answer.body)
}

/** `before`: what it is to replace; undefined: there must be none. Answers `conflict` where somebody else was first. */
export async function writeSecret(
  { client, namespace, name }: SecretPlace,
  content: SecretContent,
  before: StoredSecret | undefined,
): Promise<StoredSecret | 'conflict'> {
  const { labels, annotations } = content
  const version = before === undefined ? {} : { resourceVersion: before.resourceVersion }
  const call: ApiRequest = {
    method: before === undefined ? 'POST' : 'PUT',
    path: before === undefined ? secretsPath(namespace) : `${secretsPath(namespace)}/${name}`,
    body: {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace, labels, annotations, ...version },
      type: 'kubernetes.io/tls',
      data: Object.fromEntries(
        Object.entries(content.data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
      ),
    },
    deadline: DEADLINE,
  }
  const answer = await client.request(call)
  if (answer.status === 409 || answer.status === 404) return 'conflict'
  if (answer.status >= 300 || !isObject(answer.body)) throw refusal(call, answer)
  return parseSecret(answer.body)
}

export function parseSecret(object: RawObject): StoredSecret {
  const metadata = isObject(object.metadata) ? object.metadata : {}
  const data = Object.entries(textsOf(object.data)).map(([key, value]) => [
    key,
    Buffer.from(value, 'base64').toString(),
  ])
  return {
    resourceVersion: resourceVersionOf(object),
    data: Object.fromEntries(data),
    annotations: textsOf(metadata.annotations),
  }
}

function textsOf(raw: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(isObject(raw) ? raw : {})
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}
