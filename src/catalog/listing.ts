// What ListBundles said, by package and channel. Receives the stream's messages, hands on the entries of each channel; bundles
// that bear `olm.deprecated` are no entries, but may be heads.
import { compareBytes } from '../api/byte-order.ts'
import type { ListedBundle, Received } from '../registry/received-messages.ts'
import { createFingerprint } from './fingerprint.ts'
import type { SnapshotEntry } from './snapshot.ts'

export interface ListedEntry {
  readonly packageName: string
  readonly channelName: string
  readonly deprecated: boolean
  readonly entry: SnapshotEntry
}

export interface ListingBuilder {
  add(message: Received<ListedBundle>): void
  done(): Listing
}

export interface Listing {
  /** Of all messages, in whatever order they came. */
  readonly fingerprint: string
  /** Sorted by name. */
  entriesOf(packageName: string, channelName: string): readonly SnapshotEntry[]
  has(packageName: string, channelName: string, bundleName: string): boolean
  readonly messages: ReadonlyMap<string, ListedEntry>
}

const DEPRECATED = 'olm.deprecated'

/** A message that comes twice, byte for byte, counts once. `known`: decoded by an earlier reading. */
export function createListing(known: ReadonlyMap<string, ListedEntry>): ListingBuilder {
  const messages = new Map<string, ListedEntry>()
  const fingerprint = createFingerprint()
  const channels = new Map<string, ListedEntry[]>()

  const entriesIn = (packageName: string, channelName: string) =>
    channels.get(channelKey(packageName, channelName)) ?? []

  return {
    add(message) {
      if (messages.has(message.digest)) return
      const listed = known.get(message.digest) ?? slim(message.decode())
      messages.set(message.digest, listed)
      fingerprint.add(message.digest)
      const key = channelKey(listed.packageName, listed.channelName)
      const entries = channels.get(key)
      if (entries === undefined) channels.set(key, [listed])
      else entries.push(listed)
    },
    done: () => ({
      messages,
      fingerprint: fingerprint.value(),
      entriesOf: (packageName, channelName) =>
        entriesIn(packageName, channelName)
          .filter(({ deprecated }) => !deprecated)
          .map(({ entry }) => entry)
          .sort((a, b) => compareBytes(a.name, b.name) || compareBytes(a.version, b.version)),
      has: (packageName, channelName, bundleName) =>
        entriesIn(packageName, channelName).some(({ entry }) => entry.name === bundleName),
    }),
  }
}

function channelKey(packageName: string, channelName: string): string {
  return `${packageName}\0${channelName}`
}

function slim(bundle: ListedBundle): ListedEntry {
  const { packageName, channelName, csvName, version, replaces, skips, skipRange, deprecation, properties } = bundle
  const entry: SnapshotEntry = Object.freeze({
    name: csvName,
    version,
    deprecation: deprecation?.message,
    replaces,
    skips: Object.freeze(skips),
    skipRange,
  })
  return { packageName, channelName, deprecated: properties.some(({ type }) => type === DEPRECATED), entry }
}
