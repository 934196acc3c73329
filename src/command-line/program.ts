// What every program does with the process it runs in: signals to an AbortSignal, failures to one line and an exit code.
// Receives the process from a main.ts, the only kind of file that may touch it.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { type ErrorCode, OlmError, reasonOf } from '../errors.ts'

/** What of the process a program uses. */
export type ProcessLike = Pick<NodeJS.Process, 'stderr' | 'stdout' | 'on' | 'exit'>

/** Usage and what a person can mend by another flag or file. */
const EXIT_USAGE = 2
const EXIT_FAILED = 1

/**
 * A terminal's Ctrl-C reaches every process of its group, and npm passes on what it receives: one key press can
 * arrive twice. A signal this soon after the first is the same one. Milliseconds.
 */
const SAME_SIGNAL_MS = 500

/** Where Node keeps compiled code: a second start takes half the time. Without effect where it cannot be written. */
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url))

/**
 * Runs `run` to its end and leaves with its exit code (0 where it returns none). The first SIGINT or SIGTERM aborts the
 * signal; a second one ends the process at once. A failure is one line on standard error that begins with `name`.
 */
export async function runProgram(
  process: ProcessLike,
  name: string,
  run: (signal: AbortSignal) => Promise<number | undefined>,
): Promise<void> {
  enableCompileCache(COMPILED)
  const stop = new AbortController()
  let stoppedAt: number | undefined
  for (const [signal, number] of [
    ['SIGINT', 2],
    ['SIGTERM', 15],
  ] as const) {
    process.on(signal, () => {
      if (stoppedAt !== undefined && performance.now() - stoppedAt > SAME_SIGNAL_MS) process.exit(128 + number)
      stoppedAt ??= performance.now()
      stop.abort()
    })
  }
  // Whoever reads what is printed may stop reading: nothing else ends for it.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  let code = EXIT_FAILED
  try {
    code = (await run(stop.signal)) ?? 0
  } catch (thrown) {
    process.stderr.write(`${name}: ${reasonOf(thrown)}\n`)
    code = exitCodeOf(thrown)
  }
  process.exit(code)
}

/** What another flag, file or address mends. */
const USAGE_CODES: readonly ErrorCode[] = [
  'USAGE',
  'FILE_UNREADABLE',
  'PORT_IN_USE',
  'LISTEN_FAILED',
  'KUBE_NO_CLUSTER',
]

/** 2 for what a person mends on the command line; 1 for everything else. */
export function exitCodeOf(thrown: unknown): number {
  return thrown instanceof OlmError && USAGE_CODES.includes(thrown.code) ? EXIT_USAGE : EXIT_FAILED
}
