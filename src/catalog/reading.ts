// Station 3: reads one registry from beginning to end. Receives a client and what the reading before left, hands on a whole
// snapshot or the reason why there is none. Never hands on half of one.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { OlmError } from '../errors.ts'
import { isRegistryCallError, registryCallError } from '../registry/call-error.ts'
import type { CallOptions, RegistryClient } from '../registry/client.ts'
import type { Clock } from './clock.ts'
import { createFingerprint } from './fingerprint.ts'
import type { HeadDecoder } from './head-decoder.ts'
import type { LateCalls } from './late-calls.ts'
import { createListing, type Listing } from './listing.ts'
import { type FoundPackage, readPackage } from './package-reading.ts'
import { NOTHING_READ, type ReadingMemory } from './reading-memory.ts'
import { freezeSnapshot, type Snapshot } from './snapshot.ts'

export interface ReadingLimits {
  /** Of one call with one answer, ms. */
  readonly callDeadlineMs: number
  /** Of ListBundles and ListPackages, ms. */
  readonly listDeadlineMs: number
  /** Calls at a time. */
  readonly concurrency: number
  /** Of all messages of a reading together. Larger catalogs are not read: a registry must not be able to fill this process. */
  readonly mostBytes: number
  /** Messages of one list. */
  readonly mostListed: number
}

export const READING_LIMITS: ReadingLimits = {
  callDeadlineMs: 30_000,
  listDeadlineMs: 120_000,
  concurrency: 8,
  mostBytes: 1024 * 1024 * 1024,
  mostListed: 1_000_000,
}

export interface ReadingOptions {
  readonly client: RegistryClient
  readonly decoder: HeadDecoder
  readonly memory: ReadingMemory
  readonly late: LateCalls
  readonly limits: ReadingLimits
  readonly clock: Pick<Clock, 'now' | 'monotonic'>
  readonly signal: AbortSignal
  /** Called when the first message has come. */
  readonly onFirstMessage?: () => void
  /** True where the connection was replaced since the reading began: a new process may have answered the rest. */
  readonly reconnected?: () => boolean
  /** True: heads need not be in ListBundles. For a registry that contradicts itself for good. */
  readonly believeHeads?: boolean
}

export interface WholeReading {
  readonly snapshot: Snapshot
  readonly memory: ReadingMemory
}

/** Fails with REGISTRY_CALL or READING_INCONSISTENT. */
export async function readRegistry(options: ReadingOptions): Promise<WholeReading> {
  const { memory, limits, late, clock } = options
  const ending = new AbortController()
  const signal = AbortSignal.any([options.signal, ending.signal])
  const inner = { ...options, signal }
  const end = () => ending.abort()
  late.begin()
  try {
    const listed = await listBundles(inner)
    const names = await listPackages(inner)
    const bytes = { received: listed.bytes + names.bytes }
    const found = await readPackages(inner, names.names, listed.listing, bytes, end)
    if (late.end().discard) throw tooLate(limits.callDeadlineMs)
    const parts = { listed, names, found, bytes: bytes.received }
    const whole = assemble(parts, memory, clock.now())
    if (whole.memory.fingerprint !== memory.fingerprint) await verify(inner, listed.listing)
    return whole
  } finally {
    ending.abort()
  }
}

interface ListedNames {
  readonly names: ReadonlySet<string>
  readonly bytes: number
}

interface ListedBundles {
  readonly listing: Listing
  readonly bytes: number
}

/** Once more where one message was too large: the client then has more room. */
async function listBundles(options: ReadingOptions): Promise<ListedBundles> {
  try {
    return await listBundlesOnce(options)
  } catch (error) {
    if (!isRegistryCallError(error) || !error.tooLarge) throw error
    return listBundlesOnce(options)
  }
}

async function listBundlesOnce(options: ReadingOptions): Promise<ListedBundles> {
  const listing = createListing(options.memory.entries)
  const messages = options.client.listBundles(listOptions(options))
  const bytes = await eachMessage(options, messages, 'ListBundles', listing.add)
  return { listing: listing.done(), bytes }
}

async function listPackages(options: ReadingOptions): Promise<ListedNames> {
  const names = new Set<string>()
  const messages = options.client.listPackages(listOptions(options))
  const bytes = await eachMessage(options, messages, 'ListPackages', (message) => {
    names.add(message.decode().name)
  })
  return { names, bytes }
}

/** Longest time to go on before others get their turn, ms. */
const TURN_MS = 10

