// Authorization as the cluster decides it. Receives a reviewer of access questions, hands on an Authorizer; what needs no
// question (system:masters, open paths) is answered here. A reviewer that cannot be asked is 503 or 500, never a yes.
import { type AccessQuestion, accessQuestion } from './access-question.ts'
import type { Authorizer, Decision } from './authorization.ts'
import { internalError, serviceUnavailable } from './status.ts'

export interface AccessAnswer {
  readonly allowed: boolean
  /** An explicit no; with `allowed` too it is a contradiction, which is a no. */
  readonly denied: boolean
  readonly reason: string
}

export interface DelegatedAuthorizerOptions {
  /** Rejects where it cannot be decided; `retryable` in the error tells whether asking again can help. */
  readonly review: (question: AccessQuestion) => Promise<AccessAnswer>
  /** Exact paths, or prefixes that end in `*`, open to everybody, without a question. */
  readonly alwaysAllowPaths: readonly string[]
}

const MASTERS = 'system:masters'

export function delegatedAuthorizer({ review, alwaysAllowPaths }: DelegatedAuthorizerOptions): Authorizer {
  return async (identity, attributes) => {
    if (identity.groups.includes(MASTERS)) return { allowed: true }
    if (attributes.kind === 'path' && isOpen(attributes.path, alwaysAllowPaths)) return { allowed: true }
    return decisionOf(await review(accessQuestion(identity, attributes)).catch(undecided))
  }
}

function decisionOf({ allowed, denied, reason }: AccessAnswer): Decision {
  return allowed && !denied ? { allowed: true } : { allowed: false, reason }
}

function undecided(fault: unknown): never {
  const retryable = fault instanceof Error && 'retryable' in fault && fault.retryable === true
  throw retryable ? serviceUnavailable('access cannot be reviewed now', 1) : internalError()
}

function isOpen(path: string, open: readonly string[]): boolean {
  return open.some((one) => (one.endsWith('*') ? path.startsWith(one.slice(0, -1)) : path === one))
}
