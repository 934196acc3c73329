// One catalog on one address for as long as it is wanted: each attempt to load it ends in an outcome, and what is served
// is the last good one. Attempts never overlap.
import { performance } from 'node:perf_hooks'
import { OlmError, reasonOf } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { RegistryContent } from '../registry/registry-content.ts'
import type { RegistryServer } from '../registry/service.ts'
import { createAnswers } from './answers.ts'
import type { HeldCatalog } from './held-catalog.ts'
import { countsOf, type LoadOutcome, refusedFor } from './load-outcome.ts'

export interface ServingOptions {
  readonly directory: string
  readonly server: RegistryServer
  readonly lenient: boolean
  readonly hold: () => Promise<HeldCatalog>
  readonly log: Logger
}

export interface Serving {
  /** Loads and, where that went well, swaps. Never fails: the outcome says how it went. */
  attempt(): Promise<LoadOutcome>
}

export function createServing(options: ServingOptions): Serving {
  const { directory, server, lenient, hold, log } = options
  let serving = false
  let lastReason: string | undefined

  async function load(): Promise<LoadOutcome> {
    const started = performance.now()
    const seconds = (): number => (performance.now() - started) / 1000
    try {
      const held = await hold()
      const { faults, index } = held
      if (faults.length > 0 && !lenient) {
        await held.close()
        const error = refusedFor(directory, held)
        return { kind: 'refused', error, faults, seconds: seconds(), kept: serving }
      }
      server.replace(await answersOf(held))
      serving = true
      return {
        kind: 'served',
        counts: countsOf(index),
        from: held.from,
        files: held.files,
        bytes: held.bytes,
        seconds: seconds(),
        faults,
      }
    } catch (thrown) {
      const error =
        thrown instanceof OlmError
          ? thrown
          : new OlmError('FILE_UNREADABLE', { file: directory, reason: reasonOf(thrown) }, { cause: thrown })
      return { kind: 'refused', error, faults: [], seconds: seconds(), kept: serving }
    }
  }

  return {
    async attempt() {
      const outcome = await load()
      const reason = outcome.kind === 'refused' ? outcome.error.message : undefined
      if (outcome.kind === 'served') logServed(log, outcome)
      else if (reason !== lastReason && outcome.kept)
        log.error({ reason }, 'new content refused: the old is still served')
      lastReason = reason
      return outcome
    },
  }
}

async function answersOf(held: HeldCatalog): Promise<RegistryContent> {
  try {
    return await createAnswers(held.index, held.close)
  } catch (thrown) {
    await held.close()
    throw thrown
  }
}

function logServed(log: Logger, outcome: LoadOutcome & { readonly kind: 'served' }): void {
  const { counts, from, files, bytes, seconds, faults } = outcome
  log.info({ ...counts, from, files, bytes, seconds: Number(seconds.toFixed(3)) }, 'serving catalog')
  for (const fault of faults) {
    log.warn(
      { file: fault.file, line: fault.line, package: fault.package, rule: fault.rule },
      `left out: ${fault.message}`,
    )
  }
}
