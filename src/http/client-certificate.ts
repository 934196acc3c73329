// Client certificates: what a client showed at the handshake in, an identity out. Whom to trust is passed in, and asked
// anew where the bundle changes or a second has passed (the dates of certificates are whole seconds).
import { createHash, type X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import type { Authenticator, Identity } from './authentication.ts'
import { unauthorized } from './status.ts'
import { subjectNames } from './subject-name.ts'

/** One version of a bundle of authorities; a new object where the bundle changes. */
export interface Authorities {
  /** Why this chain, leaf first, is not good for a client at `now` (milliseconds since the epoch); undefined: it is good. */
  fault(chain: readonly X509Certificate[], now: number): string | undefined
}

export interface ClientCertificateOptions {
  /** The authorities of now. undefined: none is known yet, so no certificate is good. */
  readonly authorities: () => Authorities | undefined
  readonly clock: { now(): number }
}

interface Verdict {
  readonly second: number
  readonly fault: string | undefined
}

const LONGEST_CHAIN = 8

/** User is the common name, groups are the organizations, as the API server's x509 authenticator reads them. */
export function clientCertificateAuthenticator({ authorities, clock }: ClientCertificateOptions): Authenticator {
  const identities = new WeakMap<X509Certificate, Identity>()
  return async ({ clientCertificate }) => {
    if (clientCertificate === undefined) return undefined
    const trusted = authorities()
    if (trusted === undefined || clientCertificateFault(clientCertificate, trusted, clock.now()) !== undefined) {
      throw unauthorized()
    }
    const known = identities.get(clientCertificate)
    if (known !== undefined) return known
    const identity = certificateIdentity(clientCertificate)
    identities.set(clientCertificate, identity)
    return identity
  }
}

/** Hung on the certificates, so they go when their connection goes: one of each bundle that was asked. */
const verdicts = new WeakMap<X509Certificate, WeakMap<Authorities, Verdict>>()
const shown = new WeakMap<TLSSocket, X509Certificate>()

/** Why this certificate, with the chain behind it, is not good now; undefined: it is good. */
export function clientCertificateFault(
  leaf: X509Certificate,
  authorities: Authorities,
  now: number,
): string | undefined {
  const second = Math.floor(now / 1000)
  const own = verdicts.get(leaf) ?? new WeakMap<Authorities, Verdict>()
  const known = own.get(authorities)
  if (known?.second === second) return known.fault
  const fault = authorities.fault(chainOf(leaf), now)
  verdicts.set(leaf, own.set(authorities, { second, fault }))
  return fault
}

/** The certificate of a connection: one object as long as the connection lives. */
export function shownCertificate(socket: TLSSocket): X509Certificate | undefined {
  const known = shown.get(socket)
  if (known !== undefined) return known
  const certificate = socket.getPeerX509Certificate()
  if (certificate !== undefined) shown.set(socket, certificate)
  return certificate
}

function chainOf(leaf: X509Certificate): readonly X509Certificate[] {
  const chain = [leaf]
  let issuer = leaf.issuerCertificate
  while (issuer !== undefined && chain.length < LONGEST_CHAIN) {
    const { fingerprint256 } = issuer
    if (chain.some((one) => one.fingerprint256 === fingerprint256)) break
    chain.push(issuer)
    issuer = issuer.issuerCertificate
  }
  return chain
}

function certificateIdentity(certificate: X509Certificate): Identity {
  const { commonName, organizations, uid } = subjectNames(certificate)
  if (commonName === '' || uid === null) throw unauthorized()
  const digest = createHash('sha256').update(certificate.raw).digest('hex')
  return {
    user: commonName,
    uid: uid ?? '',
    groups: organizations,
    extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${digest}`] },
  }
}
