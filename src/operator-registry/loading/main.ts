// The process that loads one catalog for load-in-process.ts: takes one task, loads, answers, ends. All its memory goes with it.
import { OlmError, reasonOf } from '../../errors.ts'
import { loadCatalog } from '../../file-based-catalog/load-catalog.ts'
import { createLogger } from '../../log.ts'
import { loadIntoFileHere } from '../load-into-file.ts'
import type { LoadingAnswer, LoadingTask } from '../loading-task.ts'

const parentGone = new AbortController()
// Whoever gave the task logs what came of it.
const log = createLogger({ level: 'silent', format: 'json' })

process.on('disconnect', () => parentGone.abort())
// A signal to the whole group is the parent's to act on: it ends this process when it has.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)
process.once('message', async (task) => {
  const answer = await perform(task as LoadingTask)
  process.send?.(answer, () => process.disconnect())
})

async function perform({ directory, target, limits }: LoadingTask): Promise<LoadingAnswer> {
  try {
    const options = { signal: parentGone.signal, limits, log }
    return { kind: 'loaded', report: await loadIntoFileHere(loadCatalog)(directory, target, options) }
  } catch (thrown) {
    const error = thrown instanceof OlmError ? { code: thrown.code, facts: thrown.facts } : undefined
    return { kind: 'failed', reason: reasonOf(thrown), error }
  }
}
