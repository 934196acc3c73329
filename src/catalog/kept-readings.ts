// The last good reading of each catalog on disk, so that a process that starts again has lists before any registry answers. Receives
// readings, hands on what was kept of the same namespace, name, uid and address. A disk that fails costs a line of the log.
import { hash } from 'node:crypto'
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type CatalogKey, type CatalogSource, catalogKey } from '../api/catalog-source.ts'
import { fileReasonOf } from '../errors.ts'
import type { Logger } from '../log.ts'
import { madeFolder } from '../made-folder.ts'
import type { Clock } from './clock.ts'
import { readKeptBody, writeDraft, writeKeptBody } from './kept-body.ts'
import { decodeKeptHeader, encodeKeptHeader, headerMismatch, type KeptHeader, keptHeader } from './kept-header.ts'
import type { Snapshot, SnapshotPackage } from './snapshot.ts'

export interface KeptReadings {
  /** What was kept of this catalog; undefined: nothing, or nothing that counts. Never rejects. */
  recall(source: CatalogSource): Promise<Snapshot | undefined>
  /** Keeps this reading instead of the one before, sooner or later. */
  keep(source: CatalogSource, snapshot: Snapshot): void
  /** The catalog is gone. */
  forget(key: CatalogKey): void
  /** These are all catalogs that there are: whatever was kept of others goes. */
  only(keys: Iterable<CatalogKey>): void
  /** Ends when what is to be kept is, or after some seconds. */
  close(): Promise<void>
}

export interface KeptReadingsOptions {
  readonly folder: string
  readonly clock: Pick<Clock, 'now' | 'after' | 'monotonic'>
  readonly log: Logger
  readonly limits?: Partial<KeptLimits>
}

export interface KeptLimits {
  /** Of one catalog. A larger one is not kept. */
  readonly mostBytes: number
  /** Of all together. What no longer fits is not kept. */
  readonly mostTotalBytes: number
}

const LIMITS: KeptLimits = { mostBytes: 256 * 1024 * 1024, mostTotalBytes: 1024 * 1024 * 1024 }
const LONGEST_CLOSE_MS = 5000
const OURS = /^([0-9a-f]{32})\.(reading|[0-9a-f]{64}\.packages|tmp)$/

interface Kept {
  /** Of the snapshot that the file of packages holds. */
  readonly hash: string
  readonly body: Pick<KeptHeader, 'body' | 'bodyBytes'>
}

