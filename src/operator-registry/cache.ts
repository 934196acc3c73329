// Whether a catalog is taken from a cache file or loaded from its folder anew, and whether a cache file is made of it.
// A cache is used only where it was made of exactly this folder's bytes and is whole: never served wrong.
import { chmod, open, rm } from 'node:fs/promises'
import { OlmError, reasonOf } from '../errors.ts'
import { madeFolder } from '../made-folder.ts'
import { accessReason } from './access-reason.ts'
import { cacheFolder, cachePath, inspectCacheFolder, sweepCacheFolder } from './cache-folder.ts'
import { moveIntoPlace, openCatalogFile, temporaryName } from './catalog-file.ts'
import { digestFolder } from './folder-digest.ts'
import { type HeldCatalog, type Holding, heldFile, holdInFile } from './held-catalog.ts'

export interface CachePolicy {
  readonly directory: string
  /** `explicit`: no cache, or one that does not match, is refused. `implied`: one that does not match is. `off`: neither. */
  readonly integrity: 'explicit' | 'implied' | 'off'
  /** Fail where no cache file can be written, rather than do without. */
  readonly mustWrite: boolean
}

/** Fails with CACHE_INTEGRITY, CACHE_UNUSABLE or CACHE_UNWRITABLE where the policy says so. */
export async function holdThroughCache(catalog: string, policy: CachePolicy, holding: Holding): Promise<HeldCatalog> {
  const digest = await digestFolder(catalog, holding.signal)
  const cached = await fromCache(catalog, digest, policy, holding)
  if (cached !== undefined) return cached
  const { directory } = policy
  try {
    await openFolder(cacheFolder(directory))
    return await intoCache(catalog, digest, directory, holding)
  } catch (thrown) {
    const unwritable = thrown instanceof OlmError && thrown.code === 'CACHE_UNWRITABLE'
    if (!unwritable || policy.mustWrite) throw thrown
    holding.log.warn({ cache: directory, reason: thrown.message }, 'cache cannot be written: doing without')
    return await holdInFile(catalog, holding)
  }
}

/** The cache file of exactly this folder, if there is one and it is whole. */
async function fromCache(
  catalog: string,
  digest: string,
  policy: CachePolicy,
  { log, signal }: Holding,
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

/** Loads into a file beside its place in the cache; it gets that place if the catalog is sound and was not changed meanwhile. */
async function intoCache(catalog: string, digest: string, directory: string, holding: Holding): Promise<HeldCatalog> {
  const path = temporaryName(cachePath(directory, digest))
  try {
    const report = await holding.intoFile(catalog, { path, digest }, holding)
    const sound = report.faults.length === 0 && (await digestFolder(catalog, holding.signal)) === digest
    if (!sound) return await heldFile(path, digest, report, holding.signal)
    await moveIntoPlace(path, cachePath(directory, digest))
    await sweepCacheFolder(directory, digest, holding.now)
    return await heldFile(cachePath(directory, digest), digest, report, holding.signal)
  } finally {
    await rm(path, { force: true })
  }
}

/** Makes the folder if need be, and tries whether it can be written to: better known before a long loading than after. */
async function openFolder(folder: string): Promise<void> {
  try {
    await madeFolder(folder)
    // OpenShift starts the next container under another user number and group 0. The folder may be another user's already.
    await chmod(folder, 0o770).catch(() => undefined)
    const probe = temporaryName(`${folder}/probe`)
    await (await open(probe, 'wx')).close()
    await rm(probe)
  } catch (thrown) {
    const reason = await accessReason(folder, thrown)
    throw new OlmError('CACHE_UNWRITABLE', { directory: folder, reason }, { cause: thrown })
  }
}
