// What is counted while the server runs. Receives facts from every room as they come, hands on metrics; what can be asked for is asked
// for when somebody looks.
import type { CatalogKey } from '../api/catalog-source.ts'
import { catalogKey } from '../api/catalog-source.ts'
import type { Identity, RequestFacts } from '../http/authentication.ts'
import type { Authorizer } from '../http/authorization.ts'
import type { MetricsText } from '../http/prometheus.ts'
import type { AnswerFacts } from '../http/request-handler.ts'
import { StatusError } from '../http/status.ts'
import type { CatalogFacts } from './catalog-facts.ts'
import { createPackageServerMetrics } from './metrics.ts'

/** What is asked for when somebody looks. */
export interface ObservedState {
  readonly catalogs: () => Iterable<CatalogFacts>
  /** Milliseconds since the epoch; undefined: never. */
  readonly attemptedAt: (key: CatalogKey) => number | undefined
  readonly requestsInFlight: () => number
  readonly watches: () => number
}

export interface ObservationOptions {
  readonly clock: { now(): number }
  readonly version: string
  readonly nodeVersion: string
  /** Names of the resources that are served. */
  readonly resources: readonly string[]
  /** When the serving certificate ends, milliseconds since the epoch; undefined: there is none. */
  readonly certificateEnd: () => number | undefined
}

export interface Observation extends MetricsText {
  /** From then on its state is shown. */
  watch(state: ObservedState): void
  answered(facts: AnswerFacts): void
  /** The same decisions, counted. */
  authenticate(inner: (facts: RequestFacts) => Promise<Identity>): (facts: RequestFacts) => Promise<Identity>
  authorize(inner: Authorizer): Authorizer
  accessAsked(result: 'allowed' | 'denied' | 'error', milliseconds: number): void
  frontProxyAsked(): void
  /** `cause`: the code of OpenSSL or Node. */
  handshakeFailed(cause: string): void
  read(key: CatalogKey, tookMs: number): void
  registryCalled(method: string, code: string): void
  reconnected(): void
  watchSent(events: number): void
  watchCut(): void
}

/** Catalogs shown one by one; of those beyond, by name, only how many there are. */
const MOST_CATALOGS = 200
const SECOND = 1000

