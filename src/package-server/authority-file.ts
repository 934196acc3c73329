// A bundle of authorities in a file, read again when it changes. A version that does not decode is not taken: the one before
// stays, and the reason is said once.
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileReasonOf, OlmError, reasonOf } from '../errors.ts'
import { watchFolder } from '../folder-watch.ts'
import type { Logger } from '../log.ts'
import { clientAuthorities } from './client-authorities.ts'

export interface AuthorityFileOptions {
  readonly file: string
  readonly log: Logger
  /** Called with each version's text. A throw means that it does not decode. */
  readonly onBundle: (bundle: string) => void
}

/** Fails with FILE_UNREADABLE where one of them cannot be used. `""`: none was named. */
export async function checkAuthorityFiles(files: readonly string[]): Promise<void> {
  for (const file of files.filter((name) => name !== '')) await readBundle(file, clientAuthorities)
}

/** Fails with FILE_UNREADABLE where the first version cannot be used; hands back what ends the watching. */
export async function followAuthorityFile({ file, log, onBundle }: AuthorityFileOptions): Promise<() => void> {
  let fault: string | undefined
  let last = await readBundle(file, onBundle)

  async function again(): Promise<void> {
    try {
      const bundle = await readBundle(file, (text) => (text === last ? undefined : onBundle(text)))
      if (bundle !== last || fault !== undefined) log.info({ file }, 'authorities read again')
      last = bundle
      fault = undefined
    } catch (error) {
      const reason = reasonOf(error)
      if (reason !== fault) log.warn({ reason }, 'authorities not taken; those before stay')
      fault = reason
    }
  }

  const watch = watchFolder(dirname(file), { depth: 1, onChange: again })
  await watch.ready
  return () => watch.close()
}

/** `decode` throws where the text is no bundle. */
async function readBundle(file: string, decode: (bundle: string) => unknown): Promise<string> {
  const bundle = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new OlmError('FILE_UNREADABLE', { file, reason: fileReasonOf(error) }, { cause: error })
  })
  try {
    decode(bundle)
  } catch (error) {
    const reason = `holds no authorities (PEM): ${reasonOf(error)}`
    throw new OlmError('FILE_UNREADABLE', { file, reason }, { cause: error })
  }
  return bundle
}
