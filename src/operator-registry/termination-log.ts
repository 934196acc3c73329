// The file that kubelet reads when a container has ended: the last line says why. See "Determine the Reason for Pod Failure"
// in Kubernetes' documentation.
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

export interface TerminationLog {
  /** Resolves undefined, or the reason why nothing could be written: never a failure of its own. */
  write(reason: string): Promise<string | undefined>
}

/** `create`: make the file if it is not there. Without it, outside a container nothing is left behind in /dev. */
export function terminationLog(path: string, create: boolean): TerminationLog {
  const flags = constants.O_WRONLY | constants.O_TRUNC | (create ? constants.O_CREAT : 0)
  return {
    async write(reason) {
      if (path === '') return undefined
      try {
        const file = await open(path, flags, 0o644)
        try {
          await file.writeFile(`${reason}\n`)
        } finally {
          await file.close()
        }
        return undefined
      } catch (thrown) {
        const missing = thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT'
        return missing && !create ? undefined : String(thrown)
      }
    },
  }
}
