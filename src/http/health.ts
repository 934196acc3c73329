// Health, liveness and readiness as the API server answers them: named checks in, text out. A check is a question that
// its room answers at once, from what it knows; it never waits.

export type Endpoint = 'healthz' | 'livez' | 'readyz'

export const ENDPOINTS: readonly Endpoint[] = ['healthz', 'livez', 'readyz']

export interface HealthCheck {
  readonly name: string
  readonly endpoints: readonly Endpoint[]
  /** undefined: well. Else the reason, which is logged where it changes, and not shown to callers. */
  check(): string | undefined
}

export interface HealthAnswer {
  readonly healthy: boolean
  readonly text: string
}

/** The answer of `/<endpoint>`, or of `/<endpoint>/<name>`; undefined where there is no such check. */
export function answerHealth(
  checks: readonly HealthCheck[],
  endpoint: Endpoint,
  name: string,
  query: URLSearchParams,
): HealthAnswer | undefined {
  const own = checks.filter((check) => check.endpoints.includes(endpoint))
  if (name !== '') {
    const single = own.find((check) => check.name === name)
    if (single === undefined) return undefined
    const reason = single.check()
    return reason === undefined
      ? { healthy: true, text: 'ok' }
      : { healthy: false, text: `internal server error: ${reason}\n` }
  }
  return answerAll(own, endpoint, query)
}

function answerAll(checks: readonly HealthCheck[], endpoint: Endpoint, query: URLSearchParams): HealthAnswer {
  const excluded = new Set(query.getAll('exclude').flatMap((names) => names.split(',')))
  excluded.delete('')
  const lines: string[] = []
  let healthy = true
  for (const check of checks) {
    if (excluded.delete(check.name)) {
      lines.push(`[+]${check.name} excluded: ok`)
    } else if (check.check() === undefined) {
      lines.push(`[+]${check.name} ok`)
    } else {
      healthy = false
      lines.push(`[-]${check.name} failed: reason withheld`)
    }
  }
  if (excluded.size > 0) {
    const unknown = [...excluded].map((one) => JSON.stringify(one)).join(', ')
    lines.push(`warn: some health checks cannot be excluded: no matches for ${unknown}`)
  }
  if (!healthy) return { healthy, text: `${lines.join('\n')}\n${endpoint} check failed\n` }
  return { healthy, text: query.has('verbose') ? `${lines.join('\n')}\n${endpoint} check passed\n` : 'ok' }
}
