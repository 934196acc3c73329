// With which code `serve` leaves: a code for each kind of reason, so that whoever restarts it can tell them apart.
import { OlmError } from '../errors.ts'

export const EXIT = {
  /** Served until told to end, or the cache is up to date. */
  DONE: 0,
  /** The catalog has faults. Also whatever has no code of its own. */
  REFUSED: 1,
  /** A flag, an unreadable folder, a port in use: to be mended from outside. */
  USAGE: 2,
  CACHE_UNWRITABLE: 3,
  CACHE_INTEGRITY: 4,
  OUT_OF_MEMORY: 5,
  /** By a signal before anything was served: 128 + SIGTERM, as a shell counts it. */
  STOPPED_WHILE_LOADING: 143,
} as const

export function serveExitCode(thrown: unknown): number {
  if (!(thrown instanceof OlmError)) return EXIT.REFUSED
  switch (thrown.code) {
    case 'USAGE':
    case 'FILE_UNREADABLE':
    case 'PORT_IN_USE':
    case 'LISTEN_FAILED':
      return EXIT.USAGE
    case 'CACHE_UNWRITABLE':
      return EXIT.CACHE_UNWRITABLE
    case 'CACHE_INTEGRITY':
    case 'CACHE_UNUSABLE':
      return EXIT.CACHE_INTEGRITY
    case 'OUT_OF_MEMORY':
      return EXIT.OUT_OF_MEMORY
    case 'STOPPED':
      return EXIT.STOPPED_WHILE_LOADING
    default:
      return EXIT.REFUSED
  }
}
