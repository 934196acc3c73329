// The folder where the standalone server keeps its certificates and the kubeconfig between starts. Keys are readable by
// their owner alone; a file is replaced in one step, never seen half-written.
import { randomUUID } from 'node:crypto'
import { chmod, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { KeyPair } from '../certificates/issue.ts'
import { fileReasonOf, OlmError } from '../errors.ts'
import { madeFolder } from '../made-folder.ts'
import {
  completeIdentity,
  type FoundIdentity,
  type Identity,
  type IdentityNeeds,
  judgeIdentity,
  MISSING,
} from './identity.ts'

const KEY_MODE = 0o600
const CERTIFICATE_MODE = 0o644
const FOLDER_MODE = 0o700

/** File names without `.crt` and `.key`. */
const FILES = { authority: 'ca', serving: 'serving', client: 'client' } as const satisfies Record<
  keyof Identity,
  string
>
const PARTS = ['authority', 'serving', 'client'] as const satisfies readonly (keyof Identity)[]

export interface OpenedIdentity {
  readonly identity: Identity
  /** A line for people about each certificate that was found and had to be made anew. */
  readonly renewed: readonly string[]
}

/** Reads the certificates, makes those that are missing or not good any more. Fails with FILE_UNREADABLE. */
export async function openIdentity(folder: string, needs: IdentityNeeds): Promise<OpenedIdentity> {
  await makeFolder(folder)
  const found: FoundIdentity = {
    authority: await readPair(folder, FILES.authority),
    serving: await readPair(folder, FILES.serving),
    client: await readPair(folder, FILES.client),
  }
  const judgement = judgeIdentity(found, needs)
  const identity = await completeIdentity(found, judgement, needs)
  const renewed: string[] = []
  for (const part of PARTS) {
    const reason = judgement[part]
    if (reason === undefined) continue
    await writePair(folder, FILES[part], identity[part])
    if (reason !== MISSING) renewed.push(`${join(folder, `${FILES[part]}.crt`)} made anew: ${reason}`)
  }
  return { identity, renewed }
}

/** Writes the kubeconfig where it differs, and answers its path. Fails with FILE_UNREADABLE. */
export async function writeKubeconfig(folder: string, text: string): Promise<string> {
  const file = join(folder, 'kubeconfig')
  if ((await readOptional(file, KEY_MODE)) !== text) await replaceFile(file, text, KEY_MODE)
  return file
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await madeFolder(folder, FOLDER_MODE)
  } catch (thrown) {
    throw unusable(folder, thrown)
  }
}

async function readPair(folder: string, name: string): Promise<KeyPair | undefined> {
  const certificate = await readOptional(join(folder, `${name}.crt`), CERTIFICATE_MODE)
  const key = await readOptional(join(folder, `${name}.key`), KEY_MODE)
  return certificate === undefined || key === undefined ? undefined : { certificate, key }
}

/** The key first: a certificate without its key would be made anew, a key without its certificate is only overwritten. */
async function writePair(folder: string, name: string, pair: KeyPair): Promise<void> {
  await replaceFile(join(folder, `${name}.key`), pair.key, KEY_MODE)
  await replaceFile(join(folder, `${name}.crt`), pair.certificate, CERTIFICATE_MODE)
}

/** Undefined where there is no such file. Takes away the rights that others have beyond `mode`. */
async function readOptional(file: string, mode: number): Promise<string | undefined> {
  try {
    const text = await readFile(file, 'utf8')
    const facts = await stat(file)
    if ((facts.mode & 0o777 & ~mode) !== 0) await chmod(file, mode)
    return text
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unusable(file, thrown)
  }
}

async function replaceFile(file: string, text: string, mode: number): Promise<void> {
  const draft = `${file}.${randomUUID()}.tmp`
  try {
    await writeFile(draft, text, { mode })
    await rename(draft, file)
  } catch (thrown) {
    throw unusable(file, thrown)
  }
}

function unusable(file: string, thrown: unknown): OlmError {
  const reason = `${fileReasonOf(thrown)}: choose another folder with --data-dir`
  return new OlmError('FILE_UNREADABLE', { file, reason }, { cause: thrown })
}
