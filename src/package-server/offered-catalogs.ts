// What the server knows of every catalog, and how that becomes what it serves: a source, its connection and its readings go
// in; manifests, statuses and facts come out. A reading that failed changes what is said, never what is shown.
import { type CatalogKey, type CatalogSource, catalogKey } from '../api/catalog-source.ts'
import type { LeftOut, Snapshot } from '../catalog/snapshot.ts'
import type { CatalogFacts, CatalogReadingFacts } from './catalog-facts.ts'
import type { CatalogStatusResource } from './catalog-status-resource.ts'
import type { PackageManifestResource } from './package-manifest-resource.ts'
import { type ManifestWithIcon, toPackageManifest } from './to-package-manifest.ts'

/** What people may want to be told of. Must not throw. */
export interface CatalogNews {
  /** A catalog is new, or has another address: it is being read for the first time. */
  trying?(source: CatalogSource): void
  /** A reading took effect: what is listed now is the catalog as it was read. */
  listed?(source: CatalogSource, reading: CatalogReadingFacts): void
  /** A whole reading lacks packages that the one before held: they are listed no more. */
  gone?(source: CatalogSource, names: readonly string[]): void
  /** An attempt failed; what was listed before still is. */
  failed?(source: CatalogSource, reason: string): void
}

export interface OfferedCatalogsOptions {
  readonly manifests: Pick<PackageManifestResource, 'replace' | 'remove'>
  readonly statuses: Pick<CatalogStatusResource, 'set' | 'remove'>
  /** `""`: none. */
  readonly globalNamespace: string
  readonly clock: { now(): number }
  readonly news?: CatalogNews
}

export interface OfferedCatalogs {
  /** A catalog that is new, or whose labels, names or priority are: made anew from its last reading. */
  setSource(source: CatalogSource): Promise<void>
  removeSource(key: CatalogKey): void
  /** All sources that there are have been told. */
  sourcesSynced(): void
  setConnection(key: CatalogKey, state: string): void
  /** `gone`: names of packages that the reading before held and this one lacks. */
  setSnapshot(key: CatalogKey, snapshot: Snapshot, facts?: { readonly gone: readonly string[] }): Promise<void>
  /** Kept from before a restart: shown, and said to be old, until something newer is known. */
  setRecalled(key: CatalogKey, snapshot: Snapshot): Promise<void>
  setFailure(key: CatalogKey, reason: string): void
  facts(): Iterable<CatalogFacts>
  readonly synced: boolean
  /** Whether the first attempt at every catalog that this namespace sees has ended; undefined namespace: all. */
  settled(namespace?: string): boolean
}

/** An unknown name is final after this long, whatever catalogs are still being tried. Milliseconds. */
const LONGEST_UNSETTLED = 30_000

interface Entry {
  readonly facts: CatalogFacts
  /** The last good reading. */
  readonly snapshot: Snapshot | undefined
  /** That reading is not shown yet. */
  readonly unshown: boolean
  readonly tried: boolean
}

const UNREAD = { snapshot: undefined, unshown: false, tried: false }
const UNCONNECTED = 'IDLE'
const NO_ADDRESS = 'NO_ADDRESS'
const UNREAD_SINCE_START = 'kept from before the restart, not read again yet'

