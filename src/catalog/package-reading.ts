// One package of a reading: GetPackage, then one GetBundleForChannel per distinct head. Receives its name, hands on the package
// with what was left out of it. Throws where the whole reading is to be discarded.

import { hash } from 'node:crypto'
import { compareBytes } from '../api/byte-order.ts'
import type { ClusterServiceVersion } from '../api/cluster-service-version.ts'
import { OlmError, reasonOf } from '../errors.ts'
import { isRegistryCallError } from '../registry/call-error.ts'
import type { ListedPackage } from '../registry/received-messages.ts'
import { packageNameFault, shownName } from './askable-name.ts'
import type { Listing } from './listing.ts'
import { buildPackage, type ChannelFacts } from './package-build.ts'
import type { ReadingOptions } from './reading.ts'
import type { KeptHead, KeptPackage } from './reading-memory.ts'
import type { LeftOut } from './snapshot.ts'

export interface FoundPackage {
  /** Undefined where the whole package was left out. */
  readonly kept: KeptPackage | undefined
  readonly leftOut: readonly LeftOut[]
  /** Digests of the answers, with the answers: for the next reading. */
  readonly answer: readonly [string, ListedPackage] | undefined
  readonly heads: readonly (readonly [string, KeptHead])[]
  /** Of every answer that this package is made of, ListBundles apart. */
  readonly fingerprint: string
  readonly bytes: number
}

export async function readPackage(name: string, listing: Listing, options: ReadingOptions): Promise<FoundPackage> {
  const { client, memory, limits, signal } = options
  const fault = packageNameFault(name)
  if (fault !== undefined) return leftOutPackage(shownName(name), fault)
  const call = { deadlineMs: limits.callDeadlineMs, signal }
  const received = await attempt(options, `GetPackage ${name}`, () => client.getPackage({ name }, call))
  if ('reason' in received) return leftOutPackage(name, received.reason)
  const { digest, size } = received.answer
  const answer = memory.answers.get(digest) ?? decoded(() => received.answer.decode())
  if (answer === undefined) return leftOutPackage(name, 'the answer to GetPackage is not a message of this protocol')
  if (answer.name !== name && (answer.name !== '' || answer.channels.length === 0)) {
    throw inconsistent(`GetPackage ${quoted(name)} answered with ${quoted(answer.name)}`)
  }

  const distinctChannels = distinct(answer.channels)
  const listingChanged = memory.listing !== listing.fingerprint
  // What passed with the same answers in the reading before passes again.
  if (listingChanged || !memory.answers.has(digest)) {
    for (const channel of distinctChannels) checkHead(name, channel, listing, options)
  }
  const heads = new Map<string, FoundHead>()
  const channels: ChannelFacts[] = []
  const leftOut: LeftOut[] = []
  for (const { name: channelName, csvName, deprecation } of distinctChannels) {
    const head = heads.get(csvName) ?? (await readHead(name, channelName, csvName, options))
    heads.set(csvName, head)
    if ('reason' in head.outcome) leftOut.push({ package: name, channel: channelName, reason: head.outcome.reason })
    else channels.push({ name: channelName, deprecation: deprecation?.message, ...head.outcome })
  }

  const found = [...heads.values()]
  const fingerprint = fingerprintOf([name, digest, found.map((head) => head.fingerprint)])
  const facts = { name, deprecation: answer.deprecation?.message, defaultChannel: answer.defaultChannelName, channels }
  return {
    kept: buildPackage(facts, listing, fingerprint, listingChanged, memory.packages.get(name)),
    leftOut,
    answer: [digest, answer],
    heads: found.flatMap((head) => (head.kept === undefined ? [] : [head.kept])),
    fingerprint,
    bytes: found.reduce((sum, head) => sum + head.bytes, size),
  }
}

