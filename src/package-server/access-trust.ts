// Whom the server believes about callers: authorities named by flags, and what the cluster says of itself. Receives both as they
// change, hands on what counts at this moment, ready for the http room. A flag counts before the cluster.
import type { Authorities } from '../http/client-certificate.ts'
import type { RequestHeaderTrust } from '../http/request-header-authenticator.ts'
import type { ClusterTrust, RequestHeaderFacts } from '../kube/request-header.ts'
import { clientAuthorities } from './client-authorities.ts'

export interface AccessTrust {
  /** Authorities of users' client certificates. undefined: none. */
  clients(): Authorities | undefined
  requestHeader(): RequestHeaderTrust | 'unknown' | undefined
  /** Throws where a bundle does not decode: what was known before stays. */
  setCluster(trust: ClusterTrust): void
  /** A file named by a flag, PEM. Throws where it does not decode. */
  setClientCa(bundle: string): void
  setRequestHeaderCa(bundle: string): void
}

export interface AccessTrustOptions {
  /** Header names and allowed names where --requestheader-client-ca-file is given; undefined where it is not. */
  readonly headers: Omit<RequestHeaderFacts, 'ca'> | undefined
  /** False: what the cluster says is not asked for. */
  readonly lookup: boolean
}

export function createAccessTrust({ headers, lookup }: AccessTrustOptions): AccessTrust {
  const clusterClients = followed()
  const clusterProxy = followed()
  const fileClients = followed()
  const fileProxy = followed()
  let known = !lookup
  let clusterHeaders: Omit<RequestHeaderFacts, 'ca'> | undefined

  return {
    clients: () => fileClients.authorities() ?? clusterClients.authorities(),
    requestHeader() {
      const own = fileProxy.authorities()
      if (headers !== undefined) return own === undefined ? 'unknown' : { ...headers, authorities: own }
      if (!known) return 'unknown'
      const proxies = clusterProxy.authorities()
      return proxies === undefined || clusterHeaders === undefined
        ? undefined
        : { ...clusterHeaders, authorities: proxies }
    },
    setCluster({ clientCa, requestHeader }) {
      // Both are decoded before either counts.
      const clients = clusterClients.decode(clientCa)
      const proxies = clusterProxy.decode(requestHeader?.ca)
      clients.take()
      proxies.take()
      clusterHeaders = requestHeader
      known = true
    },
    setClientCa: (bundle) => fileClients.decode(bundle).take(),
    setRequestHeaderCa: (bundle) => fileProxy.decode(bundle).take(),
  }
}

/** One bundle. The same text keeps the same authorities, so that verdicts on certificates are kept too. */
function followed() {
  let current: { readonly bundle: string; readonly authorities: Authorities } | undefined
  return {
    authorities: () => current?.authorities,
    decode(bundle: string | undefined) {
      const next =
        bundle === undefined
          ? undefined
          : bundle === current?.bundle
            ? current
            : { bundle, authorities: clientAuthorities(bundle) }
      return {
        take() {
          current = next
        },
      }
    },
  }
}
