// Flags about reading catalogs: shared by every program that holds a package-server.
import type { FlagTable } from '../command-line/flags.ts'

/** An interval of zero would read without a pause; the clock knows nothing shorter than a millisecond. */
function positive(milliseconds: number): string | undefined {
  if (milliseconds <= 0) return 'is not longer than zero'
  return milliseconds >= 1 ? undefined : 'is shorter than a millisecond'
}

/** RFC 1123 label, as namespaces are named; empty stands for none. */
function namespaceOrNone(value: string): string | undefined {
  return value === '' || /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(value)
    ? undefined
    : 'is not the name of a namespace'
}

export const READING_FLAGS = {
  interval: {
    kind: 'duration',
    default: '5m',
    help: 'How often each catalog is read again when nothing says that it changed; up to a tenth is added at random.',
    check: positive,
  },
  'global-namespace': {
    kind: 'string',
    default: '',
    placeholder: 'NAMESPACE',
    help: 'Catalogs of this namespace are seen from every namespace.',
    check: namespaceOrNone,
  },
  'max-message-size': {
    kind: 'size',
    default: '64Mi',
    help: 'The largest message taken from a registry; a bundle above it costs its channel.',
    check: (bytes) => (bytes > 0 ? undefined : 'leaves room for no message'),
  },
} as const satisfies FlagTable

export const LOGGING_FLAGS = {
  debug: { kind: 'boolean', default: false, group: 'Logging', help: 'Log what each room does; the same as -v=4.' },
  v: {
    kind: 'integer',
    short: 'v',
    default: 0,
    group: 'Logging',
    help: 'Detail of the log: 0 to 3 changes of state, 4 and more what each room does, 6 and more everything.',
  },
  'log-format': {
    kind: 'choice',
    choices: ['text', 'json'],
    default: 'text',
    group: 'Logging',
    help: 'One line for people, or one JSON object, per entry. The log goes to standard error.',
  },
} as const satisfies FlagTable

/** The level that these two flags ask for. */
export function logLevel(options: { readonly debug: boolean; readonly v: number }): 'info' | 'debug' | 'trace' {
  if (options.v >= 6) return 'trace'
  return options.debug || options.v >= 4 ? 'debug' : 'info'
}
