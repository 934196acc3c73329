// A folder that is to exist. Receives its path; makes it and what is missing above it, or fails with Node's own reason.
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Node's own `recursive` never returns where the system answers "no such file" for a folder that is there, as it does
 * below `/proc`: each step here is made once. Folders that are made get `mode`; those that are there keep theirs.
 */
export async function madeFolder(folder: string, mode = 0o777): Promise<void> {
  const reason = await make(folder, mode)
  if (reason === 'ENOENT' && dirname(folder) !== folder) {
    await madeFolder(dirname(folder), mode)
    await mkdir(folder, { mode }).catch((thrown: unknown) => unlessFolder(folder, thrown))
  }
}

/** The code of the one failure that a folder above may mend; undefined where the folder is there. */
async function make(folder: string, mode: number): Promise<'ENOENT' | undefined> {
  try {
    await mkdir(folder, { mode })
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return 'ENOENT'
    await unlessFolder(folder, thrown)
  }
  return undefined
}

async function unlessFolder(folder: string, thrown: unknown): Promise<void> {
  const there = await stat(folder).catch(() => undefined)
  if (there?.isDirectory() !== true) throw thrown
}
