// Load on one contestant by autocannon, with a client certificate: how many answers of the wanted status a second, and what
// CPU time each cost. autocannon, because it is installed with the other development tools and shows client certificates.
import autocannon from 'autocannon'
import type { Credentials } from './secure-client.ts'

export interface Contestant {
  readonly name: string
  readonly origin: string
  readonly credentials: Credentials
  /** CPU time of its process so far; undefined where that is not ours to see. */
  readonly cpuMs?: () => Promise<number>
}

export interface LoadOptions {
  /** Each connection asks its own share of them, in turn and again. */
  readonly paths: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly status: number
  readonly seconds: number
  readonly connections: number
}

export interface LoadResult {
  readonly perSecond: number
  /** CPU milliseconds of the server per answer. */
  readonly cpuMs: number | undefined
}

const LONGEST_ROUND = 10

/** Throws where an answer has another status. None at all in a whole long round is a rate of 0. */
export async function load(contestant: Contestant, options: LoadOptions): Promise<LoadResult> {
  const { paths, headers, status, connections } = options
  let next = 0
  const before = await contestant.cpuMs?.()
  const result = await autocannon({
    url: contestant.origin,
    connections,
    duration: options.seconds,
    timeout: 60,
    tlsOptions: { ...contestant.credentials },
    setupClient(client) {
      const share = next++ % connections
      const own = paths.length < connections ? paths : paths.filter((_, index) => index % connections === share)
      // It would make text of every body, compressed ones too, and be the one who is measured.
      client.pipelinedRequests.addBody = () => undefined
      client.setRequests(own.map((path) => ({ method: 'GET', path, headers })))
    },
  })
  const after = await contestant.cpuMs?.()
  const count = result.statusCodeStats[status]?.count ?? 0
  const others = Object.keys(result.statusCodeStats).filter((code) => Number(code) !== status)
  // On a busy machine a process may not get its turn within a short round.
  if (Object.keys(result.statusCodeStats).length === 0 && result.errors === 0 && options.seconds < LONGEST_ROUND) {
    return load(contestant, { ...options, seconds: options.seconds * 3 })
  }
  if (others.length > 0 || result.errors > 0) {
    throw new Error(
      `${contestant.name} ${paths[0]}: ${count} answers, others ${others.join()}, ${result.errors} errors`,
    )
  }
  const cpuMs = before === undefined || after === undefined || count === 0 ? undefined : (after - before) / count
  return { perSecond: count / result.duration, cpuMs }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const [low, high] = [sorted[middle - 1], sorted[middle]]
  if (high === undefined) return Number.NaN
  return sorted.length % 2 === 1 || low === undefined ? high : (low + high) / 2
}
