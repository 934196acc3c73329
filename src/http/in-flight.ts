// How much is going on at once: places asked for, given back. Above a bound there is none, and the caller answers 429.
import type { Bounds } from './bounds.ts'
import { tooManyRequests } from './status.ts'

export interface InFlight {
  /** Throws 429 where all places are taken. The place is given back by calling the result, once. */
  enterRequest(connection: object): () => void
  enterWatch(user: string): () => void
  readonly requests: number
  readonly watches: number
}

const RETRY_SECONDS = 1

type InFlightBounds = Pick<Bounds, 'requestsInFlight' | 'requestsPerConnection' | 'watches' | 'watchesPerUser'>

export function createInFlight(bounds: InFlightBounds): InFlight {
  const watchesByUser = new Map<string, number>()
  const requestsByConnection = new WeakMap<object, number>()
  let requests = 0
  let watches = 0
  return {
    get requests() {
      return requests
    },
    get watches() {
      return watches
    },
    enterRequest(connection) {
      const own = requestsByConnection.get(connection) ?? 0
      if (requests >= bounds.requestsInFlight || own >= bounds.requestsPerConnection) {
        throw tooManyRequests(RETRY_SECONDS)
      }
      requests += 1
      requestsByConnection.set(connection, own + 1)
      return once(() => {
        requests -= 1
        requestsByConnection.set(connection, (requestsByConnection.get(connection) ?? 1) - 1)
      })
    },
    enterWatch(user) {
      const own = watchesByUser.get(user) ?? 0
      if (watches >= bounds.watches || own >= bounds.watchesPerUser) throw tooManyRequests(RETRY_SECONDS)
      watches += 1
      watchesByUser.set(user, own + 1)
      return once(() => {
        watches -= 1
        const left = (watchesByUser.get(user) ?? 1) - 1
        if (left === 0) watchesByUser.delete(user)
        else watchesByUser.set(user, left)
      })
    },
  }
}

function once(action: () => void): () => void {
  let done = false
  return () => {
    if (done) return
    done = true
    action()
  }
}
