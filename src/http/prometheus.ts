// Metrics from a table: each with its name, help and labels in one place. What the table names can be counted, nothing else.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry, type RegistryContentType } from 'prom-client'

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

/** All metrics as text, those of the process (resident memory, event loop, garbage collection) included. */
export interface MetricsText {
  /** Of `text`. */
  readonly contentType: string
  /** In Prometheus' text format. */
  text(): Promise<string>
  /** In the format that an `Accept` header asks for: OpenMetrics, or Prometheus' text format. */
  inFormat(accept: string): Promise<{ readonly contentType: string; readonly body: string }>
}

export interface Metrics<Name extends string> extends MetricsText {
  readonly metrics: Readonly<Record<Name, Metric>>
}

export function createMetrics<const Name extends string>(
  table: Readonly<Record<Name, MetricDefinition>>,
  /** Called before the metrics are handed on: records what can be asked for at any time. */
  collect: () => void = () => undefined,
): Metrics<Name> {
  const registry = new Registry<RegistryContentType>()
  collectDefaultMetrics({ register: registry })
  const made = Object.entries<MetricDefinition>(table).map(([key, definition]) => [key, create(definition, registry)])
  let last: Promise<unknown> = Promise.resolve()

  /** The library keeps the format in the registry: one text after the other. */
  function write(contentType: RegistryContentType) {
    const next = last.then(async () => {
      collect()
      registry.setContentType(contentType)
      return { contentType: String(contentType), body: await registry.metrics() }
    })
    last = next.catch(() => undefined)
    return next
  }

  return {
    metrics: Object.fromEntries(made) as Record<Name, Metric>,
    contentType: Registry.PROMETHEUS_CONTENT_TYPE,
    text: async () => (await write(Registry.PROMETHEUS_CONTENT_TYPE)).body,
    inFormat: (accept) =>
      write(
        accept.includes('application/openmetrics-text')
          ? Registry.OPENMETRICS_CONTENT_TYPE
          : Registry.PROMETHEUS_CONTENT_TYPE,
      ),
  }
}

function create(
  { kind, name, help, labels = [], buckets }: MetricDefinition,
  registry: Registry<RegistryContentType>,
): Metric {
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
