// Who is asking, and may they: everything that is left to the cluster, put together. Receives the flags' values and clients of
// the API server, hands on the authenticator and authorizer of the http room, and what readiness waits for.

import type { X509Certificate } from 'node:crypto'
import { composeAuthenticators, type Identity, type RequestFacts } from '../http/authentication.ts'
import type { Authorizer } from '../http/authorization.ts'
import { bearerTokenAuthenticator } from '../http/bearer-token-authenticator.ts'
import { clientCertificateAuthenticator } from '../http/client-certificate.ts'
import { delegatedAuthorizer } from '../http/delegated-authorizer.ts'
import type { HealthCheck } from '../http/health.ts'
import { withImpersonation } from '../http/impersonation.ts'
import { isFrontProxy, requestHeaderAuthenticator } from '../http/request-header-authenticator.ts'
import { type AccessReviewOptions, createAccessReviewer } from '../kube/access-review.ts'
import type { ApiClient } from '../kube/api-client.ts'
import type { Clock } from '../kube/back-off.ts'
import type { ListWatchLimits } from '../kube/list-watch.ts'
import { type RequestHeaderFacts, watchClusterTrust } from '../kube/request-header.ts'
import { createTokenReviewer } from '../kube/token-review.ts'
import type { Logger } from '../log.ts'
import { createAccessTrust } from './access-trust.ts'
import { followAuthorityFile } from './authority-file.ts'

export interface DelegatedAccessOptions {
  /** Reads kube-system/extension-apiserver-authentication and reviews tokens (--authentication-kubeconfig). */
  readonly authentication: ApiClient
  /** Reviews access (--authorization-kubeconfig). */
  readonly authorization: ApiClient
  readonly settings: AccessSettings
  readonly clock: Clock
  readonly log: Logger
  /** Ends the watching of the cluster's trust and of files. */
  readonly signal: AbortSignal
  /** Called for each request that a front proxy made. */
  readonly onFrontProxy?: () => void
  /** Called for each question that went to the API server. */
  readonly onAccessAsked?: AccessReviewOptions['onAsked']
  readonly limits?: Partial<ListWatchLimits>
}

/** Durations in milliseconds; files `""` where not given. */
export interface AccessSettings {
  readonly anonymous: boolean
  readonly skipLookup: boolean
  readonly tokenTtl: number
  readonly apiAudiences: readonly string[]
  readonly clientCaFile: string
  readonly requestHeaderCaFile: string
  readonly requestHeader: Omit<RequestHeaderFacts, 'ca'>
  readonly alwaysAllowPaths: readonly string[]
  readonly allowedTtl: number
  readonly deniedTtl: number
  /** For one question to the API server, repetitions included; undefined: 10 s. */
  readonly reviewDeadline?: number
}

export interface DelegatedAccess {
  readonly authenticate: (facts: RequestFacts) => Promise<Identity>
  readonly authorize: Authorizer
  readonly checks: readonly HealthCheck[]
  /** Whether this certificate is, now, one of a front proxy. */
  readonly isFrontProxy: (certificate: X509Certificate) => boolean
}

/** Fails with FILE_UNREADABLE where a file that a flag names cannot be used. The cluster is waited for by readiness alone. */
export async function createDelegatedAccess(options: DelegatedAccessOptions): Promise<DelegatedAccess> {
  const { authentication, authorization, settings, clock, log, signal } = options
  const trust = createAccessTrust({
    headers: settings.requestHeaderCaFile === '' ? undefined : settings.requestHeader,
    lookup: !settings.skipLookup,
  })
  await follow(settings.clientCaFile, trust.setClientCa, options)
  await follow(settings.requestHeaderCaFile, trust.setRequestHeaderCa, options)
  const deadline = settings.reviewDeadline === undefined ? {} : { deadline: settings.reviewDeadline }
  const authorize = delegatedAuthorizer({
    review: createAccessReviewer({
      client: authorization,
      clock,
      log,
      allowedTtl: settings.allowedTtl,
      deniedTtl: settings.deniedTtl,
      ...deadline,
      ...(options.onAccessAsked === undefined ? {} : { onAsked: options.onAccessAsked }),
    }),
    alwaysAllowPaths: settings.alwaysAllowPaths,
  })
  const authenticate = composeAuthenticators({
    authenticators: [
      requestHeaderAuthenticator({
        trust: trust.requestHeader,
        clock,
        ...(options.onFrontProxy === undefined ? {} : { onFrontProxy: options.onFrontProxy }),
      }),
      clientCertificateAuthenticator({ authorities: trust.clients, clock }),
      bearerTokenAuthenticator({
        review: createTokenReviewer({
          client: authentication,
          clock,
          log,
          ttl: settings.tokenTtl,
          audiences: settings.apiAudiences,
          ...deadline,
        }),
      }),
    ],
    anonymous: settings.anonymous,
  })
  return {
    authenticate: withImpersonation({ authenticate, authorize }),
    authorize,
    isFrontProxy(certificate) {
      const proxies = trust.requestHeader()
      return proxies !== undefined && proxies !== 'unknown' && isFrontProxy(certificate, proxies, clock.now())
    },
    checks: settings.skipLookup ? [] : [watchTrust(options, trust.setCluster, signal)],
  }
}

function watchTrust(
  { authentication: client, clock, log, limits }: DelegatedAccessOptions,
  onTrust: Parameters<typeof watchClusterTrust>[0]['onTrust'],
  signal: AbortSignal,
): HealthCheck {
  const watch = watchClusterTrust({ client, clock, log, onTrust, ...(limits === undefined ? {} : { limits }) })
  void watch.run(signal)
  return { name: 'cluster-trust', endpoints: ['readyz'], check: () => watch.reason }
}

async function follow(file: string, onBundle: (bundle: string) => void, { log, signal }: DelegatedAccessOptions) {
  if (file === '') return
  const close = await followAuthorityFile({ file, log, onBundle })
  signal.addEventListener('abort', close, { once: true })
}