export function createKeptReadings({ folder, clock, log, limits }: KeptReadingsOptions): KeptReadings {
  const { mostBytes, mostTotalBytes } = { ...LIMITS, ...limits }
  const kept = new Map<CatalogKey, Kept>()
  const waiting = new Map<CatalogKey, () => Promise<void>>()
  const trouble = new Map<CatalogKey, string>()
  let working: Promise<void> | undefined
  let doing: CatalogKey | undefined
  let recalled: Promise<unknown> = Promise.resolve()
  let closed = false

  const stemOf = (key: CatalogKey) => hash('sha256', key, 'hex').slice(0, 32)
  const headerOf = (key: CatalogKey) => join(folder, `${stemOf(key)}.reading`)
  const bodyOf = (key: CatalogKey, body: string) => join(folder, `${stemOf(key)}.${body}.packages`)
  const draftOf = (key: CatalogKey) => join(folder, `${stemOf(key)}.tmp`)

  /** One after the other; of what waits for one catalog the latest alone is done. */
  function later(key: CatalogKey, work: () => Promise<void>): void {
    if (closed) return
    waiting.set(key, work)
    working ??= drain().finally(() => {
      working = undefined
    })
  }

  async function drain(): Promise<void> {
    for (let next = first(waiting); next !== undefined; next = first(waiting)) {
      const [key, work] = next
      waiting.delete(key)
      doing = key
      try {
        await work()
        trouble.delete(key)
      } catch (error) {
        // What lies there now is not known: the next time everything is written.
        kept.delete(key)
        complain(key, fileReasonOf(error))
      }
      doing = undefined
    }
  }

  function complain(key: CatalogKey, reason: string): void {
    if (trouble.get(key) === reason) return
    trouble.set(key, reason)
    log.warn({ catalog: key, folder, reason }, 'the reading cannot be kept: after a restart this catalog is read anew')
  }

  async function write(source: CatalogSource, snapshot: Snapshot): Promise<void> {
    const key = catalogKey(source)
    const before = kept.get(key)
    const body = before?.hash === snapshot.hash ? before.body : await writeBody(key, snapshot.packages)
    const header = keptHeader(source, snapshot, body)
    if (header === undefined) return
    await writeDraft(draftOf(key), async (file) => void (await file.writeFile(encodeKeptHeader(header))))
    await rename(draftOf(key), headerOf(key))
    kept.set(key, { hash: snapshot.hash, body })
    if (before !== undefined && before.body.body !== body.body) await rm(bodyOf(key, before.body.body), { force: true })
  }

  async function writeBody(key: CatalogKey, packages: readonly SnapshotPackage[]): Promise<Kept['body']> {
    const others = [...kept].reduce((sum, [other, { body }]) => (other === key ? sum : sum + body.bodyBytes), 0)
    await madeFolder(folder, 0o700)
    const body = await writeKeptBody(draftOf(key), packages, Math.min(mostBytes, mostTotalBytes - others))
    await rename(draftOf(key), bodyOf(key, body.body))
    return body
  }

  async function read(source: CatalogSource): Promise<Snapshot | undefined> {
    const key = catalogKey(source)
    const header = decodeKeptHeader(await readFile(headerOf(key), 'utf8'))
    const mismatch = headerMismatch(header, source)
    if (mismatch !== undefined) throw new Error(mismatch)
    const path = bodyOf(key, header.body)
    const { size } = await stat(path)
    if (size !== header.bodyBytes || size > mostBytes) throw new Error(`its packages have ${size} bytes`)
    const packages = await readKeptBody(path, header, clock)
    kept.set(key, { hash: KEPT_HASH, body: { body: header.body, bodyBytes: header.bodyBytes } })
    const { leftOut, bytes } = header
    const readAt = Math.min(header.readAt, clock.now())
    return Object.freeze({ packages: Object.freeze(packages), leftOut, bytes, readAt, hash: KEPT_HASH })
  }

  async function remove(stems: (stem: string, name: string) => boolean): Promise<void> {
    for (const name of await readdir(folder)) {
      const stem = OURS.exec(name)?.[1]
      if (stem !== undefined && stems(stem, name)) await rm(join(folder, name), { force: true })
    }
  }

  async function readOrIgnore(source: CatalogSource): Promise<Snapshot | undefined> {
    const key = catalogKey(source)
    // What is about to be another is nothing that was kept.
    if (closed || source.address === undefined || doing === key || waiting.has(key)) return undefined
    try {
      return await read(source)
    } catch (error) {
      if (isMissing(error)) return undefined
      log.warn({ catalog: key, folder, reason: fileReasonOf(error) }, 'what was kept of this catalog is ignored')
      return undefined
    }
  }

  /** Leaves of these catalogs what their headers name, and nothing of others. */
  async function sweep(stems: ReadonlySet<string>): Promise<void> {
    const named = new Set<string>()
    for (const stem of stems) {
      const header = await readFile(join(folder, `${stem}.reading`), 'utf8')
        .then(decodeKeptHeader)
        .catch(() => undefined)
      if (header !== undefined) named.add(`${stem}.${header.body}.packages`)
    }
    await remove((stem, name) => !stems.has(stem) || !(named.has(name) || name.endsWith('.reading')))
  }

  return {
    recall(source) {
      const next = recalled.then(() => readOrIgnore(source))
      recalled = next
      return next
    },
    keep: (source, snapshot) => later(catalogKey(source), () => write(source, snapshot)),
    forget(key) {
      later(key, async () => {
        kept.delete(key)
        await remove((stem) => stem === stemOf(key)).catch(unlessMissing)
      })
    },
    only(keys) {
      const stems = new Set([...keys].map(stemOf))
      later('', () => sweep(stems).catch(unlessMissing))
    },
    async close() {
      closed = true
      if (working === undefined) return
      const bound = Promise.withResolvers<void>()
      const stop = clock.after(LONGEST_CLOSE_MS, bound.resolve)
      await Promise.race([working, bound.promise])
      stop()
    },
  }
}

/** Equal to no reading's: the first after a restart counts as news, whatever made what was kept. */
const KEPT_HASH = 'kept'

function first<K, V>(map: ReadonlyMap<K, V>): readonly [K, V] | undefined {
  for (const entry of map) return entry
  return undefined
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOENT' || code === 'ENOTDIR'
}

function unlessMissing(error: unknown): void {
  if (!isMissing(error)) throw error
}
