// One digest of all that makes up a catalog: name and bytes of every file that loading would read, wherever links lead to
// it. Two folders with one digest hold the same catalog. Reads by slices and never holds a file whole.
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { listCatalogFiles } from '../file-based-catalog/catalog-files.ts'
import { DEFAULT_LIMITS } from '../file-based-catalog/load-catalog.ts'

const SLICE_BYTES = 1024 * 1024

/**
 * Hexadecimal SHA-256. What cannot be read counts by its name and reason: loading tells of it, and never is such a
 * catalog cached. Throws OlmError FILE_UNREADABLE where the folder itself cannot be read.
 */
export async function digestFolder(directory: string, signal: AbortSignal): Promise<string> {
  const { files, refused } = await listCatalogFiles(directory, { signal, maxFiles: DEFAULT_LIMITS.files })
  const hash = createHash('sha256')
  const slice = Buffer.allocUnsafe(SLICE_BYTES)
  for (const { path, location } of files) hash.update(JSON.stringify([path, await digestFile(location, slice, signal)]))
  for (const { path, rule, reason } of refused) hash.update(JSON.stringify([path, rule, reason]))
  return hash.digest('hex')
}

/** A file's own digest, so that no file's bytes can pass for another's name; `""` for what cannot be read. */
async function digestFile(location: Buffer, slice: Buffer, signal: AbortSignal): Promise<string> {
  const file = await open(location, 'r').catch(() => undefined)
  if (file === undefined) return ''
  try {
    const hash = createHash('sha256')
    for (;;) {
      signal.throwIfAborted()
      const { bytesRead } = await file.read(slice, 0, slice.length)
      if (bytesRead === 0) return hash.digest('hex')
      hash.update(slice.subarray(0, bytesRead))
    }
  } finally {
    await file.close()
  }
}
