// From what went wrong to the gRPC status a caller sees: code and text are part of the protocol, details go to the log.
import { status } from '@grpc/grpc-js'
import { OlmError, reasonOf } from '../errors.ts'

export interface AnswerStatus {
  readonly code: status
  readonly details: string
}

/** Unknown (2) is what the reference registry answers to every question that has no answer. */
export function answerStatus(thrown: unknown): AnswerStatus {
  if (thrown instanceof OlmError) {
    if (thrown.code === 'ANSWER_NOT_FOUND') return { code: status.UNKNOWN, details: thrown.message }
    if (thrown.code === 'ANSWER_INVALID_ARGUMENT') return { code: status.INVALID_ARGUMENT, details: thrown.message }
    if (thrown.code === 'ANSWER_NOT_READY') return { code: status.UNAVAILABLE, details: thrown.message }
  }
  return { code: status.INTERNAL, details: reasonOf(thrown) }
}
