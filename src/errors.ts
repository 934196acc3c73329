// Every failure this project names: its code, the template of its message, whether trying again can help.
// Receives facts, hands on an OlmError. Never logs, never puts a credential into a message.

interface ErrorDefinition {
  /** Message with `{name}` placeholders. Says the thing, the reason and, where there is one, the way out. */
  readonly template: string
  /** True where the same call may succeed later without anybody changing its input. */
  readonly retryable: boolean
}

export const ERRORS = {
  USAGE: { template: '{reason}', retryable: false },
  FILE_UNREADABLE: { template: '{file}: {reason}', retryable: false },
  PORT_IN_USE: { template: '{address}: port in use: choose another with {flag}', retryable: false },
  KUBE_NO_CLUSTER: {
    template: '{source}: names no API server: give --kubeconfig FILE, or run in a pod with a service account',
    retryable: false,
  },
  KUBE_CREDENTIALS: { template: '{source}: credentials cannot be read: {reason}', retryable: true },
  KUBE_UNREACHABLE: { template: '{method} {path} ({source}): {reason}', retryable: true },
  KUBE_FORBIDDEN: { template: '{reason}', retryable: false },
  KUBE_TOO_MANY_QUESTIONS: { template: 'more than {limit} questions wait for the API server', retryable: true },
  KUBE_REFUSED: { template: '{method} {path}: the API server answered {status}: {reason}', retryable: true },
  LISTEN_FAILED: { template: '{address}: cannot listen: {reason}', retryable: false },
  CACHE_UNUSABLE: { template: 'cache {file}: {reason}', retryable: false },
  CACHE_INTEGRITY: {
    template:
      'integrity check failed: cache {directory}: cache reports digest as {existing}, but computed digest of {catalog} is {computed}: rebuild it with --cache-only, or serve with --cache-enforce-integrity=false',
    retryable: false,
  },
  CACHE_UNWRITABLE: { template: 'cache {directory} cannot be written: {reason}', retryable: false },
  CATALOG_REFUSED: { template: '{directory}: {reason}', retryable: false },
  OUT_OF_MEMORY: {
    template: '{directory}: out of memory while loading ({megabytes} MB heap): give more, or serve fewer packages',
    retryable: false,
  },
  STOPPED: { template: 'stopped by a signal while loading {directory}', retryable: false },
  ANSWER_NOT_FOUND: { template: '{reason}', retryable: false },
  ANSWER_INVALID_ARGUMENT: { template: '{reason}', retryable: false },
  ANSWER_NOT_READY: { template: 'the catalog is still being loaded: ask again soon', retryable: true },
  REGISTRY_CALL: { template: '{method}: {status}: {reason}', retryable: true },
  REGISTRY_PROXY: { template: 'proxy {proxy}: {reason}', retryable: true },
  READING_TOO_LARGE: { template: 'the catalog is too large: {reason}', retryable: false },
  READING_INCONSISTENT: { template: 'answers contradict each other: {reason}', retryable: true },
} as const satisfies Record<string, ErrorDefinition>

export type ErrorCode = keyof typeof ERRORS
export type ErrorFacts = Readonly<Record<string, string | number>>

/** The one error class of the project. `code` is stable; `message` is for people; `cause` is what was caught. */
export class OlmError extends Error {
  readonly code: ErrorCode
  readonly retryable: boolean
  /** What the template was filled with: enough to make the same error in another process. */
  readonly facts: ErrorFacts

  constructor(code: ErrorCode, facts: ErrorFacts, options?: { cause?: unknown }) {
    super(fill(ERRORS[code].template, facts), options)
    this.name = 'OlmError'
    this.code = code
    this.facts = facts
    this.retryable = ERRORS[code].retryable
  }
}

/** The text of whatever was thrown, in one line. */
export function reasonOf(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown)
  return text.replace(/\s*\n\s*/g, ' ')
}

/** Of a failed call on a file, without the call and the path that Node puts at the end: the message has the path already. */
export function fileReasonOf(thrown: unknown): string {
  return reasonOf(thrown).replace(/, \w+( '.*')?$/, '')
}

function fill(template: string, facts: ErrorFacts): string {
  return template.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(facts[name] ?? placeholder))
}