interface FoundHead {
  readonly outcome: { readonly head: ClusterServiceVersion; readonly headDigest: string } | { readonly reason: string }
  readonly fingerprint: string
  readonly bytes: number
  readonly kept: readonly [string, KeptHead] | undefined
}

async function readHead(
  packageName: string,
  channelName: string,
  csvName: string,
  { client, memory, limits, signal, decoder, late, believeHeads }: ReadingOptions,
): Promise<FoundHead> {
  const request = { pkgName: packageName, channelName }
  const got = await attempt({ late }, `GetBundleForChannel ${packageName} ${csvName}`, () =>
    client.getBundleForChannel(request, { deadlineMs: limits.callDeadlineMs, signal }),
  )
  if ('reason' in got) return noHead(got.reason, 0)
  const { digest, size } = got.answer
  let known = memory.heads.get(digest)
  if (known === undefined) {
    const bundle = decoded(() => got.answer.decode())
    if (bundle === undefined) return noHead('the bundle is not a message of this protocol', size)
    known = { csvName: bundle.csvName, head: await decoder.decode(bundle.csvJson) }
  }
  if (!believeHeads && known.csvName !== '' && csvName !== '' && known.csvName !== csvName) {
    const heads = `by ${quoted(csvName)} and by ${quoted(known.csvName)}`
    throw inconsistent(`channel ${quoted(channelName)} of ${quoted(packageName)} is headed ${heads}`)
  }
  const { decoded: csv, digest: headDigest } = known.head
  const outcome = 'reason' in csv ? csv : { head: csv.csv, headDigest }
  return { outcome, fingerprint: digest, bytes: size, kept: [digest, known] }
}

function noHead(reason: string, bytes: number): FoundHead {
  return { outcome: { reason }, fingerprint: fingerprintOf(reason), bytes, kept: undefined }
}

function leftOutPackage(name: string, reason: string): FoundPackage {
  const leftOut = [{ package: name, channel: undefined, reason }]
  return {
    kept: undefined,
    leftOut,
    answer: undefined,
    heads: [],
    fingerprint: fingerprintOf([name, reason]),
    bytes: 0,
  }
}

/** One call. Its failure is a reason where it costs only what was asked for, and thrown where it discards the reading. */
async function attempt<T>(
  { late }: Pick<ReadingOptions, 'late'>,
  name: string,
  call: () => Promise<T>,
): Promise<{ readonly answer: T } | { readonly reason: string }> {
  try {
    return { answer: await call() }
  } catch (error) {
    if (!isRegistryCallError(error) || error.cut) throw error
    if (error.status === 'UNAVAILABLE' || error.status === 'CANCELLED') throw error
    if (error.status === 'DEADLINE_EXCEEDED' && late.add(name)) throw error
    return { reason: reasonOf(error) }
  }
}

function decoded<T>(decode: () => T): T | undefined {
  try {
    return decode()
  } catch {
    return undefined
  }
}

function checkHead(
  packageName: string,
  channel: ListedPackage['channels'][number],
  listing: Listing,
  { believeHeads }: ReadingOptions,
): void {
  const { name, csvName } = channel
  if (believeHeads || csvName === '' || listing.has(packageName, name, csvName)) return
  const channelText = `channel ${quoted(name)} of ${quoted(packageName)}`
  throw inconsistent(`${quoted(csvName)} heads ${channelText} but ListBundles does not hold it there`)
}

/** Of channels that bear the same name the first counts. */
function distinct(channels: ListedPackage['channels']): ListedPackage['channels'] {
  return [...new Map(channels.toReversed().map((channel) => [channel.name, channel])).values()].sort((a, b) =>
    compareBytes(a.name, b.name),
  )
}

/** Names come from registries: as JSON they bring no control characters along. */
function quoted(name: string): string {
  return JSON.stringify(name)
}

function inconsistent(reason: string): OlmError {
  return new OlmError('READING_INCONSISTENT', { reason })
}

function fingerprintOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64')
}
