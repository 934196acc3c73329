// Loads a catalog in a process of its own: health checks are answered meanwhile, all memory of loading is given back when
// it ends (in a thread's, half of it stays with the allocator: measured), and running out of it ends the loading alone.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getHeapStatistics } from 'node:v8'
import { OlmError } from '../errors.ts'
import type { LoadIntoFile, LoadReport } from './load-into-file.ts'
import type { LoadingAnswer, LoadingTask } from './loading-task.ts'

const MEGABYTE = 1024 * 1024
/** What is kept of what the process writes to standard error: enough to tell what it died of. */
const TOLD_BYTES = 64 * 1024

/**
 * Loading makes much garbage of short life: with small young spaces, and an allocator that gives large blocks back at
 * once, it takes two thirds of the memory at the same speed (measured on 50 and 188 MB).
 */
const V8_FLAGS = ['--max-semi-space-size=2']
const ALLOCATOR = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_MMAP_THRESHOLD_: '131072' }

/** Fails as `loadIntoFileHere` does, and with OUT_OF_MEMORY. `environment`: what the loading process gets beside that. */
export function loadInProcess(environment: NodeJS.ProcessEnv): LoadIntoFile {
  const env = { ...ALLOCATOR, ...environment }
  return (directory, target, { signal, limits = {} }) => loadBy(env, { directory, target, limits }, signal)
}

async function loadBy(env: NodeJS.ProcessEnv, task: LoadingTask, signal: AbortSignal): Promise<LoadReport> {
  signal.throwIfAborted()
  const execArgv = [...V8_FLAGS, ...process.execArgv]
  const child = fork(entryPoint(), {
    env,
    execArgv,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  })
  const stop = (): void => void child.kill('SIGKILL')
  signal.addEventListener('abort', stop, { once: true })
  try {
    const answer = await answerOf(child, task)
    signal.throwIfAborted()
    if (answer.kind === 'loaded') return answer.report
    throw answer.error === undefined ? new Error(answer.reason) : new OlmError(answer.error.code, answer.error.facts)
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}

/** Beside this file under the same ending: as a source, or as the second entry of a bundle. */
function entryPoint(): string {
  return fileURLToPath(new URL(`./loading/main${extname(import.meta.url)}`, import.meta.url))
}

async function answerOf(child: ChildProcess, task: LoadingTask): Promise<LoadingAnswer> {
  let told = ''
  child.stderr?.on('data', (piece: Buffer) => {
    told = (told + piece.toString()).slice(-TOLD_BYTES)
  })
  const died = new AbortController()
  try {
    const ended = once(child, 'close', { signal: died.signal })
    const answered = once(child, 'message', { signal: died.signal })
    child.send(task)
    const [first, second] = await Promise.race([answered, ended])
    if (typeof first === 'object' && first !== null) return first as LoadingAnswer
    throw causeOfDeath(first, second, told, task.directory)
  } finally {
    died.abort()
  }
}

/** By the heap's limit V8 aborts with a word of it; by the machine's or the container's limit the kernel kills. */
function causeOfDeath(code: unknown, signal: unknown, told: string, directory: string): Error {
  if (/heap out of memory|Allocation failed/i.test(told) || signal === 'SIGKILL') {
    const megabytes = Math.floor(getHeapStatistics().heap_size_limit / MEGABYTE)
    return new OlmError('OUT_OF_MEMORY', { directory, megabytes })
  }
  return new Error(`the loading process ended by ${String(signal ?? `code ${code}`)}: ${told.trim().slice(-2000)}`)
}
