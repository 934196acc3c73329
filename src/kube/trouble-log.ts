// One line when something goes wrong, one when the reason changes, one when it is over; nothing in between.
import { reasonOf } from '../errors.ts'
import type { Logger } from '../log.ts'

export interface TroubleLog {
  report(error: unknown): void
  over(): void
}

/** `advice` is the message: what is wrong and what an administrator can do. */
export function createTroubleLog(log: Logger, advice: string, end = 'over: it is well again'): TroubleLog {
  let last: string | undefined
  return {
    report(error) {
      const reason = reasonOf(error)
      if (reason === last) return
      last = reason
      log.warn({ reason }, advice)
    },
    over() {
      if (last === undefined) return
      last = undefined
      log.info(end)
    },
  }
}
