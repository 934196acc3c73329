// Whether a certificate may be believed: who signed it, when it is valid, what for. Receives certificates and the time,
// hands on a verdict with its reason. Pure; needs nothing but Node's own X.509.
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'

export type Usage = 'server' | 'client'

export type Verdict = { readonly trusted: true } | { readonly trusted: false; readonly reason: string }

export interface ChainQuestion {
  /** The leaf first, then intermediates in any order. */
  readonly chain: readonly X509Certificate[]
  readonly roots: readonly X509Certificate[]
  readonly usage: Usage
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Extended key usages (RFC 5280, 4.2.1.12). */
const USAGE_OID: Readonly<Record<Usage, string>> = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' }
const ANY_USAGE_OID = '2.5.29.37.0'

/** More links than this no chain of ours has; a bound for hostile ones. */
const MAX_DEPTH = 8

const PEM_BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** All certificates of a PEM bundle, in order; text around them is ignored. Throws where one does not decode. */
export function parseCertificates(bundle: string): readonly X509Certificate[] {
  return (bundle.match(PEM_BLOCK) ?? []).map((block) => new X509Certificate(block))
}

/** RFC 5280's path validation as far as it concerns us: signatures, dates, authority flags, extended key usage. */
export function verifyChain({ chain, roots, usage, now }: ChainQuestion): Verdict {
  const [leaf, ...intermediates] = chain
  if (leaf === undefined) return refused('there is no certificate')
  const own = reasonAgainst(leaf, usage, now)
  if (own !== undefined) return refused(own)
  return verifyIssuer(leaf, { roots, intermediates, usage, now }, MAX_DEPTH)
}

/** Whether the private key (PEM) belongs to the certificate. False too where it is no key. */
export function keyMatches(certificate: X509Certificate, key: string): boolean {
  try {
    return certificate.checkPrivateKey(createPrivateKey(key))
  } catch {
    return false
  }
}

/** Whether we can sign in this authority's name: its key is of the kind that `issue.ts` makes, ECDSA on P-256. */
export function canIssue(authority: X509Certificate): boolean {
  const { asymmetricKeyType, asymmetricKeyDetails } = authority.publicKey
  return authority.ca && asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1'
}

/** Whether a server that shows this certificate may be called by this DNS name or IP address. */
export function coversHost(certificate: X509Certificate, host: string): boolean {
  const found = isIP(host) === 0 ? certificate.checkHost(host, { subject: 'never' }) : certificate.checkIP(host)
  return found !== undefined
}

interface Issuers {
  readonly roots: readonly X509Certificate[]
  readonly intermediates: readonly X509Certificate[]
  readonly usage: Usage
  readonly now: number
}

function verifyIssuer(subject: X509Certificate, from: Issuers, depth: number): Verdict {
  const bySigner = from.roots.filter((root) => root.raw.equals(subject.raw) || hasSigned(root, subject))
  // A root and its renewal may share name and key: one of them in its time is enough.
  const reasons = bySigner.map((root) => dateReason(root, from.now))
  if (reasons.includes(undefined)) return { trusted: true }
  if (reasons[0] !== undefined) return refused(`its authority ${reasons[0]}`)
  if (depth === 0) return refused('the chain is too long')
  for (const intermediate of from.intermediates) {
    if (!hasSigned(intermediate, subject)) continue
    const reason = reasonAgainst(intermediate, from.usage, from.now)
    const rest = { ...from, intermediates: from.intermediates.filter((other) => other !== intermediate) }
    const verdict = reason === undefined ? verifyIssuer(intermediate, rest, depth - 1) : refused(reason)
    if (verdict.trusted) return verdict
  }
  return refused('signed by an unknown authority')
}

/** By name, key identifiers, authority flag, key usage (all in checkIssued and `ca`) and signature. */
function hasSigned(issuer: X509Certificate, subject: X509Certificate): boolean {
  return issuer.ca && subject.checkIssued(issuer) && subject.verify(issuer.publicKey)
}

function reasonAgainst(certificate: X509Certificate, usage: Usage, now: number): string | undefined {
  return dateReason(certificate, now) ?? usageReason(certificate, usage)
}

function dateReason({ validFromDate, validToDate }: X509Certificate, now: number): string | undefined {
  if (now < validFromDate.getTime()) return `is not valid before ${validFromDate.toISOString()}`
  if (now > validToDate.getTime()) return `expired at ${validToDate.toISOString()}`
  return undefined
}

/** A certificate without the extension is good for any use, as in Go and OpenSSL. */
function usageReason({ keyUsage }: X509Certificate, usage: Usage): string | undefined {
  // The types say string[]; Node answers undefined where the certificate has no such extension.
  const usages: readonly string[] | undefined = keyUsage
  if (usages === undefined || usages.includes(USAGE_OID[usage]) || usages.includes(ANY_USAGE_OID)) return undefined
  return `is not for ${usage} use`
}

function refused(reason: string): Verdict {
  return { trusted: false, reason }
}
