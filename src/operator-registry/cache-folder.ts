// What lies in the folder that --cache-dir names: files of this program, files of the reference registry, or neither.
import { readdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** Everything of this program lies under one name, so that a folder can be shared with the reference registry's cache. */
const FOLDER = 'olm-registry.v1'
const SUFFIX = '.catalog'
/** A file still being written is younger than this; an older one was left by a writer that was killed. Milliseconds. */
const LEFT_BEHIND_MS = 10 * 60 * 1000

export interface CacheFolderContent {
  /** Digests of catalogs that there are files of, sorted. */
  readonly digests: readonly string[]
  /** Name of the format in which the reference registry left a cache here, if it did. */
  readonly foreign: string | undefined
}

export function cacheFolder(directory: string): string {
  return join(directory, FOLDER)
}

export function cachePath(directory: string, digest: string): string {
  return join(directory, FOLDER, `${digest}${SUFFIX}`)
}

/** A folder that does not exist is empty; one that cannot be read fails with the system's error. */
export async function inspectCacheFolder(directory: string): Promise<CacheFolderContent> {
  const names = new Set(await namesIn(directory))
  const own = names.has(FOLDER) ? await namesIn(cacheFolder(directory)) : []
  const digests = own.filter((name) => name.endsWith(SUFFIX)).map((name) => basename(name, SUFFIX))
  const foreign = names.has('pogreb.v1') ? 'pogreb.v1' : names.has('cache') && names.has('digest') ? 'json' : undefined
  return { digests: digests.sort(), foreign }
}

/** Removes what earlier catalogs and killed writers left; what cannot be removed stays. */
export async function sweepCacheFolder(directory: string, keepDigest: string, now: () => number): Promise<void> {
  const folder = cacheFolder(directory)
  for (const name of await namesIn(folder)) {
    if (name === `${keepDigest}${SUFFIX}`) continue
    const path = join(folder, name)
    if (name.endsWith('.tmp') && now() - (await modifiedAt(path)) < LEFT_BEHIND_MS) continue
    if (name.endsWith(SUFFIX) || name.endsWith('.tmp')) await rm(path, { force: true }).catch(() => undefined)
  }
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory)
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return []
    throw thrown
  }
}

async function modifiedAt(path: string): Promise<number> {
  const facts = await stat(path).catch(() => undefined)
  return facts?.mtimeMs ?? Number.POSITIVE_INFINITY
}
