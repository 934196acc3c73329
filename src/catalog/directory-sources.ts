// Catalogs from a directory of YAML and JSON files, watched. Receives its path, hands on the whole set. A file with a fault is
// named with line and reason; while it has one, what it held before counts. It costs no other file anything.
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { compareBytes } from '../api/byte-order.ts'
import { type CatalogKey, catalogKey } from '../api/catalog-source.ts'
import { fileReasonOf, OlmError, reasonOf } from '../errors.ts'
import { watchFolder } from '../folder-watch.ts'
import type { Logger } from '../log.ts'
import { type PlacedSource, parseCatalogSourceFile } from './catalog-source-file.ts'
import type { CatalogSources, NamedCatalog } from './catalog-sources.ts'

const NAMES = /^[^.].*\.(ya?ml|json)$/i
/** Larger files are not CatalogSources. Bytes. */
const LARGEST_FILE = 4 * 1024 * 1024

interface KnownFile {
  /** As last read without a fault; undefined where it never was. */
  readonly sources: readonly PlacedSource[] | undefined
  readonly fault: string | undefined
}

/** `start` fails with FILE_UNREADABLE where the directory cannot be read at first. Files in sub-folders do not count. */
export function directorySources(directory: string, log: Logger): CatalogSources {
  return {
    async start(signal, onChange) {
      await mustBeFolder(directory)
      const files = new Map<string, KnownFile>()
      const ignored = new Set<string>()

      async function read(names: readonly string[]): Promise<void> {
        for (const name of names) {
          const file = await readOne(join(directory, name))
          if (file === undefined) {
            if (files.delete(name)) log.info({ file: name }, 'file removed')
            continue
          }
          const before = files.get(name)
          if (file.fault !== undefined && file.fault !== before?.fault) {
            const kept = before?.sources === undefined ? 'skipped' : 'what it held before counts'
            log.warn({ file: name, reason: file.fault }, `file with a fault, ${kept}`)
          }
          if (file.fault === undefined && before?.fault !== undefined) log.info({ file: name }, 'file mended')
          files.set(name, { sources: file.sources ?? before?.sources, fault: file.fault })
        }
        if (!signal.aborted) onChange(together(files, ignored, log))
      }

      const watcher = watchFolder(directory, { depth: 0, onChange: (paths) => read(paths.filter(isWanted)) })
      signal.addEventListener('abort', () => watcher.close(), { once: true })
      await watcher.ready
      await read((await readdir(directory)).filter(isWanted).sort(compareBytes))
    },
  }
}

function isWanted(path: string): boolean {
  return !path.includes('/') && NAMES.test(path)
}

async function mustBeFolder(directory: string): Promise<void> {
  try {
    await readdir(directory)
  } catch (error) {
    throw new OlmError('FILE_UNREADABLE', { file: directory, reason: fileReasonOf(error) }, { cause: error })
  }
}

/** Undefined where there is no such file. */
async function readOne(path: string): Promise<KnownFile | undefined> {
  try {
    const facts = await stat(path)
    if (!facts.isFile()) return undefined
    if (facts.size > LARGEST_FILE) return { sources: undefined, fault: `larger than ${LARGEST_FILE} bytes` }
    const parsed = parseCatalogSourceFile(await readFile(path, 'utf8'))
    if (parsed.ok) return { sources: parsed.sources, fault: undefined }
    return { sources: undefined, fault: `line ${parsed.line}: ${parsed.reason}` }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    return { sources: undefined, fault: reasonOf(error) }
  }
}

/** The first by file name wins, within a file the first object. `ignored` holds what was reported already. */
function together(files: ReadonlyMap<string, KnownFile>, ignored: Set<string>, log: Logger) {
  const catalogs = new Map<CatalogKey, NamedCatalog>()
  const owners = new Map<CatalogKey, string>()
  const losers = new Set<string>()
  for (const [name, { sources }] of [...files].sort(([a], [b]) => compareBytes(a, b))) {
    for (const { source, touch, line } of sources ?? []) {
      const key = catalogKey(source)
      const owner = owners.get(key)
      if (owner === undefined) {
        owners.set(key, name)
        catalogs.set(key, { source, fault: undefined, touch })
        continue
      }
      const loser = `${name}:${line} ${key} ${owner}`
      losers.add(loser)
      if (!ignored.has(loser)) log.warn({ file: name, line, catalog: key, first: owner }, 'named before: ignored')
    }
  }
  ignored.clear()
  for (const loser of losers) ignored.add(loser)
  return catalogs
}
