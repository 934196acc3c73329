// Our APIServices (apiregistration.k8s.io/v1): whom they trust to be us. Receives a bundle of authorities, hands on whether it is
// in place; writes nothing else into them.
import { type ApiClient, type ApiRequest, isObject, refusal } from './api-client.ts'
import type { RawObject } from './object-set.ts'
import { resourceVersionOf } from './watch-events.ts'

export interface ApiServiceTrust {
  readonly name: string
  readonly resourceVersion: string
  /** PEM; `""` where there is none. */
  readonly caBundle: string
  /** It believes whoever answers. */
  readonly insecure: boolean
}

export const API_SERVICES_PATH = '/apis/apiregistration.k8s.io/v1/apiservices'

const DEADLINE = 10_000

export function parseApiService(object: RawObject): ApiServiceTrust | undefined {
  const metadata = isObject(object.metadata) ? object.metadata : {}
  const spec = isObject(object.spec) ? object.spec : {}
  if (typeof metadata.name !== 'string') return undefined
  const caBundle = typeof spec.caBundle === 'string' ? Buffer.from(spec.caBundle, 'base64').toString() : ''
  return {
    name: metadata.name,
    resourceVersion: resourceVersionOf(object),
    caBundle,
    insecure: spec.insecureSkipTLSVerify === true,
  }
}

/** Answers what stands there now, or `conflict` where it changed or went meanwhile. */
export async function writeCaBundle(
  client: ApiClient,
  before: ApiServiceTrust,
  caBundle: string,
): Promise<ApiServiceTrust | 'conflict'> {
  const call: ApiRequest = {
    method: 'PATCH',
    path: `${API_SERVICES_PATH}/${before.name}`,
    contentType: 'application/merge-patch+json',
    body: {
      metadata: { resourceVersion: before.resourceVersion },
      // A bundle beside insecureSkipTLSVerify is refused by the API server.
      spec: { caBundle: Buffer.from(caBundle).toString('base64'), insecureSkipTLSVerify: null },
    },
    deadline: DEADLINE,
  }
  const answer = await client.request(call)
  if (answer.status === 409 || answer.status === 404) return 'conflict'
  const written = answer.status === 200 && isObject(answer.body) ? parseApiService(answer.body) : undefined
  if (written === undefined) throw refusal(call, answer)
  return written
}
