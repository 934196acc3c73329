// Every metric of the package-server: its name, help and labels, and which fact it is made of. Labels never hold what a catalog or a
// caller can choose freely: verbs, codes and reasons are of closed sets, and of catalogs so many are shown one by one.
import { createMetrics, type Metrics } from '../http/prometheus.ts'

const OF_CATALOG = ['catalog_namespace', 'catalog'] as const
const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export const PACKAGE_SERVER_METRICS = {
  requests: {
    kind: 'counter',
    name: 'package_server_requests_total',
    help: 'Requests answered, by verb, resource and HTTP status; of watches, those that began.',
    labels: ['verb', 'resource', 'code'],
  },
  requestDuration: {
    kind: 'histogram',
    name: 'package_server_request_duration_seconds',
    help: 'From the headers of a request to the last byte of its answer; watches left out.',
    labels: ['verb', 'resource'],
    buckets: SECONDS,
  },
  responseSize: {
    kind: 'histogram',
    name: 'package_server_response_size_bytes',
    help: 'Bytes of bodies as sent, compressed where the client takes it.',
    labels: ['verb', 'resource'],
    buckets: [1e3, 1e4, 1e5, 1e6, 1e7, 1e8],
  },
  requestsInFlight: {
    kind: 'gauge',
    name: 'package_server_requests_in_flight',
    help: 'Requests for resources that are being answered, watches left out.',
  },
  watches: { kind: 'gauge', name: 'package_server_watches', help: 'Watches that are running.' },
  watchEvents: {
    kind: 'counter',
    name: 'package_server_watch_events_total',
    help: 'Events sent to watchers, bookmarks among them.',
  },
  watchesCut: {
    kind: 'counter',
    name: 'package_server_watches_cut_total',
    help: 'Watches ended because their client took nothing any more.',
  },
  catalogs: {
    kind: 'gauge',
    name: 'package_server_catalogs',
    help: 'CatalogSources, by the state of the connection to their registry.',
    labels: ['state'],
  },
  catalogState: {
    kind: 'gauge',
    name: 'package_server_catalog_state_info',
    help: 'State of the connection to the registry of a catalog: 1 for the one that it is in.',
    labels: [...OF_CATALOG, 'state'],
  },
  catalogFailing: {
    kind: 'gauge',
    name: 'package_server_catalog_failing',
    help: '1 where the latest attempt to read the catalog failed, 0 where it did not.',
    labels: OF_CATALOG,
  },
  catalogAttempt: {
    kind: 'gauge',
    name: 'package_server_catalog_last_attempt_timestamp_seconds',
    help: 'When the latest attempt to read the catalog ended, since 1970.',
    labels: OF_CATALOG,
  },
  catalogSuccess: {
    kind: 'gauge',
    name: 'package_server_catalog_last_success_timestamp_seconds',
    help: 'When the reading that is shown ended, since 1970.',
    labels: OF_CATALOG,
  },
  catalogAge: {
    kind: 'gauge',
    name: 'package_server_catalog_age_seconds',
    help: 'How old the reading is that is shown.',
    labels: OF_CATALOG,
  },
  catalogPackages: {
    kind: 'gauge',
    name: 'package_server_catalog_packages',
    help: 'Packages shown of the catalog.',
    labels: OF_CATALOG,
  },
  catalogLeftOut: {
    kind: 'gauge',
    name: 'package_server_catalog_left_out',
    help: 'Packages and channels of the catalog that cannot be shown, by what went wrong.',
    labels: [...OF_CATALOG, 'what', 'reason'],
  },
  catalogDuration: {
    kind: 'gauge',
    name: 'package_server_catalog_reading_duration_seconds',
    help: 'How long the latest whole reading of the catalog took.',
    labels: OF_CATALOG,
  },
  catalogBytes: {
    kind: 'gauge',
    name: 'package_server_catalog_reading_bytes',
    help: 'Bytes of all messages of the reading that is shown.',
    labels: OF_CATALOG,
  },
  registryCalls: {
    kind: 'counter',
    name: 'package_server_registry_calls_total',
    help: 'gRPC calls to registries that ended, by method and status.',
    labels: ['method', 'code'],
  },
  registryReconnects: {
    kind: 'counter',
    name: 'package_server_registry_reconnects_total',
    help: 'Connections to registries that were made again after they had been lost.',
  },
  handshakeFailures: {
    kind: 'counter',
    name: 'package_server_tls_handshake_failures_total',
    help: 'TLS handshakes that failed, by the code that OpenSSL or Node has for the cause.',
    labels: ['cause'],
  },
  certificateEnd: {
    kind: 'gauge',
    name: 'package_server_certificate_not_after_timestamp_seconds',
    help: 'When the serving certificate ends, since 1970.',
  },
  authentications: {
    kind: 'counter',
    name: 'package_server_authentications_total',
    help: 'Requests whose caller was asked for: accepted, anonymous, refused, or an error.',
    labels: ['result'],
  },
  authorizations: {
    kind: 'counter',
    name: 'package_server_authorizations_total',
    help: 'Decisions about access: allowed, denied, or an error; those answered from what is known included.',
    labels: ['result'],
  },
  accessReviews: {
    kind: 'counter',
    name: 'package_server_access_reviews_total',
    help: 'Decisions about access that the API server was asked for, because none was known.',
    labels: ['result'],
  },
  accessReviewDuration: {
    kind: 'histogram',
    name: 'package_server_access_review_duration_seconds',
    help: 'How long the API server took to decide about access, repetitions included.',
    buckets: SECONDS,
  },
  aggregatorRequest: {
    kind: 'gauge',
    name: 'package_server_aggregator_last_request_timestamp_seconds',
    help: 'When the aggregator of the API server last asked something, since 1970; 0: never since the start.',
  },
  build: {
    kind: 'gauge',
    name: 'package_server_build_info',
    help: 'What is running: 1.',
    labels: ['version', 'node_version'],
  },
} as const

export type PackageServerMetric = keyof typeof PACKAGE_SERVER_METRICS

export function createPackageServerMetrics(collect: () => void): Metrics<PackageServerMetric> {
  return createMetrics(PACKAGE_SERVER_METRICS, collect)
}
