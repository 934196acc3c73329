// Whether a catalog is taken from a cache file or loaded from its folder anew, and whether a cache file is made of it.
// A cache is used only where it was made of exactly this folder's bytes and is whole: never served wrong.
import { chmod, mkdir } from 'node:fs/promises'
import { OlmError, reasonOf } from '../errors.ts'
import type { Fault } from '../file-based-catalog/fault.ts'
import type { LoadCatalog } from '../file-based-catalog/load-catalog.ts'
import type { PackageIndex } from '../file-based-catalog/package-index.ts'
import type { Logger } from '../log.ts'
import { accessReason } from './access-reason.ts'
import { cacheFolder, cachePath, inspectCacheFolder, sweepCacheFolder } from './cache-folder.ts'
import { openCatalogFile, writeCatalogFile } from './catalog-file.ts'
import { digestFolder } from './folder-digest.ts'

export interface CachePolicy {
  readonly directory: string
  /** `explicit`: no cache, or one that does not match, is refused. `implied`: one that does not match is. `off`: neither. */
  readonly integrity: 'explicit' | 'implied' | 'off'
  /** Fail where no cache file can be written, rather than do without. */
  readonly mustWrite: boolean
}

export interface HeldCatalog {
  readonly index: PackageIndex
  readonly from: 'cache' | 'files'
  readonly faults: readonly Fault[]
  /** The reference program's error; undefined where it accepts the catalog. */
  readonly error: string | undefined
  readonly files: number
  readonly bytes: number
  /** Gives up whatever the index's texts lie in. */
  close(): Promise<void>
}

export interface CacheContext {
  readonly load: LoadCatalog
  readonly log: Logger
  readonly signal: AbortSignal
  readonly now: () => number
}

/** Fails with CACHE_INTEGRITY, CACHE_UNUSABLE or CACHE_UNWRITABLE where the policy says so. */
export async function holdThroughCache(
  catalog: string,
  policy: CachePolicy,
  context: CacheContext,
): Promise<HeldCatalog> {
  const digest = await digestFolder(catalog, context.signal)
  const cached = await fromCache(catalog, digest, policy, context)
  if (cached !== undefined) return cached
  const held = await holdFromFiles(catalog, context)
  if (held.faults.length > 0) return held
  try {
    return await intoCache(held, digest, policy, context)
  } catch (thrown) {
    const { directory } = policy
    const reason = await accessReason(cacheFolder(directory), thrown)
    if (policy.mustWrite) throw new OlmError('CACHE_UNWRITABLE', { directory, reason }, { cause: thrown })
    context.log.warn({ cache: directory, reason }, 'cache cannot be written: the catalog is held in memory')
    return held
  }
}

export async function holdFromFiles(catalog: string, context: CacheContext): Promise<HeldCatalog> {
  const { index, files, bytes, ...loaded } = await context.load(catalog, context)
  const faults = [...loaded.faults, ...loaded.servingFaults]
  const error = loaded.error ?? loaded.servingFaults[0]?.reference
  return { index, from: 'files', faults, error, files, bytes, close: async () => undefined }
}

async function fromCache(
  catalog: string,
  digest: string,
  policy: CachePolicy,
  { log, signal }: CacheContext,
): Promise<HeldCatalog | undefined> {
  const { directory } = policy
  const { digests, foreign } = await inspectCacheFolder(directory).catch(async (thrown: unknown) => {
    const reason = await accessReason(directory, thrown)
    if (policy.integrity !== 'off') throw new OlmError('CACHE_UNUSABLE', { file: directory, reason }, { cause: thrown })
    log.warn({ cache: directory, reason }, 'cache cannot be read')
    return { digests: [], foreign: undefined }
  })
  const existing = digests.find((name) => name === digest) ?? digests[0]
  if (existing !== digest) {
    const found = existing ?? (foreign === undefined ? 'none' : `none of its own, but one in the format ${foreign}`)
    const refused = policy.integrity === 'explicit' || (policy.integrity === 'implied' && existing !== undefined)
    if (refused) throw new OlmError('CACHE_INTEGRITY', { directory, catalog, existing: found, computed: digest })
    log.warn(
      { cache: directory, existing: found, computed: digest },
      'no cache of this catalog: loading from its files',
    )
    return undefined
  }
  try {
    const { index, facts, close } = await openCatalogFile(cachePath(directory, digest), digest, signal)
    return { index, from: 'cache', faults: [], error: undefined, files: facts.files, bytes: facts.bytes, close }
  } catch (thrown) {
    if (policy.integrity !== 'off' || signal.aborted) throw thrown
    log.warn({ reason: reasonOf(thrown), computed: digest }, 'cache cannot be used: loading from the files')
    return undefined
  }
}

async function intoCache(
  held: HeldCatalog,
  digest: string,
  policy: CachePolicy,
  { signal, now }: CacheContext,
): Promise<HeldCatalog> {
  const path = cachePath(policy.directory, digest)
  await mkdir(cacheFolder(policy.directory), { recursive: true })
  // OpenShift starts the next container under another user number and group 0. The folder may be another user's already.
  await chmod(cacheFolder(policy.directory), 0o770).catch(() => undefined)
  await writeCatalogFile(path, held.index, { digest, files: held.files, bytes: held.bytes })
  await sweepCacheFolder(policy.directory, digest, now)
  const { index, close } = await openCatalogFile(path, digest, signal)
  await held.close()
  return { ...held, index, close }
}
