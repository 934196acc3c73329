// What a step makes of the certificates of our own. Receives the step and what there is, hands on what is to be; writes nothing.
// Loads the X.509 library, which is slow, only here.

import { parseCertificates } from '../certificates/certificate-chain.ts'
import type { KeyPair } from '../certificates/issue.ts'
import { livingAuthorities, type OwnCertificates, type Step } from '../certificates/own-certificates.ts'

/** Milliseconds. */
export interface Lifetimes {
  readonly authority: number
  readonly serving: number
  /** From a new authority to the first certificate of it. */
  readonly settle: number
  /** From a new certificate to the end of the old authority. */
  readonly grace: number
}

export interface StepSurroundings {
  readonly hosts: readonly string[]
  readonly now: number
  readonly lifetimes: Lifetimes
}

const AUTHORITY_NAME = 'package-server authority'

export async function performStep(
  step: Exclude<Step, { readonly kind: 'wait' }>,
  own: OwnCertificates | undefined,
  around: StepSurroundings,
): Promise<OwnCertificates> {
  const changedAt = around.now
  if (own === undefined || step.kind === 'begin') {
    const authority = await newAuthority(around)
    const serving = await newServing(authority, around)
    // The old one stays trusted while other replicas still serve what it signed.
    const authorities = [authority.certificate, ...livingAuthorities(own, around.now)]
    return { authorities, authorityKey: authority.key, serving, changedAt }
  }
  if (step.kind === 'add-authority') {
    const authority = await newAuthority(around)
    const authorities = [authority.certificate, ...livingAuthorities(own, around.now)]
    return { ...own, authorities, authorityKey: authority.key, changedAt }
  }
  if (step.kind === 'drop-old-authorities') return { ...own, authorities: own.authorities.slice(0, 1), changedAt }
  const newest = { certificate: own.authorities[0] ?? '', key: own.authorityKey }
  return { ...own, serving: await newServing(newest, around), changedAt }
}

async function newAuthority({ now, lifetimes }: StepSurroundings): Promise<KeyPair> {
  const { issueAuthority } = await import('../certificates/issue.ts')
  return issueAuthority(AUTHORITY_NAME, { now, lifetime: lifetimes.authority })
}

/** Never valid for longer than its authority. */
async function newServing(authority: KeyPair, { hosts, now, lifetimes }: StepSurroundings): Promise<KeyPair> {
  const { issueServing } = await import('../certificates/issue.ts')
  const end = parseCertificates(authority.certificate)[0]?.validToDate.getTime() ?? now
  const lifetime = Math.min(lifetimes.serving, end - now)
  return issueServing(authority, { commonName: hosts[0] ?? 'package-server', hosts }, { now, lifetime })
}
