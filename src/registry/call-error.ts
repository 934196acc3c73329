// Why a call to a registry failed: its gRPC status by name, and whether the registry said so itself. Receives what gRPC threw,
// hands on an OlmError. Texts are made equal for equal causes: no times, no durations of single calls.
import { status as grpcStatus, type ServiceError } from '@grpc/grpc-js'
import { OlmError, reasonOf } from '../errors.ts'

/** A name of google.rpc.Code, such as `UNAVAILABLE`. */
export type CallStatus = keyof typeof grpcStatus

export interface RegistryCallFacts {
  readonly status: CallStatus
  /** The call broke off: connection lost, stream reset, not gRPC at all. The status is then this end's guess, not the registry's word. */
  readonly cut: boolean
  /** The answer was larger than this end accepts. */
  readonly tooLarge: boolean
}

/** Code REGISTRY_CALL. */
export type RegistryCallError = OlmError & RegistryCallFacts

export function isRegistryCallError(thrown: unknown): thrown is RegistryCallError {
  return thrown instanceof OlmError && thrown.code === 'REGISTRY_CALL'
}

export function registryCallError(
  method: string,
  facts: RegistryCallFacts,
  reason: string,
  cause?: unknown,
): RegistryCallError {
  const error = new OlmError('REGISTRY_CALL', { method, status: facts.status, reason }, { cause })
  return Object.assign(error, facts)
}

/** Texts of registries end on terminals and in headers. */
const UNPRINTABLE = /\p{C}/gu
const TOO_LARGE = /^Received message larger than max/
/** An HTTP answer, a reset stream or a refusal by HTTP/2: nothing that a registry's program decided about this call. */
const NOT_GRPC =
  /^(Received HTTP status code|Received RST_STREAM|Bandwidth exhausted or memory limit exceeded$|Protocol not secure enough$)/

/** `deadlineMs` is what the call was given: it stands in the message instead of the measured time. */
export function fromGrpc(method: string, thrown: unknown, deadlineMs: number): RegistryCallError {
  if (!isServiceError(thrown)) {
    return registryCallError(method, { status: 'INTERNAL', cut: true, tooLarge: false }, reasonOf(thrown), thrown)
  }
  const status = statusName(thrown.code)
  const details = thrown.details
  const cut = NOT_GRPC.test(details)
  const facts = { status, cut, tooLarge: status === 'RESOURCE_EXHAUSTED' && TOO_LARGE.test(details) }
  return registryCallError(method, facts, reasonText(status, details, deadlineMs))
}

function reasonText(status: CallStatus, details: string, deadlineMs: number): string {
  if (status === 'DEADLINE_EXCEEDED') return `no whole answer within ${deadlineMs / 1000} s`
  const text = details
    .replace(/\s*\(\d{4}-\d\d-\d\dT[\d:.]+Z\)/g, '')
    .replace(
      /^No connection established\. Last error: (?:null|(?:\w*Error: )?(.*?))\.? Resolution note: ?/s,
      'no connection: $1 ',
    )
    .replace(/\s*\n\s*/g, ' ')
    .replace(UNPRINTABLE, '\ufffd')
    .trim()
  const plain = PLAIN_WORDS.reduce((said, [found, words]) => said.replace(found, words), text)
  return plain === '' ? 'no reason given' : plain.slice(0, LONGEST_REASON)
}

/** What the library says, in words that help whoever reads them. */
const PLAIN_WORDS: readonly (readonly [RegExp, string])[] = [
  [
    /^Received message larger than max \((\d+) vs (\d+)\)$/,
    'the answer has $1 bytes, more than the $2 that are accepted',
  ],
  [
    /^no connection: Failed to connect$/,
    'no connection: it ended before HTTP/2 began: does TLS or something else listen there?',
  ],
  [/^no connection: Protocol error$/, 'no connection: what listens there does not speak HTTP/2'],
  [/^Name resolution failed for target dns:(.*?)(?: Resolution note:.*)?$/, 'no address is known for the name in $1'],
]

/** A registry chooses its texts freely; they end in logs and headers. */
const LONGEST_REASON = 500

function statusName(code: number): CallStatus {
  const name = grpcStatus[code]
  return name === undefined ? 'UNKNOWN' : (name as CallStatus)
}

function isServiceError(thrown: unknown): thrown is ServiceError {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'number' && 'details' in thrown
}
