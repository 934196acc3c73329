// The operator registry: listen, load, serve, and follow the folder if asked. Port first, so that probes are answered
// while a catalog loads.
import type { LoadCatalog } from '../file-based-catalog/load-catalog.ts'
import { watchFolder } from '../folder-watch.ts'
import type { Logger } from '../log.ts'
import type { FinishedCall } from '../registry/registry-calls.ts'
import { createRegistryServer } from '../registry/service.ts'
import { type CachePolicy, holdThroughCache } from './cache.ts'
import { holdInFile } from './held-catalog.ts'
import { type LoadIntoFile, loadIntoFileHere } from './load-into-file.ts'
import type { LoadOutcome } from './load-outcome.ts'
import { createServing } from './serving.ts'

export interface OperatorRegistryOptions {
  readonly directory: string
  /** `host:port`; port 0 takes any that is free. */
  readonly address: string
  readonly load: LoadCatalog
  /** How a catalog is loaded into a file; by default with `load`, in this process. */
  readonly intoFile?: LoadIntoFile
  /** Keep the catalog's texts in a file here without a name; by default they are kept in memory. */
  readonly temporaryFolder?: string
  readonly log: Logger
  /** Serve what is sound of a catalog with faults. */
  readonly lenient?: boolean
  /** Follow the folder while serving, and after a first content that was refused. */
  readonly watch?: boolean
  readonly cache?: CachePolicy
  /** Milliseconds since the epoch. */
  readonly now?: () => number
  /** After every attempt to load, the first included. */
  readonly onOutcome?: (outcome: LoadOutcome) => void
  readonly onFinished?: (call: FinishedCall) => void
}

export interface OperatorRegistry {
  /** `host:port` with the port that was really taken. */
  readonly address: string
  readonly port: number
  /** Outcome of the first attempt to load. */
  readonly first: Promise<LoadOutcome>
  /** Ends loading and following, lets running calls finish for `graceMs`, and gives the port back. */
  close(graceMs?: number): Promise<void>
}

/** After a folder that could not be read at all, without a change of it. Milliseconds. */
const RETRY_MS = 5000

/** Resolves as soon as the port is open. Fails with PORT_IN_USE or LISTEN_FAILED. */
export async function startOperatorRegistry(options: OperatorRegistryOptions): Promise<OperatorRegistry> {
  const { directory, log, cache } = options
  const stop = new AbortController()
  const server = await createRegistryServer(options)
  const holding = {
    load: options.load,
    intoFile: options.intoFile ?? loadIntoFileHere(options.load),
    temporaryFolder: options.temporaryFolder,
    log,
    signal: stop.signal,
    now: options.now ?? Date.now,
  }
  const hold = () =>
    cache === undefined ? holdInFile(directory, holding) : holdThroughCache(directory, cache, holding)
  const serving = createServing({ directory, server, lenient: options.lenient ?? false, hold, log })

  let retry: NodeJS.Timeout | undefined
  let latest: Promise<LoadOutcome> | undefined
  /** One after the other: a folder is not read twice at a time. */
  function attempt(): Promise<LoadOutcome> {
    const before = latest
    latest = (async () => {
      await before
      clearTimeout(retry)
      const outcome = await serving.attempt()
      if (stop.signal.aborted) return outcome
      if (options.watch === true && wasUnread(outcome)) retry = setTimeout(() => void attempt(), RETRY_MS).unref()
      options.onOutcome?.(outcome)
      return outcome
    })()
    return latest
  }

  // Before the first reading, so that a change while the folder is being read is a change.
  const watch =
    options.watch === true ? watchFolder(directory, { onChange: async () => void (await attempt()) }) : undefined
  const first = (watch?.ready ?? Promise.resolve()).then(attempt)

  return {
    address: server.address,
    port: server.port,
    first,
    async close(graceMs) {
      watch?.close()
      stop.abort()
      clearTimeout(retry)
      await first
      await latest
      await server.close(graceMs)
    },
  }
}

/** Neither served nor at fault: the next reading may go better though nothing changes. */
function wasUnread(outcome: LoadOutcome): boolean {
  return outcome.kind === 'refused' && outcome.faults.length === 0
}
