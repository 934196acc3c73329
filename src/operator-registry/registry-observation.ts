// The second port of the operator registry: metrics, and health for probes that speak HTTP.
import type { HealthCheck } from '../http/health.ts'
import { startObservationServer } from '../http/observation-server.ts'
import type { FinishedCall } from '../registry/registry-calls.ts'
import type { LoadOutcome } from './load-outcome.ts'
import { createRegistryMetrics } from './registry-metrics.ts'

export interface RegistryObservation {
  readonly port: number
  onFinished(call: FinishedCall): void
  onOutcome(outcome: LoadOutcome): void
  close(): Promise<void>
}

/** Fails with PORT_IN_USE or LISTEN_FAILED. `now`: milliseconds since the epoch. */
export async function observeRegistry(address: string, now: () => number): Promise<RegistryObservation> {
  const metrics = createRegistryMetrics(now)
  let serving = false
  const checks: readonly HealthCheck[] = [
    { name: 'ping', endpoints: ['healthz', 'livez', 'readyz'], check: () => undefined },
    { name: 'catalog-loaded', endpoints: ['readyz'], check: () => (serving ? undefined : 'no catalog is served yet') },
  ]
  const server = await startObservationServer({ address, flag: 'metrics-address', checks, metrics })
  return {
    port: server.port,
    onFinished: metrics.onFinished,
    onOutcome(outcome) {
      serving ||= outcome.kind === 'served'
      metrics.onOutcome(outcome)
    },
    close: () => server.close(),
  }
}
