// The verb `serve`: from flags to a running registry, to one last line and an exit code that say why it ended.
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import type { Writable } from 'node:stream'
import { OlmError, reasonOf } from '../errors.ts'
import type { Fault } from '../file-based-catalog/fault.ts'
import type { LoadCatalog } from '../file-based-catalog/load-catalog.ts'
import type { Logger } from '../log.ts'
import { type CachePolicy, holdThroughCache } from './cache.ts'
import { cachePolicy } from './cache-policy.ts'
import { EXIT, serveExitCode } from './exit-codes.ts'
import { type HeldCatalog, holdInMemory } from './held-catalog.ts'
import { loadInProcess } from './load-in-process.ts'
import { refusedFor } from './load-outcome.ts'
import { type OperatorRegistry, startOperatorRegistry } from './operator-registry.ts'
import type { RegistryObservation } from './registry-observation.ts'
import type { ServeOptions } from './serve-command.ts'
import { sqliteHint } from './sqlite-catalog.ts'
import { terminationLog } from './termination-log.ts'

export interface ServeSurroundings {
  readonly load: LoadCatalog
  readonly log: Logger
  /** Where the last line goes, and the faults before it. */
  readonly stderr: Pick<Writable, 'write'>
  readonly signal: AbortSignal
  /** Of this process: what the process that loads is to find too, such as limits of its heap. */
  readonly environment?: NodeJS.ProcessEnv
  readonly describeFaults: (faults: readonly Fault[]) => string
}

/** `given`: names of the flags that stood on the command line. Resolves with the exit code; never fails. */
export async function serve(
  directory: string,
  options: ServeOptions,
  given: ReadonlySet<string>,
  surroundings: ServeSurroundings,
): Promise<number> {
  const { log, stderr } = surroundings
  const ending = terminationLog(options.terminationLog, given.has('termination-log'))
  try {
    const policy = cachePolicy(options, given)
    if (options.cacheOnly) await fillCache(directory, policy, options.lenient, surroundings)
    else await serveUntilStopped(directory, options, policy, surroundings)
    return EXIT.DONE
  } catch (thrown) {
    const hint = await sqliteHint(directory)
    const reason = hint === undefined ? reasonOf(thrown) : `${reasonOf(thrown)}: ${hint}`
    const unwritten = await ending.write(reason)
    if (unwritten !== undefined) log.warn({ file: options.terminationLog, reason: unwritten }, 'no termination log')
    stderr.write(`operator-registry: ${reason}\n`)
    return serveExitCode(thrown)
  }
}

async function serveUntilStopped(
  directory: string,
  options: ServeOptions,
  cache: CachePolicy | undefined,
  surroundings: ServeSurroundings,
): Promise<void> {
  const { load, log } = surroundings
  const observation = await observationAt(options.metricsAddress, log)
  try {
    const registry = await startOperatorRegistry({
      directory,
      address: `${options.bindAddress}:${options.port}`,
      load,
      intoFile: loadInProcess(surroundings.environment ?? {}),
      temporaryFolder: tmpdir(),
      log,
      lenient: options.lenient,
      watch: options.watch,
      ...(cache === undefined ? {} : { cache }),
      onFinished(call) {
        log.debug({ method: call.method, status: call.status, seconds: call.seconds }, 'call')
        observation?.onFinished(call)
      },
      onOutcome: (outcome) => observation?.onOutcome(outcome),
    })
    log.info({ address: registry.address, catalog: directory }, 'port open')
    try {
      await untilStopped(directory, registry, surroundings)
    } finally {
      await registry.close()
    }
  } finally {
    await observation?.close()
  }
}

/** Undefined where it is not switched on: then what it needs is not even loaded. */
async function observationAt(address: string, log: Logger): Promise<RegistryObservation | undefined> {
  if (address === '') return undefined
  const { observeRegistry } = await import('./registry-observation.ts')
  const observation = await observeRegistry(address, Date.now)
  log.info({ port: observation.port }, 'metrics and health over HTTP')
  return observation
}

async function untilStopped(
  directory: string,
  registry: OperatorRegistry,
  surroundings: ServeSurroundings,
): Promise<void> {
  const { log, signal } = surroundings
  const stopped = signal.aborted ? Promise.resolve() : once(signal, 'abort')
  const first = await Promise.race([registry.first, stopped.then(() => undefined)])
  if (first === undefined) throw new OlmError('STOPPED', { directory })
  if (first.kind === 'refused') {
    tellFaults(first.faults, surroundings)
    throw first.error
  }
  await stopped
  log.info('shutting down')
}

/** Loads and writes the cache, as a catalog image's build does, so that its containers start warm. */
async function fillCache(
  directory: string,
  cache: CachePolicy | undefined,
  lenient: boolean,
  surroundings: ServeSurroundings,
): Promise<void> {
  const { signal } = surroundings
  const holding = {
    ...surroundings,
    intoFile: loadInProcess(surroundings.environment ?? {}),
    temporaryFolder: undefined,
    now: Date.now,
  }
  let held: HeldCatalog
  try {
    held =
      cache === undefined ? await holdInMemory(directory, holding) : await holdThroughCache(directory, cache, holding)
  } catch (thrown) {
    throw signal.aborted ? new OlmError('STOPPED', { directory }, { cause: thrown }) : thrown
  }
  await held.close()
  if (held.faults.length === 0 || lenient) return
  tellFaults(held.faults, surroundings)
  throw refusedFor(directory, held)
}

function tellFaults(faults: readonly Fault[], { stderr, describeFaults }: ServeSurroundings): void {
  if (faults.length > 0) stderr.write(describeFaults(faults))
}
