// From the cache flags to what they mean, the defaults of one depending on the others as the reference program has it. Pure.
import { usageError } from '../command-line/command-line.ts'
import type { CachePolicy } from './cache.ts'

export interface CacheFlags {
  readonly cacheDir: string
  readonly cacheOnly: boolean
  readonly cacheEnforceIntegrity: boolean
  readonly watch: boolean
}

/** Undefined: no cache. `given`: names of the flags that stood on the command line. Throws USAGE. */
export function cachePolicy(flags: CacheFlags, given: ReadonlySet<string>): CachePolicy | undefined {
  const { cacheDir, cacheOnly, cacheEnforceIntegrity, watch } = flags
  if (cacheDir === '' && cacheEnforceIntegrity) {
    throw usageError('operator-registry serve', '--cache-dir must be specified with --cache-enforce-integrity')
  }
  if (cacheDir === '') return undefined
  return { directory: cacheDir, integrity: integrity(), mustWrite: cacheOnly }

  function integrity(): CachePolicy['integrity'] {
    if (given.has('cache-enforce-integrity')) return cacheEnforceIntegrity ? 'explicit' : 'off'
    // A folder that is followed changes by itself: its cache is expected to lag behind.
    return cacheOnly || watch ? 'off' : 'implied'
  }
}
