// Whom the cluster tells its extension API servers to believe: kube-system/extension-apiserver-authentication, watched, so that
// a rotation counts without a restart. Hands on PEM texts and header names; never decides about a request.
import type { Logger } from '../log.ts'
import type { ApiClient } from './api-client.ts'
import type { Clock } from './back-off.ts'
import { createListWatch, type ListWatchLimits } from './list-watch.ts'

export interface ClusterTrust {
  /** PEM bundle whose client certificates are users. Undefined: there is none. */
  readonly clientCa: string | undefined
  /** Undefined: the cluster has no front proxy. */
  readonly requestHeader: RequestHeaderFacts | undefined
}

export interface RequestHeaderFacts {
  /** PEM bundle whose client certificates are front proxies. */
  readonly ca: string
  /** Empty: every common name. */
  readonly allowedNames: readonly string[]
  readonly userHeaders: readonly string[]
  readonly uidHeaders: readonly string[]
  readonly groupHeaders: readonly string[]
  readonly extraPrefixes: readonly string[]
}

export interface ClusterTrustWatch {
  /** Undefined: not read yet. The last good one is kept where a newer does not decode or is gone. */
  readonly current: ClusterTrust | undefined
  /** Why it is not known yet, with the way out; undefined where it is. */
  readonly reason: string | undefined
  run(signal: AbortSignal): Promise<void>
}

export interface ClusterTrustOptions {
  readonly client: ApiClient
  readonly clock: Clock
  readonly log: Logger
  /** Called with every new trust, the first one too. A throw means that it does not decode: the last good one stays. */
  readonly onTrust: (trust: ClusterTrust) => void
  readonly limits?: Partial<ListWatchLimits>
}

const NAMESPACE = 'kube-system'
const NAME = 'extension-apiserver-authentication'
const ADVICE = `bind the Role ${NAME}-reader of ${NAMESPACE} to our service account`

export function watchClusterTrust(options: ClusterTrustOptions): ClusterTrustWatch {
  let current: ClusterTrust | undefined
  let fault: string | undefined

  const watch = createListWatch<ClusterTrust>({
    client: options.client,
    path: `/api/v1/namespaces/${NAMESPACE}/configmaps`,
    query: { fieldSelector: `metadata.name=${NAME}` },
    log: options.log,
    clock: options.clock,
    explain: ({ status }) => (status === 403 ? `${NAMESPACE}/${NAME} may not be read: ${ADVICE}` : undefined),
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    decode(object) {
      try {
        const trust = parseClusterTrust(object.data)
        if (trust.clientCa === undefined && trust.requestHeader === undefined) throw new Error('it names no authority')
        options.onTrust(trust)
        options.log.info(
          current === undefined ? 'the cluster says whom to trust' : 'the cluster says anew whom to trust',
        )
        current = trust
        fault = undefined
        return trust
      } catch (error) {
        fault = error instanceof Error ? error.message : String(error)
        options.log.warn({ reason: fault }, `${NAMESPACE}/${NAME} does not say whom to trust; what was known stays`)
        return undefined
      }
    },
  })
  watch.subscribe({
    synced(items) {
      if (items.size > 0 || fault !== undefined) return
      const outcome =
        current === undefined ? 'does not exist: is the aggregation layer on?' : 'is gone; what it said stays'
      options.log.warn(`${NAMESPACE}/${NAME} ${outcome}`)
    },
  })

  return {
    get current() {
      return current
    },
    get reason() {
      if (current !== undefined) return undefined
      const { state } = watch
      if (state.reason !== undefined && state.status === 403) return state.reason
      if (fault !== undefined) return `${NAMESPACE}/${NAME}: ${fault}`
      if (state.synced) return `${NAMESPACE}/${NAME} does not exist: is the API server's aggregation layer on?`
      return `${NAMESPACE}/${NAME}: ${state.reason ?? 'not read yet'}`
    },
    run: (signal) => watch.run(signal),
  }
}

/** `data` of the ConfigMap: PEM texts, and JSON lists of names. A list that is no JSON list of strings throws. */
export function parseClusterTrust(data: unknown): ClusterTrust {
  const facts = typeof data === 'object' && data !== null ? (data as Readonly<Record<string, unknown>>) : {}
  const pem = (key: string) => {
    const text = facts[key]
    return typeof text === 'string' && text.trim() !== '' ? text : undefined
  }
  const ca = pem('requestheader-client-ca-file')
  return {
    clientCa: pem('client-ca-file'),
    requestHeader:
      ca === undefined
        ? undefined
        : {
            ca,
            allowedNames: list(facts, 'requestheader-allowed-names'),
            userHeaders: list(facts, 'requestheader-username-headers'),
            uidHeaders: list(facts, 'requestheader-uid-headers'),
            groupHeaders: list(facts, 'requestheader-group-headers'),
            extraPrefixes: list(facts, 'requestheader-extra-headers-prefix'),
          },
  }
}

function list(facts: Readonly<Record<string, unknown>>, key: string): readonly string[] {
  const text = facts[key]
  if (typeof text !== 'string' || text.trim() === '') return []
  const parsed: unknown = JSON.parse(text)
  if (parsed === null) return []
  if (!Array.isArray(parsed) || !parsed.every((one) => typeof one === 'string'))
    throw new Error(`${key} is no JSON list of strings`)
  return parsed
}
