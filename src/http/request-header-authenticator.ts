// Who a front proxy says is asking: `X-Remote-*` headers, believed only on a connection whose client certificate is good
// now, signed by the request-header authorities and of an allowed name. On every other connection they are worth nothing.
import type { X509Certificate } from 'node:crypto'
import type { Authenticator, RequestFacts } from './authentication.ts'
import { type Authorities, clientCertificateFault } from './client-certificate.ts'
import { extraValues, headerText } from './header-text.ts'
import { serviceUnavailable, unauthorized } from './status.ts'
import { subjectNames } from './subject-name.ts'

export interface RequestHeaderTrust {
  readonly authorities: Authorities
  /** Common names of front proxies. Empty: every name that the authorities signed. */
  readonly allowedNames: readonly string[]
  readonly userHeaders: readonly string[]
  readonly uidHeaders: readonly string[]
  readonly groupHeaders: readonly string[]
  readonly extraPrefixes: readonly string[]
}

export interface RequestHeaderOptions {
  /** The trust of now, asked at each request. `unknown`: not read yet. undefined: there is no front proxy. */
  readonly trust: () => RequestHeaderTrust | 'unknown' | undefined
  readonly clock: { now(): number }
  /** Called for each request that a front proxy made. */
  readonly onFrontProxy?: () => void
}

export function requestHeaderAuthenticator({ trust, clock, onFrontProxy }: RequestHeaderOptions): Authenticator {
  return async (facts) => {
    const certificate = facts.clientCertificate
    if (certificate === undefined) return undefined
    const trusted = trust()
    if (trusted === undefined) return undefined
    if (trusted === 'unknown') throw serviceUnavailable('whom to trust as a front proxy is not known yet', 1)
    if (!isFrontProxy(certificate, trusted, clock.now())) throw unauthorized()
    const user = values(facts, trusted.userHeaders)[0]
    if (user === undefined) return undefined
    onFrontProxy?.()
    return {
      user,
      uid: values(facts, trusted.uidHeaders)[0] ?? '',
      groups: values(facts, trusted.groupHeaders),
      extra: extraValues(facts, trusted.extraPrefixes),
    }
  }
}

/** Whether this certificate is good now, of the right authority and of an allowed name. */
export function isFrontProxy(certificate: X509Certificate, trust: RequestHeaderTrust, now: number): boolean {
  if (clientCertificateFault(certificate, trust.authorities, now) !== undefined) return false
  return trust.allowedNames.length === 0 || trust.allowedNames.includes(subjectNames(certificate).commonName)
}

/** All values that are not empty, of the headers in their configured order. A comma does not split: a line is a value. */
function values(facts: RequestFacts, names: readonly string[]): readonly string[] {
  return names
    .flatMap((name) => facts.headerLines(name.toLowerCase()))
    .filter((value) => value !== '')
    .map(headerText)
}
