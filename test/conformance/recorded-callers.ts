// The callers of the recorded exchanges and what the recorded cluster let them do: certificates, a token, RBAC in short.

import { issueAuthority, issueClient, type KeyPair } from '../../src/certificates/issue.ts'
import type { AccessQuestion } from '../../src/http/access-question.ts'
import {
  type Authenticator,
  composeAuthenticators,
  type Identity,
  type RequestFacts,
} from '../../src/http/authentication.ts'
import { bearerTokenAuthenticator } from '../../src/http/bearer-token-authenticator.ts'
import { clientCertificateAuthenticator } from '../../src/http/client-certificate.ts'
import { delegatedAuthorizer } from '../../src/http/delegated-authorizer.ts'
import { withImpersonation } from '../../src/http/impersonation.ts'
import { requestHeaderAuthenticator } from '../../src/http/request-header-authenticator.ts'
import { authoritiesOf, type Credentials, issueCredentials } from '../fixtures/http-server.ts'

export interface RecordedCallers {
  readonly credentials: Credentials
  readonly authenticate: (facts: RequestFacts) => Promise<Identity>
  readonly authorize: ReturnType<typeof delegatedAuthorizer>
  /** The certificate of a recorded user; undefined where it showed none. */
  certificateOf(user: string): KeyPair | undefined
}

export const TOKEN = 'a-service-account-token'
const HOUR = 3_600_000
const clock = { now: Date.now }

/** What `system:discovery` and `system:public-info-viewer` grant. */
const DISCOVERY = /^\/(api|apis|openapi|version|healthz|livez|readyz)(\/|$)/
const PUBLIC = /^\/(version|healthz|livez|readyz)$/

export async function createRecordedCallers(): Promise<RecordedCallers> {
  const credentials = await issueCredentials()
  const validity = { now: Date.now(), lifetime: HOUR }
  const frontProxyAuthority = await issueAuthority('front proxy authority', validity)
  const certificates: Readonly<Record<string, KeyPair>> = {
    admin: credentials.client,
    viewer: await issueClient(credentials.authority, { user: 'viewer', groups: [] }, validity),
    'front-proxy-client': await issueClient(frontProxyAuthority, { user: 'front-proxy-client', groups: [] }, validity),
  }
  const authorize = delegatedAuthorizer({ review, alwaysAllowPaths: ['/healthz', '/livez', '/readyz'] })
  const authenticators = createAuthenticators(credentials.authority, frontProxyAuthority)
  const authenticate = composeAuthenticators({ authenticators, anonymous: true })
  return {
    credentials,
    authenticate: withImpersonation({ authenticate, authorize }),
    authorize,
    certificateOf: (user) => certificates[user],
  }
}

function createAuthenticators(clientAuthority: KeyPair, frontProxyAuthority: KeyPair): Authenticator[] {
  const clients = authoritiesOf(clientAuthority)
  const trust = {
    authorities: authoritiesOf(frontProxyAuthority),
    allowedNames: ['front-proxy-client'],
    userHeaders: ['X-Remote-User'],
    uidHeaders: ['X-Remote-Uid'],
    groupHeaders: ['X-Remote-Group'],
    extraPrefixes: ['X-Remote-Extra-'],
  }
  return [
    requestHeaderAuthenticator({ trust: () => trust, clock }),
    clientCertificateAuthenticator({ authorities: () => clients, clock }),
    bearerTokenAuthenticator({
      review: async (token) =>
        token === TOKEN
          ? { user: 'system:serviceaccount:operators:default', uid: '', groups: [], extra: {} }
          : undefined,
    }),
  ]
}

async function review({ nonResourceAttributes, groups = [] }: AccessQuestion) {
  const path = nonResourceAttributes?.path
  const open = groups.includes('system:authenticated') ? DISCOVERY : PUBLIC
  return { allowed: path !== undefined && open.test(path), denied: false, reason: '' }
}
