// The seam of authentication: facts of a request and its connection in, an identity out. Authenticators are asked in
// order; the first that knows the caller wins. Credentials that nobody accepts are 401, never anonymous.
import type { X509Certificate } from 'node:crypto'
import { StatusError, unauthorized } from './status.ts'

export interface Identity {
  readonly user: string
  readonly uid: string
  readonly groups: readonly string[]
  readonly extra: Readonly<Record<string, readonly string[]>>
}

export interface RequestFacts {
  readonly method: string
  /** Each header line of this name (lower case), in order: repeated lines are separate values. */
  headerLines(name: string): readonly string[]
  /** Lower-case names of all headers sent. */
  headerNames(): readonly string[]
  /** What the client showed at the handshake, its issuers behind `issuerCertificate`; not yet verified by anybody. */
  readonly clientCertificate: X509Certificate | undefined
  /** From `Authorization: Bearer`, or the WebSocket sub-protocol made for it. */
  readonly bearerToken: string | undefined
}

/** undefined: no credentials of my kind. Throws `unauthorized()` for credentials of my kind that are not good. */
export type Authenticator = (facts: RequestFacts) => Promise<Identity | undefined>

export interface AuthenticationOptions {
  readonly authenticators: readonly Authenticator[]
  /** Whether a request without any credentials runs as `system:anonymous`; else it is 401. */
  readonly anonymous: boolean
}

const AUTHENTICATED = 'system:authenticated'
const ANONYMOUS: Identity = { user: 'system:anonymous', uid: '', groups: ['system:unauthenticated'], extra: {} }

/** One authenticator out of many: it always answers an identity, or throws a StatusError. */
export function composeAuthenticators({
  authenticators,
  anonymous,
}: AuthenticationOptions): (facts: RequestFacts) => Promise<Identity> {
  return async (facts) => {
    let refusal: StatusError | undefined
    for (const authenticate of authenticators) {
      try {
        const identity = await authenticate(facts)
        if (identity !== undefined) return withAuthenticatedGroup(identity)
      } catch (fault) {
        if (!(fault instanceof StatusError)) throw fault
        // A reviewer that cannot be asked (5xx) tells more than a credential that is not accepted.
        if (refusal === undefined || fault.status.code >= 500) refusal = fault
      }
    }
    if (refusal !== undefined) throw refusal
    if (!anonymous) throw unauthorized()
    return ANONYMOUS
  }
}

function withAuthenticatedGroup(identity: Identity): Identity {
  if (identity.groups.includes(AUTHENTICATED) || identity.user === ANONYMOUS.user) return identity
  return { ...identity, groups: [...identity.groups, AUTHENTICATED] }
}
