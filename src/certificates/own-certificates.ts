// An authority and a serving certificate that a server makes for itself: what state they are in, and what to do next. Pure:
// receives the state, the time and what the world trusts, hands on one step. Every replica comes to the same step.
import type { X509Certificate } from 'node:crypto'
import { canIssue, coversHost, keyMatches, parseCertificates, verifyChain } from './certificate-chain.ts'
import type { KeyPair } from './issue.ts'
import { renewalTime } from './renewal.ts'

/** As it is kept, shared by all replicas. */
export interface OwnCertificates {
  /** Authorities to be trusted, PEM, the newest first: during a change the old one stands behind it. */
  readonly authorities: readonly string[]
  /** Of the newest authority, PEM. */
  readonly authorityKey: string
  readonly serving: KeyPair
  /** When the newest authority or the serving certificate was last changed; milliseconds since the epoch. */
  readonly changedAt: number
}

export type Step =
  /** Nothing usable is there: a new authority, and a serving certificate of it. */
  | { readonly kind: 'begin'; readonly reason: string }
  /** A new authority beside the old one; what is served stays until the new one is trusted. */
  | { readonly kind: 'add-authority' }
  /** A new serving certificate of the newest authority. */
  | { readonly kind: 'issue-serving'; readonly reason: string }
  /** The old authority has signed nothing that is still served. */
  | { readonly kind: 'drop-old-authorities' }
  /** Nothing to do before `until`, if nothing changes. */
  | { readonly kind: 'wait'; readonly until: number }

export interface StepFacts {
  readonly own: OwnCertificates | undefined
  /** Names under which clients reach the server. */
  readonly hosts: readonly string[]
  /** Whether those who call trust the newest authority. */
  readonly newestTrusted: boolean
  readonly now: number
  /** In [0, 1), the same for the life of a process: replicas renew at different moments. */
  readonly random: number
  /** From a new authority to the first certificate of it: callers learn of it. Milliseconds. */
  readonly settle: number
  /** From a new certificate to the end of the old authority: the last replica has switched. Milliseconds. */
  readonly grace: number
}

export function nextStep(facts: StepFacts): Step {
  const { own, now, random } = facts
  if (own === undefined) return { kind: 'begin', reason: 'there is none yet' }
  const [newest, ...older] = own.authorities.map(decode)
  if (newest === undefined) return { kind: 'begin', reason: 'its authority does not decode' }
  const fault = authorityFault(newest, own.authorityKey, now)
  if (fault !== undefined) return { kind: 'begin', reason: `its authority ${fault}` }
  const serving = decode(own.serving.certificate)
  const reason = servingFault(serving, [newest, ...older.filter((one) => one !== undefined)], facts)
  if (serving === undefined || reason !== undefined)
    return { kind: 'issue-serving', reason: reason ?? 'it does not decode' }
  const authorityDue = renewalTime(newest, random)
  if (now >= authorityDue) return { kind: 'add-authority' }
  if (!isSignedBy(serving, newest, now)) return switchStep(facts, own.changedAt)
  const servingDue = renewalTime(serving, random)
  if (now >= servingDue) return { kind: 'issue-serving', reason: 'it is to be renewed' }
  if (older.length === 0) return { kind: 'wait', until: Math.min(authorityDue, servingDue) }
  const over = own.changedAt + facts.grace
  return now >= over
    ? { kind: 'drop-old-authorities' }
    : { kind: 'wait', until: Math.min(authorityDue, servingDue, over) }
}

/** The authority of this bundle that signed the serving certificate; undefined where none did. */
export function signerOf(own: OwnCertificates, now: number): string | undefined {
  const serving = decode(own.serving.certificate)
  return own.authorities.find((authority) => {
    const root = decode(authority)
    return serving !== undefined && root !== undefined && isSignedBy(serving, root, now)
  })
}

/** Authorities that may still be needed after a new one came: those whose certificates are good now. */
export function livingAuthorities(own: OwnCertificates | undefined, now: number): readonly string[] {
  return (own?.authorities ?? []).filter((authority) => {
    const root = decode(authority)
    return root !== undefined && now <= root.validToDate.getTime()
  })
}

function switchStep({ newestTrusted, now, settle }: StepFacts, changedAt: number): Step {
  const settled = changedAt + settle
  if (newestTrusted && now >= settled) return { kind: 'issue-serving', reason: 'its authority is being replaced' }
  return { kind: 'wait', until: Math.max(settled, now + 1000) }
}

function authorityFault(root: X509Certificate, key: string, now: number): string | undefined {
  if (!root.ca) return 'is none'
  if (!canIssue(root)) return 'has a key that we cannot sign with'
  if (!keyMatches(root, key)) return 'has another key'
  const verdict = verifyChain({ chain: [root], roots: [root], usage: 'server', now })
  return verdict.trusted ? undefined : verdict.reason
}

function servingFault(
  serving: X509Certificate | undefined,
  roots: readonly X509Certificate[],
  { own, hosts, now }: StepFacts,
): string | undefined {
  if (serving === undefined) return 'it does not decode'
  if (!keyMatches(serving, own?.serving.key ?? '')) return 'it has another key'
  const missing = hosts.find((host) => !coversHost(serving, host))
  if (missing !== undefined) return `it is not for ${missing}`
  const verdict = verifyChain({ chain: [serving], roots, usage: 'server', now })
  return verdict.trusted ? undefined : `it ${verdict.reason}`
}

function isSignedBy(serving: X509Certificate, root: X509Certificate, now: number): boolean {
  return verifyChain({ chain: [serving], roots: [root], usage: 'server', now }).trusted
}

function decode(pem: string): X509Certificate | undefined {
  try {
    return parseCertificates(pem)[0]
  } catch {
    return undefined
  }
}
