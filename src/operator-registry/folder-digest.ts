// One digest of all that lies in a catalog's folder: paths, links and bytes of every file. Two folders with one digest
// hold the same catalog. Reads by slices and never holds a file whole.
import { createHash, type Hash } from 'node:crypto'
import { open, readdir, readlink, stat } from 'node:fs/promises'
import { join } from 'node:path'

const SLICE_BYTES = 1024 * 1024

/** Hexadecimal SHA-256. Entries at the top whose names begin with `..` do not count: kubelet's own. */
export async function digestFolder(directory: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  const slice = Buffer.allocUnsafe(SLICE_BYTES)
  await digestEntries(directory, '', hash, slice, signal)
  return hash.digest('hex')
}

async function digestEntries(
  directory: string,
  prefix: string,
  hash: Hash,
  slice: Buffer,
  signal: AbortSignal,
): Promise<void> {
  const entries = await readdir(join(directory, prefix), { withFileTypes: true })
  entries.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))
  for (const entry of entries) {
    if (prefix === '' && entry.name.startsWith('..')) continue
    const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`
    if (entry.isDirectory()) {
      await digestEntries(directory, path, hash, slice, signal)
      continue
    }
    const link = entry.isSymbolicLink() ? await readlink(join(directory, path)) : ''
    const bytes = await digestFile(join(directory, path), slice, signal)
    hash.update(JSON.stringify([path, link, bytes]))
  }
}

/** A file's own digest, so that no file's bytes can pass for another's name; `""` for what is no regular file. */
async function digestFile(path: string, slice: Buffer, signal: AbortSignal): Promise<string> {
  // Opening a pipe would wait for its writer.
  if (!(await stat(path)).isFile()) return ''
  const file = await open(path, 'r')
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
