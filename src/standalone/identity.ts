// Who the standalone server is and whom it lets in: an authority, a serving and a client certificate. Judges those found,
// has made anew what is not good any more. Reads and writes no file.
import type { X509Certificate } from 'node:crypto'
import {
  canIssue,
  coversHost,
  keyMatches,
  parseCertificates,
  type Usage,
  verifyChain,
} from '../certificates/certificate-chain.ts'
import type { KeyPair } from '../certificates/issue.ts'

export interface Identity {
  readonly authority: KeyPair
  readonly serving: KeyPair
  readonly client: KeyPair
}

/** What was found; undefined where a file of the pair is missing. */
export type FoundIdentity = { readonly [Part in keyof Identity]: KeyPair | undefined }

export interface IdentityNeeds {
  /** Names and addresses under which the server is reached. */
  readonly hosts: readonly string[]
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Why a part cannot be used; undefined where it can. `missing` is not worth a word on a first start. */
export type Judgement = { readonly [Part in keyof Identity]: string | undefined }

export const MISSING = 'missing'

const DAY = 24 * 3_600_000
const AUTHORITY_LIFETIME = 10 * 365 * DAY
const LEAF_LIFETIME = 365 * DAY

/** A part that its authority does not vouch for is of no use, so a new authority makes all anew. */
export function judgeIdentity(found: FoundIdentity, { hosts, now }: IdentityNeeds): Judgement {
  const authority = judgePair(found.authority, (root) => {
    if (!root.ca) return 'not an authority'
    if (!canIssue(root)) return 'its key is not one that we can sign with'
    return reasonOf(verifyChain({ chain: [root], roots: [root], usage: 'server', now }))
  })
  const roots = authority === undefined ? decode(found.authority) : []
  const leaf = (pair: KeyPair | undefined, usage: Usage, more: (certificate: X509Certificate) => string | undefined) =>
    judgePair(pair, (certificate) => {
      if (authority !== undefined) return 'its authority is made anew'
      return reasonOf(verifyChain({ chain: [certificate], roots, usage, now })) ?? more(certificate)
    })
  return {
    authority,
    serving: leaf(found.serving, 'server', (certificate) => {
      const missing = hosts.find((host) => !coversHost(certificate, host))
      return missing === undefined ? undefined : `not made for ${missing}`
    }),
    client: leaf(found.client, 'client', () => undefined),
  }
}

/** Makes what the judgement rejects; loads the X.509 library only if there is something to make. */
export async function completeIdentity(
  found: FoundIdentity,
  judgement: Judgement,
  { hosts, now }: IdentityNeeds,
): Promise<Identity> {
  const kept = (part: keyof Identity) => (judgement[part] === undefined ? found[part] : undefined)
  const [authority, serving, client] = [kept('authority'), kept('serving'), kept('client')]
  if (authority !== undefined && serving !== undefined && client !== undefined) return { authority, serving, client }
  const { issueAuthority, issueClient, issueServing } = await import('../certificates/issue.ts')
  const signer = authority ?? (await issueAuthority('olm standalone', { now, lifetime: AUTHORITY_LIFETIME }))
  const leaf = { now, lifetime: LEAF_LIFETIME }
  return {
    authority: signer,
    serving: serving ?? (await issueServing(signer, { commonName: 'olm standalone server', hosts }, leaf)),
    // The group to which Kubernetes' own authorization denies nothing: this client owns the server.
    client: client ?? (await issueClient(signer, { user: 'admin', groups: ['system:masters'] }, leaf)),
  }
}

function judgePair(
  pair: KeyPair | undefined,
  judge: (certificate: X509Certificate) => string | undefined,
): string | undefined {
  if (pair === undefined) return MISSING
  const [certificate] = decode(pair)
  if (certificate === undefined) return 'not a certificate'
  if (!keyMatches(certificate, pair.key)) return 'its key does not belong to it'
  return judge(certificate)
}

function decode(pair: KeyPair | undefined): readonly X509Certificate[] {
  try {
    return pair === undefined ? [] : parseCertificates(pair.certificate)
  } catch {
    return []
  }
}

function reasonOf(verdict: ReturnType<typeof verifyChain>): string | undefined {
  return verdict.trusted ? undefined : verdict.reason
}
