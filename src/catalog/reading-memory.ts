// What a reading leaves to the next one of the same catalog: everything by the digest of the bytes it was made of, so that what
// did not change is not decoded again.
import type { ListedPackage } from '../registry/received-messages.ts'
import type { Head } from './head-decoder.ts'
import type { ListedEntry } from './listing.ts'
import type { DigestedPackage, Snapshot } from './snapshot.ts'

export interface KeptHead {
  /** The bundle's name as the registry says it; `""` where it says none. */
  readonly csvName: string
  readonly head: Head
}

export interface KeptPackage extends DigestedPackage {
  /** Of the answers that it is made of, apart from ListBundles. */
  readonly fingerprint: string
}

export interface ReadingMemory {
  /** Listed bundles by the digest of their message. */
  readonly entries: ReadonlyMap<string, ListedEntry>
  /** Answers to GetPackage by the digest of their message. */
  readonly answers: ReadonlyMap<string, ListedPackage>
  /** Answers to GetBundleForChannel by the digest of their message. */
  readonly heads: ReadonlyMap<string, KeptHead>
  /** Packages by name. */
  readonly packages: ReadonlyMap<string, KeptPackage>
  /** Of all that ListBundles said. */
  readonly listing: string
  /** A digest of every message's digest: equal, and nothing at all has changed. */
  readonly fingerprint: string
  readonly snapshot: Snapshot | undefined
}

export const NOTHING_READ: ReadingMemory = {
  entries: new Map(),
  answers: new Map(),
  heads: new Map(),
  packages: new Map(),
  listing: '',
  fingerprint: '',
  snapshot: undefined,
}
