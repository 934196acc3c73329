// Says that files under a folder changed: added, written, removed, renamed, or the folder itself swapped for another
// (kubelet's and git-sync's symlinks). Hands on paths, never reads a file. Follows the events of the file system, and
// looks by itself where there are none.
import { type FSWatcher, watch } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'

export interface FolderWatchOptions {
  /** Paths within the folder that are new, other or gone; those of folders end with `/`. Must not throw; not called again before what it returned has ended. */
  readonly onChange: (paths: readonly string[]) => void | Promise<void>
  /** After a sign of change, wait until this long passed without another: files are written in pieces. Milliseconds. */
  readonly settleMs?: number
  /** How often to look without a sign. Milliseconds. */
  readonly lookMs?: number
  /** How many folders deep to look; 0: only at what lies directly in the folder. */
  readonly depth?: number
}

export interface FolderWatch {
  /** Ends when the first look is over; what changes after that is reported. */
  readonly ready: Promise<void>
  close(): void
}

const DEFAULT_SETTLE_MS = 150
const DEFAULT_LOOK_MS = 1000
/** Without a sign only the folder itself is looked at; the files in it every so many times, since that costs more. */
const LOOKS_PER_FULL_LOOK = 30
const DEFAULT_DEPTH = 64

/** A folder that is not there (yet) counts as an empty one. */
export function watchFolder(directory: string, options: FolderWatchOptions): FolderWatch {
  const { onChange, settleMs = DEFAULT_SETTLE_MS, lookMs = DEFAULT_LOOK_MS, depth: deepest = DEFAULT_DEPTH } = options
  const watchers = new Map<string, FSWatcher>()
  let known = new Map<string, string>()
  let place = ''
  /** The file system gives no signs for some folder. */
  let blind = false
  let looks = 0
  let closed = false
  let settling: NodeJS.Timeout | undefined
  let looking = look(false)
  const ready = looking
  const ticker = setInterval(() => void tick(), lookMs)
  ticker.unref()

  function sign(): void {
    clearTimeout(settling)
    settling = setTimeout(() => lookAgain(), settleMs)
  }

  async function tick(): Promise<void> {
    looks++
    const full = blind || looks % LOOKS_PER_FULL_LOOK === 0
    if (full || (await stampOf(directory)) !== place) lookAgain()
  }

  function lookAgain(): void {
    looking = looking.then(() => look(true))
  }

  async function look(report: boolean): Promise<void> {
    if (closed) return
    blind = false
    const root = `${await realpath(directory).catch(() => directory)}${sep}`
    const found = { root, files: new Map<string, string>(), folders: new Set<string>() }
    place = await visit('', found, 0)
    for (const [folder, watcher] of watchers) {
      if (!closed && found.folders.has(folder)) continue
      watcher.close()
      watchers.delete(folder)
    }
    const paths = differing(known, found.files)
    known = found.files
    if (report && !closed && paths.length > 0) await onChange(paths)
  }

  /** Watches before it lists, so that nothing falls in between. Answers the folder's stamp. */
  async function visit(path: string, found: Found, depth: number): Promise<string> {
    const folder = join(directory, path)
    const stamp = await stampOf(folder)
    // Each folder once, whatever links lead to it: they may lead in circles.
    if (stamp === '' || found.folders.has(stamp) || depth > deepest || closed) return stamp
    found.folders.add(stamp)
    if (!watchers.has(stamp)) watchOne(stamp, folder)
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      const inside = path === '' ? entry.name : `${path}/${entry.name}`
      const facts = await stat(join(folder, entry.name)).catch(() => undefined)
      if (facts === undefined) continue
      const followed =
        facts.isDirectory() && (!entry.isSymbolicLink() || (await leadsInside(found.root, folder, entry.name)))
      if (followed) found.files.set(`${inside}/`, await visit(inside, found, depth + 1))
      else found.files.set(inside, `${facts.dev}:${facts.ino}:${facts.size}:${facts.mtimeMs}`)
    }
    return stamp
  }

  function watchOne(identity: string, folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, sign)
      watcher.on('error', sign)
      watchers.set(identity, watcher)
    } catch {
      blind = true
    }
  }

  return {
    ready,
    close() {
      closed = true
      clearInterval(ticker)
      clearTimeout(settling)
      for (const watcher of watchers.values()) watcher.close()
      watchers.clear()
    },
  }
}

interface Found {
  /** The folder's real path, with a separator at its end. */
  readonly root: string
  /** Identity, size and time of every file and folder by its path within the folder; links are followed. */
  readonly files: Map<string, string>
  /** Stamps of the folders visited. */
  readonly folders: Set<string>
}

/** A link out of the folder may lead to the whole machine: only that it is another is told. */
async function leadsInside(root: string, folder: string, name: string): Promise<boolean> {
  const target = await realpath(join(folder, name)).catch(() => '')
  return `${target}${sep}`.startsWith(root)
}

/** Which folder this is, whatever its name; empty where it cannot be looked at. */
async function stampOf(folder: string): Promise<string> {
  const facts = await stat(folder).catch(() => undefined)
  return facts?.isDirectory() === true ? `${facts.dev}:${facts.ino}` : ''
}

function differing(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  const changed = [...after].filter(([path, facts]) => before.get(path) !== facts)
  const gone = [...before.keys()].filter((path) => !after.has(path))
  return [...changed.map(([path]) => path), ...gone].sort()
}
