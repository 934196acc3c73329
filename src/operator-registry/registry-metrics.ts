// Every metric of the operator registry: its name, help and labels, and which fact it is made of.
import { createMetrics, type Metrics } from '../http/prometheus.ts'
import type { FinishedCall } from '../registry/registry-calls.ts'
import type { LoadOutcome } from './load-outcome.ts'

const TABLE = {
  calls: {
    kind: 'counter',
    name: 'operator_registry_calls_total',
    help: 'Calls that ended, by method and gRPC status.',
    labels: ['method', 'code'],
  },
  callDuration: {
    kind: 'histogram',
    name: 'operator_registry_call_duration_seconds',
    help: 'How long calls took, streams to their end.',
    labels: ['method'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  loads: {
    kind: 'counter',
    name: 'operator_registry_loads_total',
    help: 'Attempts to load the catalog, by outcome (served, refused) and by where it came from (files, cache).',
    labels: ['outcome', 'from'],
  },
  loadDuration: {
    kind: 'gauge',
    name: 'operator_registry_load_duration_seconds',
    help: 'How long the last attempt to load took.',
  },
  served: {
    kind: 'gauge',
    name: 'operator_registry_served_timestamp_seconds',
    help: 'When the content that is served was loaded, since 1970.',
  },
  packages: { kind: 'gauge', name: 'operator_registry_packages', help: 'Packages served.' },
  channels: { kind: 'gauge', name: 'operator_registry_channels', help: 'Channels served.' },
  bundles: { kind: 'gauge', name: 'operator_registry_bundles', help: 'Bundles served, each once.' },
  catalogBytes: {
    kind: 'gauge',
    name: 'operator_registry_catalog_bytes',
    help: 'Size of the files that the served content was loaded from.',
  },
  faults: {
    kind: 'gauge',
    name: 'operator_registry_faults',
    help: 'Faults of the last content that was loaded, by rule: of a refused one, or of what a lenient registry leaves out.',
    labels: ['rule'],
  },
} as const

export interface RegistryMetrics extends Pick<Metrics<keyof typeof TABLE>, 'contentType' | 'text'> {
  onFinished(call: FinishedCall): void
  onOutcome(outcome: LoadOutcome): void
}

/** `now`: milliseconds since the epoch. */
export function createRegistryMetrics(now: () => number): RegistryMetrics {
  const { metrics, contentType, text } = createMetrics(TABLE)
  return {
    contentType,
    text,
    onFinished({ method, status, seconds }) {
      metrics.calls.record(1, { method, code: status })
      metrics.callDuration.record(seconds, { method })
    },
    onOutcome(outcome) {
      metrics.loads.record(1, { outcome: outcome.kind, from: outcome.kind === 'served' ? outcome.from : 'files' })
      metrics.loadDuration.record(outcome.seconds)
      metrics.faults.reset()
      for (const [rule, count] of countByRule(outcome)) metrics.faults.record(count, { rule })
      if (outcome.kind === 'refused') return
      metrics.served.record(now() / 1000)
      metrics.packages.record(outcome.counts.packages)
      metrics.channels.record(outcome.counts.channels)
      metrics.bundles.record(outcome.counts.bundles)
      metrics.catalogBytes.record(outcome.bytes)
    },
  }
}

function countByRule({ faults }: LoadOutcome): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { rule } of faults) counts.set(rule, (counts.get(rule) ?? 0) + 1)
  return counts
}
