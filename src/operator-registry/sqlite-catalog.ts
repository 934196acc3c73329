// Catalogs of the old kind are one SQLite database. They are deprecated and not served here: whoever tries is told the way.
import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The first bytes of every such database. See "Database Header" in the file format of SQLite. */
const HEADER = 'SQLite format 3\0'

/** A sentence about a folder with such a database at its top; undefined for every other path. */
export async function sqliteHint(directory: string): Promise<string | undefined> {
  for (const file of await filesAt(directory)) {
    if (!(await isDatabase(file))) continue
    return `${file} is an SQLite database: such catalogs are deprecated and not served: turn it into files with "opm migrate IMAGE DIR" and serve DIR`
  }
  return undefined
}

async function filesAt(directory: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map((entry) => join(directory, entry.name))
  } catch {
    return []
  }
}

async function isDatabase(path: string): Promise<boolean> {
  try {
    if (!(await stat(path)).isFile()) return false
    const file = await open(path, 'r')
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER.length), 0, HEADER.length, 0)
      return bytesRead === HEADER.length && buffer.toString('latin1') === HEADER
    } finally {
      await file.close()
    }
  } catch {
    return false
  }
}
