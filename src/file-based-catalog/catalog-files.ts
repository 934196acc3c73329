// Which files make up a catalog: every file of the folder and its sub-folders, but those that `.indexignore` names and the
// kubelet's own entries (`..data` and the like). Links are followed within the folder only. Opens nothing but `.indexignore`.
import type { Dirent } from 'node:fs'
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { OlmError, reasonOf } from '../errors.ts'
import { createIgnoreRules, type IgnoreRules } from './ignore-rules.ts'
import { isSqliteFile } from './sqlite-file.ts'

export interface CatalogFile {
  /** Within the folder, `/` between names; odd bytes shown as U+FFFD. */
  readonly path: string
  /** Bytes of the name, as the file system has it. */
  readonly location: Buffer
}

/** An entry that cannot be part of a catalog. */
export interface RefusedEntry {
  readonly path: string
  readonly rule: 'file-unreadable' | 'link-refused' | 'file-type-refused'
  readonly reason: string
  /** The reference program's words, as far as it has any. */
  readonly reference: string
}

export interface CatalogFiles {
  /** By path, in byte order folder by folder. */
  readonly files: readonly CatalogFile[]
  readonly refused: readonly RefusedEntry[]
}

interface Walk {
  readonly root: Buffer
  readonly rules: IgnoreRules
  readonly found: (CatalogFile & { readonly refusal: RefusedEntry | undefined })[]
  readonly signal: AbortSignal
  readonly maxFiles: number
}

const IGNORE_FILE = '.indexignore'
const SLASH = Buffer.from('/')

/** Throws OlmError FILE_UNREADABLE where the folder itself cannot be read. */
export async function listCatalogFiles(
  directory: string,
  options: { readonly signal: AbortSignal; readonly maxFiles: number },
): Promise<CatalogFiles> {
  const root = await realFolder(directory)
  const walk: Walk = { root, rules: createIgnoreRules(), found: [], ...options }
  await walkFolder(walk, root, '', new Set([root.toString('latin1')])).catch((thrown: unknown) => {
    if (thrown instanceof OlmError || options.signal.aborted) throw thrown
    throw new OlmError('FILE_UNREADABLE', { file: directory, reason: reasonOf(thrown) }, { cause: thrown })
  })
  const kept = walk.found.filter(({ path }) => !walk.rules.ignores(path))
  return {
    files: kept.filter(({ refusal }) => refusal === undefined).map(({ path, location }) => ({ path, location })),
    refused: kept.map(({ refusal }) => refusal).filter((refusal) => refusal !== undefined),
  }
}

const SQLITE = 'is an SQLite catalog, which is served no more: opm migrate makes a folder of files of it'

async function realFolder(directory: string): Promise<Buffer> {
  let reason = 'is not a directory'
  try {
    const root = await realpath(Buffer.from(directory), 'buffer')
    const status = await stat(root)
    if (status.isDirectory()) return root
    if (status.isFile() && (await isSqliteFile(root))) reason = SQLITE
  } catch (thrown) {
    throw new OlmError('FILE_UNREADABLE', { file: directory, reason: plainReason(thrown) }, { cause: thrown })
  }
  throw new OlmError('FILE_UNREADABLE', { file: directory, reason })
}

/** `open` holds the real paths of the folders on the way here, against links in a circle. */
async function walkFolder(walk: Walk, folder: Buffer, prefix: string, open: ReadonlySet<string>): Promise<void> {
  walk.signal.throwIfAborted()
  const entries = await readdir(folder, { encoding: 'buffer', withFileTypes: true })
  entries.sort((left, right) => Buffer.compare(left.name, right.name))
  for (const entry of entries) {
    const name = entry.name.toString()
    if (prefix === '' && name.startsWith('..')) continue
    const path = prefix === '' ? name : `${prefix}/${name}`
    const location = Buffer.concat([folder, SLASH, entry.name])
    if (entry.isSymbolicLink()) await walkLink(walk, location, path, name, open)
    else await walkEntry(walk, entry, location, path, name, open)
  }
}

async function walkEntry(
  walk: Walk,
  entry: Pick<Dirent<Buffer>, 'isFile' | 'isDirectory'>,
  location: Buffer,
  path: string,
  name: string,
  open: ReadonlySet<string>,
): Promise<void> {
  if (entry.isDirectory()) {
    await walkFolder(walk, location, path, open).catch((thrown: unknown) => {
      if (thrown instanceof OlmError || walk.signal.aborted) throw thrown
      refuse(walk, path, 'file-unreadable', plainReason(thrown))
    })
  } else if (!entry.isFile()) {
    refuse(walk, path, 'file-type-refused', 'is neither a file nor a folder')
  } else if (name === IGNORE_FILE) {
    walk.rules.add(path.slice(0, -IGNORE_FILE.length - 1), await readFile(location, 'utf8'))
  } else {
    add(walk, { path, location, refusal: undefined })
  }
}

async function walkLink(
  walk: Walk,
  location: Buffer,
  path: string,
  name: string,
  open: ReadonlySet<string>,
): Promise<void> {
  let target: Buffer
  try {
    target = await realpath(location, 'buffer')
  } catch (thrown) {
    refuse(walk, path, 'file-unreadable', plainReason(thrown))
    return
  }
  const inside = insideOf(walk.root, target)
  if (inside === undefined) {
    refuse(walk, path, 'link-refused', 'is a link to something outside of the folder')
    return
  }
  const status = await stat(target)
  if (!status.isDirectory()) return await walkEntry(walk, status as unknown as Dirent<Buffer>, target, path, name, open)
  // A link to a folder would read its files twice, but where it leads into an entry that is skipped (the kubelet's).
  const key = target.toString('latin1')
  if (!inside.startsWith('..') || open.has(key)) {
    refuse(walk, path, 'link-refused', 'is a directory')
    return
  }
  await walkFolder(walk, target, path, new Set([...open, key]))
}

/** The path within the root; undefined outside of it. */
function insideOf(root: Buffer, target: Buffer): string | undefined {
  if (target.equals(root)) return ''
  const base = root.equals(SLASH) ? root : Buffer.concat([root, SLASH])
  return target.subarray(0, base.length).equals(base) ? target.subarray(base.length).toString() : undefined
}

function refuse(walk: Walk, path: string, rule: RefusedEntry['rule'], reason: string): void {
  const reference = reason === 'is a directory' ? `read ${path}: is a directory` : `open ${path}: ${reason}`
  add(walk, { path, location: Buffer.alloc(0), refusal: { path, rule, reason, reference } })
}

function add(walk: Walk, file: Walk['found'][number]): void {
  if (walk.found.length >= walk.maxFiles) {
    const reason = `holds more than ${walk.maxFiles} files`
    throw new OlmError('FILE_UNREADABLE', { file: walk.root.toString(), reason })
  }
  walk.found.push(file)
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  ELOOP: 'too many levels of symbolic links',
  ENOTDIR: 'not a directory',
  EISDIR: 'is a directory',
}

/** Without the system call and the path, which the message names already. */
export function plainReason(thrown: unknown): string {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
  return REASONS[code] ?? reasonOf(thrown)
}