export function createOfferedCatalogs(options: OfferedCatalogsOptions): OfferedCatalogs {
  const { manifests, statuses, globalNamespace, clock, news = {} } = options
  const entries = new Map<CatalogKey, Entry>()
  const begun = clock.now()
  let synced = false

  function put(key: CatalogKey, entry: Entry): void {
    entries.set(key, entry)
    statuses.set(entry.facts)
  }

  /** Makes the manifests of what is known of a catalog at this moment; a later call wins over one still at it. */
  async function show(key: CatalogKey): Promise<void> {
    const { facts, snapshot } = entries.get(key) ?? {}
    if (facts === undefined || snapshot === undefined) return
    if (!(await manifests.replace(facts.source, manifestsOf(snapshot, facts.source)))) return
    shown(key)
  }

  function shown(key: CatalogKey): void {
    const entry = entries.get(key)
    if (entry?.snapshot === undefined || !entry.unshown) return
    const reading = readingOf(entry.snapshot)
    put(key, { ...entry, unshown: false, tried: true, facts: { ...entry.facts, reading, failure: undefined } })
    news.listed?.(entry.facts.source, reading)
  }

  return {
    async setSource(source) {
      const key = catalogKey(source)
      const known = entries.get(key)
      const state = source.address === undefined ? NO_ADDRESS : (known?.facts.connection.state ?? UNCONNECTED)
      const connection = connectionOf(known, state, clock.now())
      const facts = known?.facts ?? { source, connection, reading: undefined, failure: undefined }
      put(key, { ...(known ?? UNREAD), facts: { ...facts, source, connection } })
      if (source.address !== undefined && source.address !== known?.facts.source.address) news.trying?.(source)
      if (known !== undefined && !looksAlike(known.facts.source, source)) await show(key)
    },
    removeSource(key) {
      entries.delete(key)
      manifests.remove(key)
      statuses.remove(key)
    },
    sourcesSynced() {
      synced = true
    },
    setConnection(key, state) {
      const known = entries.get(key)
      if (known === undefined) return
      const connection = connectionOf(known, state, clock.now())
      if (connection !== known.facts.connection) put(key, { ...known, facts: { ...known.facts, connection } })
    },
    async setSnapshot(key, snapshot, { gone } = { gone: [] }) {
      const known = entries.get(key)
      if (known === undefined) return
      if (gone.length > 0) news.gone?.(known.facts.source, gone)
      const same = known.snapshot?.hash === snapshot.hash && !known.unshown
      entries.set(key, { ...known, snapshot, unshown: true })
      if (same) shown(key)
      else await show(key)
    },
    async setRecalled(key, snapshot) {
      const known = entries.get(key)
      if (known === undefined || known.snapshot !== undefined) return
      entries.set(key, { ...known, snapshot })
      await manifests.replace(known.facts.source, manifestsOf(snapshot, known.facts.source))
      const now = entries.get(key)
      if (now?.snapshot !== snapshot) return
      const failure = now.facts.failure ?? { since: clock.now(), reason: UNREAD_SINCE_START }
      put(key, { ...now, tried: true, facts: { ...now.facts, reading: readingOf(snapshot), failure } })
    },
    setFailure(key, reason) {
      const known = entries.get(key)
      if (known === undefined) return
      const since = known.facts.failure?.since ?? clock.now()
      put(key, { ...known, tried: true, facts: { ...known.facts, failure: { since, reason } } })
      news.failed?.(known.facts.source, reason)
    },
    facts: () => [...entries.values()].map(({ facts }) => facts),
    get synced() {
      return synced
    },
    settled(namespace) {
      if (clock.now() - begun >= LONGEST_UNSETTLED) return true
      if (!synced) return false
      for (const { facts, tried } of entries.values()) {
        const { source } = facts
        const seen = namespace === undefined || source.namespace === namespace || source.namespace === globalNamespace
        if (seen && !tried && source.address !== undefined) return false
      }
      return true
    },
  }
}

function connectionOf(known: Entry | undefined, state: string, now: number): CatalogFacts['connection'] {
  return known?.facts.connection.state === state ? known.facts.connection : { state, since: now }
}

/** Whether manifests made for the one are those of the other: an address does not show. */
function looksAlike(a: CatalogSource, b: CatalogSource): boolean {
  return JSON.stringify({ ...a, address: '' }) === JSON.stringify({ ...b, address: '' })
}

function readingOf(snapshot: Snapshot): CatalogReadingFacts {
  const shown = snapshot.packages.filter(({ channels }) => channels.length > 0)
  const leftOut: readonly LeftOut[] = snapshot.leftOut
  return {
    readAt: snapshot.readAt,
    packages: shown.length,
    channels: shown.reduce((sum, { channels }) => sum + channels.length, 0),
    bytes: snapshot.bytes,
    leftOut,
  }
}

/** Made one by one as they are taken, so that none but one need be in memory. */
function* manifestsOf(snapshot: Snapshot, source: CatalogSource): Iterable<ManifestWithIcon> {
  for (const content of snapshot.packages) {
    const made = toPackageManifest(content, source)
    if (made !== undefined) yield made
  }
}
