// Makes one package of a snapshot from what was found of it, or keeps the one of the reading before where nothing about it
// changed. Pure.
import { hash } from 'node:crypto'
import type { ClusterServiceVersion } from '../api/cluster-service-version.ts'
import type { Listing } from './listing.ts'
import type { KeptPackage } from './reading-memory.ts'

export interface PackageFacts {
  readonly name: string
  readonly deprecation: string | undefined
  readonly defaultChannel: string
  readonly channels: readonly ChannelFacts[]
}

export interface ChannelFacts {
  readonly name: string
  readonly deprecation: string | undefined
  readonly head: ClusterServiceVersion
  /** Of the head's manifest. */
  readonly headDigest: string
}

/** `fingerprint`: of the answers that the facts are made of. `listingChanged`: since `before` was made. */
export function buildPackage(
  { channels, ...facts }: PackageFacts,
  listing: Listing,
  fingerprint: string,
  listingChanged: boolean,
  before: KeptPackage | undefined,
): KeptPackage {
  if (before !== undefined && !listingChanged && before.fingerprint === fingerprint) return before
  const built = channels.map(({ headDigest, ...channel }) =>
    Object.freeze({ ...channel, entries: Object.freeze(listing.entriesOf(facts.name, channel.name)) }),
  )
  const digested = built.map(({ head, ...channel }, index) => [channel, channels[index]?.headDigest])
  const digest = hash('sha256', JSON.stringify([facts, digested]), 'base64')
  if (before?.digest === digest) return { ...before, fingerprint }
  return { fingerprint, digest, package: Object.freeze({ ...facts, channels: Object.freeze(built) }) }
}
