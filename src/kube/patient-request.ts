// A request that is worth asking again: a review that fails for a reason that passes (no connection, 429, 5xx) is repeated
// within its deadline. Receives the request, hands on the first answer that settles it, or throws why there was none.
import { OlmError } from '../errors.ts'
import { type ApiAnswer, type ApiClient, type ApiRequest, refusal } from './api-client.ts'
import { type Clock, parseRetryAfter, retryDelay } from './back-off.ts'

const BACK_OFF = { initial: 200, longest: 2000 }
const NEVER = new AbortController().signal

/** `deadline` bounds all attempts together, ms. Throws a retryable OlmError where time ran out, another where it was refused. */
export async function requestPatiently(client: ApiClient, call: ApiRequest, clock: Clock): Promise<ApiAnswer> {
  const end = clock.now() + call.deadline
  for (let attempt = 1; ; attempt += 1) {
    const left = Math.max(1, end - clock.now())
    const outcome = await client.request({ ...call, deadline: left }).catch((error: unknown) => error)
    const fault = outcome instanceof Error ? outcome : faultOf(call, outcome as ApiAnswer)
    if (fault === undefined) return outcome as ApiAnswer
    const transient = fault instanceof OlmError && fault.code !== 'KUBE_FORBIDDEN'
    const asked = outcome instanceof Error ? undefined : parseRetryAfter((outcome as ApiAnswer).retryAfter, clock.now())
    const delay = retryDelay(attempt, asked, clock.random, BACK_OFF)
    if (!transient || clock.now() + delay >= end) throw fault
    await clock.sleep(delay, call.signal ?? NEVER)
  }
}

function faultOf(call: ApiRequest, answer: ApiAnswer): OlmError | undefined {
  if (answer.status >= 200 && answer.status < 300) return undefined
  if (answer.status === 429 || answer.status >= 500 || answer.status === 401) return refusal(call, answer)
  const { status } = answer
  return new OlmError('KUBE_FORBIDDEN', {
    method: call.method,
    path: call.path,
    status,
    reason: refusal(call, answer).message,
  })
}
