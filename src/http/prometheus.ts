// Metrics from a table: each with its name, help and labels in one place. What the table names can be counted, nothing else.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export interface MetricDefinition {
  readonly kind: 'counter' | 'gauge' | 'histogram'
  /** As Prometheus writes names: a unit at the end, `_total` for counters. */
  readonly name: string
  readonly help: string
  readonly labels?: readonly string[]
  /** Upper bounds of a histogram, ascending. */
  readonly buckets?: readonly number[]
}

export type Labels = Readonly<Record<string, string>>

/** `record`: a counter grows by the value, a gauge becomes it, a histogram observes it. */
export interface Metric {
  record(value: number, labels?: Labels): void
  /** Forgets every combination of labels. */
  reset(): void
}

export interface Metrics<Name extends string> {
  readonly metrics: Readonly<Record<Name, Metric>>
  readonly contentType: string
  /** All metrics in the text format, those of the process (resident memory, event loop, garbage collection) included. */
  text(): Promise<string>
}

export function createMetrics<const Name extends string>(
  table: Readonly<Record<Name, MetricDefinition>>,
): Metrics<Name> {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const made = Object.entries<MetricDefinition>(table).map(([key, definition]) => [key, create(definition, registry)])
  return {
    metrics: Object.fromEntries(made) as Record<Name, Metric>,
    contentType: registry.contentType,
    text: () => registry.metrics(),
  }
}

function create({ kind, name, help, labels = [], buckets }: MetricDefinition, registry: Registry): Metric {
  const base = { name, help, labelNames: [...labels], registers: [registry] }
  switch (kind) {
    case 'counter': {
      const counter = new Counter(base)
      return { record: (value, given = {}) => counter.inc({ ...given }, value), reset: () => counter.reset() }
    }
    case 'gauge': {
      const gauge = new Gauge(base)
      return { record: (value, given = {}) => gauge.set({ ...given }, value), reset: () => gauge.reset() }
    }
    case 'histogram': {
      const histogram = new Histogram(buckets === undefined ? base : { ...base, buckets: [...buckets] })
      return { record: (value, given = {}) => histogram.observe({ ...given }, value), reset: () => histogram.reset() }
    }
  }
}
