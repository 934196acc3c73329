// Serves each sub-folder of a folder as a catalog of its own, over gRPC on loopback, and follows them: a sub-folder that
// comes is served, one that goes is closed, one that is broken is left out until it is mended. Hands on addresses.
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileReasonOf, OlmError, reasonOf } from '../errors.ts'
import type { Fault } from '../file-based-catalog/fault.ts'
import type { LoadCatalog } from '../file-based-catalog/load-catalog.ts'
import { watchFolder } from '../folder-watch.ts'
import type { Logger } from '../log.ts'
import type { LoadOutcome } from '../operator-registry/load-outcome.ts'
import { type OperatorRegistry, startOperatorRegistry } from '../operator-registry/operator-registry.ts'

export interface ServedCatalog {
  /** Name of the sub-folder. */
  readonly name: string
  /** `127.0.0.1:port`. */
  readonly address: string
  /** When the sub-folder was made; milliseconds since the epoch. */
  readonly since: number
  /** Grows with every content: the same number, the same content. */
  readonly edition: number
}

/** What became of one sub-folder, for people. */
export type FolderNews =
  | { readonly kind: 'loading'; readonly name: string }
  | { readonly kind: 'served'; readonly name: string; readonly packages: number }
  | { readonly kind: 'left out'; readonly name: string; readonly reasons: readonly string[] }
  | { readonly kind: 'removed'; readonly name: string }

/** Fails with FILE_UNREADABLE where the folder of catalogs cannot be read. */
export async function mustHoldCatalogs(directory: string): Promise<void> {
  await subFolders(directory)
}

export interface ServedCatalogsOptions {
  readonly directory: string
  readonly follow: boolean
  readonly load: LoadCatalog
  readonly log: Logger
  readonly onNews: (news: FolderNews) => void
  /** Called whenever the list differs from before. */
  readonly onChange: (catalogs: readonly ServedCatalog[]) => void
}

export interface ServedCatalogs {
  /** Ends when every sub-folder found at first was tried. */
  readonly first: Promise<void>
  close(): Promise<void>
}

/** More reasons than these nobody reads at a terminal. */
const MOST_REASONS = 20
const LOOPBACK = '127.0.0.1:0'

/** Fails with FILE_UNREADABLE where the folder cannot be read. */
export async function serveCatalogs(options: ServedCatalogsOptions): Promise<ServedCatalogs> {
  const { directory, onNews, onChange } = options
  const running = new Map<string, { readonly registry: OperatorRegistry; readonly since: number }>()
  const served = new Map<string, ServedCatalog>()
  /** Outcomes count in the order in which they came. */
  let settling: Promise<void> = Promise.resolve()
  let editions = 0
  let closed = false

  async function start(name: string): Promise<void> {
    onNews({ kind: 'loading', name })
    const { birthtimeMs, mtimeMs } = await stat(join(directory, name))
    const registry = await startOperatorRegistry({
      directory: join(directory, name),
      address: LOOPBACK,
      load: options.load,
      log: options.log.child({ catalog: name }),
      watch: options.follow,
      onOutcome(outcome) {
        settling = settling.then(() => settle(name, outcome))
      },
    })
    // Not every file system knows when a folder was made.
    running.set(name, { registry, since: birthtimeMs > 0 ? birthtimeMs : mtimeMs })
  }

  async function settle(name: string, outcome: LoadOutcome): Promise<void> {
    const own = running.get(name)
    if (outcome.kind === 'refused' && !(await isFolder(join(directory, name)))) {
      // It is gone: the look at the folder above says so, once.
      if (served.delete(name)) publish()
      return
    }
    if (own === undefined || running.get(name) !== own || closed) return
    if (outcome.kind === 'served') {
      served.set(name, { name, address: own.registry.address, since: own.since, edition: editions++ })
      onNews({ kind: 'served', name, packages: outcome.counts.packages })
    } else {
      served.delete(name)
      onNews({ kind: 'left out', name, reasons: reasonsOf(outcome) })
    }
    publish()
  }

  async function stop(name: string): Promise<void> {
    const own = running.get(name)
    running.delete(name)
    if (served.delete(name)) publish()
    await own?.registry.close(0)
  }

  function publish(): void {
    onChange([...served.values()].sort((a, b) => (a.name < b.name ? -1 : 1)))
  }

  async function look(): Promise<void> {
    const names = new Set(await subFolders(directory).catch(() => []))
    for (const name of running.keys()) {
      if (names.has(name)) continue
      onNews({ kind: 'removed', name })
      await stop(name)
    }
    const added = [...names].filter((name) => !running.has(name))
    await Promise.all(added.map((name) => start(name).catch((thrown: unknown) => refuse(name, thrown))))
  }

  function refuse(name: string, thrown: unknown): void {
    onNews({ kind: 'left out', name, reasons: [reasonOf(thrown)] })
  }

  const names = await subFolders(directory)
  const watch = options.follow ? watchFolder(directory, { depth: 0, onChange: look }) : undefined
  await Promise.all(names.map((name) => start(name)))
  return {
    first: Promise.all([...running.values()].map(({ registry }) => registry.first)).then(() => settling),
    async close() {
      closed = true
      watch?.close()
      await Promise.all([...running.keys()].map((name) => stop(name)))
    },
  }
}

/** Names of the folders directly in it, links to folders among them; hidden ones are nobody's catalog. */
async function subFolders(directory: string): Promise<readonly string[]> {
  try {
    const names = await readdir(directory)
    const folders = await Promise.all(names.map((name) => isFolder(join(directory, name))))
    return names.filter((name, index) => folders[index] === true && !name.startsWith('.')).sort()
  } catch (thrown) {
    throw new OlmError('FILE_UNREADABLE', { file: directory, reason: fileReasonOf(thrown) }, { cause: thrown })
  }
}

async function isFolder(path: string): Promise<boolean> {
  const facts = await stat(path).catch(() => undefined)
  return facts?.isDirectory() === true
}

function reasonsOf({ faults, error }: LoadOutcome & { readonly kind: 'refused' }): readonly string[] {
  if (faults.length === 0) return [error.message]
  const more = faults.length > MOST_REASONS ? [`… and ${faults.length - MOST_REASONS} more faults`] : []
  return [...faults.slice(0, MOST_REASONS).map(faultLine), ...more]
}

/** `file:line:column: message`, as compilers write it. */
export function faultLine({ file, line, column, message, remedy }: Fault): string {
  const place = [file, line, column].filter((part) => part !== undefined && part !== '').join(':')
  return `${place === '' ? '' : `${place}: `}${message}${remedy === '' ? '' : ` (${remedy})`}`
}