/** Answers how many bytes came. */
async function eachMessage<T extends { readonly size: number }>(
  { clock, limits, onFirstMessage }: ReadingOptions,
  messages: AsyncIterable<T>,
  method: string,
  take: (message: T) => void,
): Promise<number> {
  let turn = clock.monotonic()
  let count = 0
  let bytes = 0
  for await (const message of messages) {
    onFirstMessage?.()
    bytes += message.size
    if (++count > limits.mostListed) throw tooLarge(`${method} lists more than ${limits.mostListed}`)
    if (bytes > limits.mostBytes) throw tooLarge(`${method} has more than ${limits.mostBytes} bytes`)
    try {
      take(message)
    } catch (error) {
      throw registryCallError(method, GARBAGE, 'an answer is not a message of this protocol', error)
    }
    if (clock.monotonic() - turn < TURN_MS) continue
    await nextTurn()
    turn = clock.monotonic()
  }
  return bytes
}

function tooLarge(reason: string): OlmError {
  return new OlmError('READING_TOO_LARGE', { reason })
}

const GARBAGE = { status: 'INTERNAL', cut: true, tooLarge: false } as const

function listOptions({ limits, signal }: ReadingOptions): CallOptions {
  return { deadlineMs: limits.listDeadlineMs, signal }
}

/** Reads all packages, `concurrency` at a time. The first failure that discards the reading ends it. */
async function readPackages(
  options: ReadingOptions,
  names: ReadonlySet<string>,
  listing: Listing,
  bytes: { received: number },
  end: () => void,
): Promise<readonly FoundPackage[]> {
  const found: FoundPackage[] = []
  const failures: unknown[] = []
  const waiting = names.values()
  async function work(): Promise<void> {
    for (const name of waiting) {
      if (failures.length > 0) return
      try {
        const one = await readPackage(name, listing, options)
        bytes.received += one.bytes
        if (bytes.received > options.limits.mostBytes) {
          throw tooLarge(`its answers have more than ${options.limits.mostBytes} bytes`)
        }
        found.push(one)
      } catch (error) {
        failures.push(error)
        end()
      }
      await nextTurn()
    }
  }
  // The reading ends when all of its calls have: nothing goes on behind its back.
  await Promise.all(Array.from({ length: Math.min(options.limits.concurrency, names.size) }, work))
  if (failures.length > 0) throw failures[0]
  return found
}

interface ReadingParts {
  readonly listed: ListedBundles
  readonly names: ListedNames
  readonly found: readonly FoundPackage[]
  readonly bytes: number
}

function assemble({ listed, found, bytes }: ReadingParts, before: ReadingMemory, readAt: number): WholeReading {
  const all = createFingerprint()
  for (const one of found) all.add(one.fingerprint)
  const fingerprint = `${listed.listing.fingerprint} ${all.value()}`
  if (before.snapshot !== undefined && fingerprint === before.fingerprint) {
    const snapshot: Snapshot = Object.freeze({ ...before.snapshot, readAt, bytes })
    return { snapshot, memory: { ...before, snapshot } }
  }
  const packages = found.flatMap((one) => (one.kept === undefined ? [] : [one.kept]))
  const snapshot = freezeSnapshot({ packages, leftOut: found.flatMap((one) => one.leftOut), readAt, bytes })
  const memory: ReadingMemory = {
    entries: listed.listing.messages,
    answers: new Map(found.flatMap((one) => (one.answer === undefined ? [] : [one.answer]))),
    heads: new Map(found.flatMap((one) => one.heads)),
    packages: new Map(packages.map((kept) => [kept.package.name, kept])),
    listing: listed.listing.fingerprint,
    fingerprint,
    snapshot,
  }
  return { snapshot, memory }
}

/** A registry may change while it is read. Where there is news after a good reading, or a new connection, the list must still stand. */
async function verify(options: ReadingOptions, listing: Listing): Promise<void> {
  const hadReading = options.memory !== NOTHING_READ
  if (!hadReading && options.reconnected?.() !== true) return
  const again = await listBundles({ ...options, memory: { ...options.memory, entries: listing.messages } })
  if (again.listing.fingerprint === listing.fingerprint) return
  throw new OlmError('READING_INCONSISTENT', { reason: 'ListBundles changed while the catalog was read' })
}

function tooLate(deadlineMs: number) {
  const facts = { status: 'DEADLINE_EXCEEDED', cut: false, tooLarge: false } as const
  return registryCallError('GetBundleForChannel', facts, `no whole answer within ${deadlineMs / 1000} s`)
}