export function createObservation(options: ObservationOptions): Observation {
  const { clock } = options
  const resources = new Set(options.resources)
  const durations = new Map<CatalogKey, number>()
  let state: ObservedState | undefined
  const { metrics, contentType, text, inFormat } = createPackageServerMetrics(collect)
  metrics.build.record(1, { version: options.version, node_version: options.nodeVersion })
  metrics.aggregatorRequest.record(0)

  function collect(): void {
    const end = options.certificateEnd()
    if (end !== undefined) metrics.certificateEnd.record(end / SECOND)
    if (state === undefined) return
    metrics.requestsInFlight.record(state.requestsInFlight())
    metrics.watches.record(state.watches())
    for (const one of OF_CATALOGS) metrics[one].reset()
    const catalogs = [...state.catalogs()]
    const states = new Map<string, number>()
    for (const { connection } of catalogs) states.set(connection.state, (states.get(connection.state) ?? 0) + 1)
    for (const [name, count] of states) metrics.catalogs.record(count, { state: name })
    const byName = catalogs.map((facts) => ({ key: catalogKey(facts.source), facts }))
    byName.sort((a, b) => (a.key < b.key ? -1 : 1))
    for (const { key, facts } of byName.slice(0, MOST_CATALOGS)) show(key, facts, state.attemptedAt(key))
    for (const key of durations.keys()) if (!byName.some((one) => one.key === key)) durations.delete(key)
  }

  function show(key: CatalogKey, { source, connection, reading, failure }: CatalogFacts, attemptedAt?: number): void {
    const labels = { catalog_namespace: source.namespace, catalog: source.name }
    metrics.catalogState.record(1, { ...labels, state: connection.state })
    metrics.catalogFailing.record(failure === undefined ? 0 : 1, labels)
    if (attemptedAt !== undefined) metrics.catalogAttempt.record(attemptedAt / SECOND, labels)
    if (reading === undefined) return
    metrics.catalogSuccess.record(reading.readAt / SECOND, labels)
    metrics.catalogAge.record((clock.now() - reading.readAt) / SECOND, labels)
    metrics.catalogPackages.record(reading.packages, labels)
    metrics.catalogBytes.record(reading.bytes, labels)
    const duration = durations.get(key)
    if (duration !== undefined) metrics.catalogDuration.record(duration / SECOND, labels)
    const counts = new Map<string, number>()
    for (const { channel, reason } of reading.leftOut) {
      const kind = `${channel === undefined ? 'package' : 'channel'} ${reasonClass(reason)}`
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
    }
    for (const [kind, count] of counts) {
      const [what = '', reason = ''] = kind.split(' ')
      metrics.catalogLeftOut.record(count, { ...labels, what, reason })
    }
  }

  return {
    contentType,
    text,
    inFormat,
    watch(next) {
      state = next
    },
    answered({ attributes, code, bytes, milliseconds }) {
      const named = attributes?.kind === 'resource' ? attributes.resource : ''
      const resource = named === '' || resources.has(named) ? named : 'other'
      const verb = attributes === undefined ? '' : VERBS.has(attributes.verb) ? attributes.verb : 'other'
      metrics.requests.record(1, { verb, resource, code: String(code) })
      if (verb === 'watch') return
      metrics.requestDuration.record(milliseconds / SECOND, { verb, resource })
      metrics.responseSize.record(bytes, { verb, resource })
    },
    authenticate: (inner) => async (facts) => {
      try {
        const identity = await inner(facts)
        metrics.authentications.record(1, { result: identity.user === ANONYMOUS ? 'anonymous' : 'accepted' })
        return identity
      } catch (fault) {
        metrics.authentications.record(1, { result: isRefusal(fault) ? 'refused' : 'error' })
        throw fault
      }
    },
    authorize: (inner) => async (identity, attributes) => {
      try {
        const decision = await inner(identity, attributes)
        metrics.authorizations.record(1, { result: decision.allowed ? 'allowed' : 'denied' })
        return decision
      } catch (fault) {
        metrics.authorizations.record(1, { result: 'error' })
        throw fault
      }
    },
    accessAsked(result, milliseconds) {
      metrics.accessReviews.record(1, { result })
      metrics.accessReviewDuration.record(milliseconds / SECOND)
    },
    frontProxyAsked: () => metrics.aggregatorRequest.record(clock.now() / SECOND),
    handshakeFailed: (cause) => metrics.handshakeFailures.record(1, { cause }),
    read: (key, tookMs) => void durations.set(key, tookMs),
    registryCalled: (method, code) => metrics.registryCalls.record(1, { method, code }),
    reconnected: () => metrics.registryReconnects.record(1),
    watchSent: (events) => metrics.watchEvents.record(events),
    watchCut: () => metrics.watchesCut.record(1),
  }
}

const ANONYMOUS = 'system:anonymous'
const VERBS = new Set([
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
  'post',
  'put',
])
const OF_CATALOGS = [
  'catalogs',
  'catalogState',
  'catalogFailing',
  'catalogAttempt',
  'catalogSuccess',
  'catalogAge',
  'catalogPackages',
  'catalogBytes',
  'catalogDuration',
  'catalogLeftOut',
] as const

function isRefusal(fault: unknown): boolean {
  return fault instanceof StatusError && fault.status.code < 500
}

/** Reasons are sentences with names in them: of those a metric has but the kind. */
function reasonClass(reason: string): 'call' | 'message' | 'content' {
  if (/Get(Package|BundleForChannel)/.test(reason)) return /is not a message/.test(reason) ? 'message' : 'call'
  return /is not a message/.test(reason) ? 'message' : 'content'
}
