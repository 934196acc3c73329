// Every answer that is not 2xx as a metav1.Status: the one place that words them. Receives facts, hands on a StatusError
// to throw. Never sends anything. Reasons and texts are those of a Kubernetes API server: clients match on them.
import type { Status, StatusCause, StatusDetails } from '../api/meta.ts'

interface StatusFacts {
  readonly code: number
  readonly reason?: string
  readonly message: string
  readonly details?: StatusDetails
  /** More headers of the answer, lower-case names. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Thrown anywhere below a request; the room answers with its Status and headers. */
export class StatusError extends Error {
  readonly status: Status
  readonly headers: Readonly<Record<string, string>>

  constructor(facts: StatusFacts) {
    super(facts.message)
    this.name = 'StatusError'
    this.headers = facts.headers ?? {}
    this.status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: facts.message,
      ...(facts.reason === undefined ? {} : { reason: facts.reason }),
      ...(facts.details === undefined ? {} : { details: facts.details }),
      code: facts.code,
    }
  }
}

/** What a Status says about the kind of object asked for. */
export interface Kindred {
  readonly group: string
  readonly plural: string
}

/** The one object does not exist: `packagemanifests.packages.operators.coreos.com "x" not found`. */
export function notFound(resource: Kindred, name: string): StatusError {
  return new StatusError({
    code: 404,
    reason: 'NotFound',
    message: `${resource.plural}.${resource.group} "${name}" not found`,
    details: { name, group: resource.group, kind: resource.plural },
  })
}

/** Nothing is served at this path. */
export function pathNotFound(): StatusError {
  return new StatusError({
    code: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
    details: {},
  })
}

/** The request itself is wrong; `message` names the part at fault. */
export function badRequest(message: string): StatusError {
  return new StatusError({ code: 400, reason: 'BadRequest', message })
}

/** 422 for options that contradict each other; one cause per field. */
export function invalidListOptions(
  causes: readonly (StatusCause & { readonly field: string; readonly message: string })[],
): StatusError {
  const errors = causes.map((cause) => `${cause.field}: ${cause.message}`)
  const list = errors.length === 1 ? (errors[0] ?? '') : `[${errors.join(', ')}]`
  return new StatusError({
    code: 422,
    reason: 'Invalid',
    message: `ListOptions.meta.k8s.io "" is invalid: ${list}`,
    details: { group: 'meta.k8s.io', kind: 'ListOptions', causes },
  })
}

/** No credentials where some are needed, or credentials that are not accepted. Says nothing about which. */
export function unauthorized(): StatusError {
  return new StatusError({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' })
}

/** `subject` is what is forbidden (`packagemanifests.group "name"`, empty for a path), `sentence` who cannot do what. */
export function forbidden(subject: string, sentence: string, details: StatusDetails): StatusError {
  return new StatusError({
    code: 403,
    reason: 'Forbidden',
    message: subject === '' ? `forbidden: ${sentence}` : `${subject} is forbidden: ${sentence}`,
    details,
    headers: { 'x-content-type-options': 'nosniff' },
  })
}

export function methodNotAllowed(allow: string): StatusError {
  return new StatusError({
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
    details: {},
    headers: { allow },
  })
}

export function notAcceptable(message: string, details?: StatusDetails): StatusError {
  return new StatusError({
    code: 406,
    reason: 'NotAcceptable',
    message,
    ...(details === undefined ? {} : { details }),
  })
}

/** The version asked for is gone. `message` says which; `metadata.continue` is a token with which to go on, where there is one. */
export function expired(message: string, continueToken = ''): StatusError {
  const error = new StatusError({ code: 410, reason: 'Expired', message })
  if (continueToken === '') return error
  return withMetadata(error, { continue: continueToken })
}

/** 504: the client knows a version that this process has not reached (and may never). */
export function resourceVersionTooLarge(asked: string, current: string, retryAfterSeconds = 1): StatusError {
  return new StatusError({
    code: 504,
    reason: 'Timeout',
    message: `Timeout: Too large resource version: ${asked}, current: ${current}`,
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds,
    },
    headers: { 'retry-after': String(retryAfterSeconds) },
  })
}

/** 503: nothing wrong with the question, ask again. */
export function serviceUnavailable(message: string, retryAfterSeconds: number): StatusError {
  return new StatusError({
    code: 503,
    reason: 'ServiceUnavailable',
    message,
    details: { retryAfterSeconds },
    headers: { 'retry-after': String(retryAfterSeconds) },
  })
}

export function tooManyRequests(retryAfterSeconds: number): StatusError {
  return new StatusError({
    code: 429,
    reason: 'TooManyRequests',
    message: 'too many requests, please try again later',
    details: { retryAfterSeconds },
    headers: { 'retry-after': String(retryAfterSeconds) },
  })
}

export function uriTooLong(limit: number): StatusError {
  return new StatusError({
    code: 414,
    reason: 'RequestURITooLong',
    message: `request URI is longer than ${limit} bytes`,
  })
}

export function headersTooLarge(): StatusError {
  return new StatusError({
    code: 431,
    reason: 'RequestHeaderFieldsTooLarge',
    message: 'request line and headers are larger than this server reads',
  })
}

export function requestTimeout(): StatusError {
  return new StatusError({ code: 408, reason: 'Timeout', message: 'the request was not sent in time' })
}

/** For what nobody foresaw: the cause goes to the log, never to the client. */
export function internalError(): StatusError {
  return new StatusError({
    code: 500,
    reason: 'InternalError',
    message: 'Internal error occurred: the server could not make this answer',
    details: { causes: [{ message: 'the server could not make this answer' }] },
  })
}

/** The StatusError in whatever was thrown, or undefined where it is none. */
export function statusErrorOf(thrown: unknown): StatusError | undefined {
  return thrown instanceof StatusError ? thrown : undefined
}

function withMetadata(error: StatusError, metadata: Status['metadata']): StatusError {
  return Object.assign(error, { status: { ...error.status, metadata } })
}
