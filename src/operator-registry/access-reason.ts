// Why a path cannot be read or written, with what a person needs to mend it: who tries, and whose it is.
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { getuid } from 'node:process'
import { reasonOf } from '../errors.ts'

/** The system's own reason, then the nearest folder that exists with its owner and mode. */
export async function accessReason(path: string, thrown: unknown): Promise<string> {
  for (let folder = path; ; folder = dirname(folder)) {
    const facts = await stat(folder).catch(() => undefined)
    if (facts !== undefined) {
      const mode = (facts.mode & 0o7777).toString(8).padStart(4, '0')
      return `${reasonOf(thrown)}: user ${getuid?.()} tries, ${folder} is of user ${facts.uid} and group ${facts.gid} with mode ${mode}`
    }
    if (dirname(folder) === folder) return reasonOf(thrown)
  }
}
