// Catalogs of the time before file-based ones: SQLite databases. Only told apart, never read.
import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'

/** The first bytes of every SQLite 3 database (https://www.sqlite.org/fileformat.html, 1.3). */
const MAGIC = Buffer.from('SQLite format 3\0')

export function isSqlite(start: Buffer): boolean {
  return start.subarray(0, MAGIC.length).equals(MAGIC)
}

/** False also where the file cannot be read. */
export async function isSqliteFile(location: Buffer): Promise<boolean> {
  let file: FileHandle | undefined
  try {
    file = await open(location, 'r')
    const start = Buffer.alloc(MAGIC.length)
    await file.read(start, 0, start.length, 0)
    return isSqlite(start)
  } catch {
    return false
  } finally {
    await file?.close()
  }
}
