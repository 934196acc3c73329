// The assembly, one statement per station in the order of the walk: CatalogSources → connections → snapshots → manifests →
// store → HTTP. Receives where catalogs and identities come from, hands on a server that listens. Closes in reverse.
import { type CatalogSource, catalogKey } from '../api/catalog-source.ts'
import { decodeClusterServiceVersion } from '../api/cluster-service-version.ts'
import type { CatalogSources } from '../catalog/catalog-sources.ts'
import { createCatalogs } from '../catalog/catalogs.ts'
import type { Clock } from '../catalog/clock.ts'
import { createHeadDecoder } from '../catalog/head-decoder.ts'
import { createKeptReadings } from '../catalog/kept-readings.ts'
import { createManifestDecoder } from '../catalog/slow-manifests.ts'
import type { Identity, RequestFacts } from '../http/authentication.ts'
import type { Authorizer } from '../http/authorization.ts'
import type { HealthCheck } from '../http/health.ts'
import type { AnswerFacts } from '../http/request-handler.ts'
import { createServer, type ServerOptions } from '../http/server.ts'
import type { ServingCertificate, TlsSettings } from '../http/tls.ts'
import type { Logger } from '../log.ts'
import { createDial } from '../registry/client.ts'
import { observedDial } from '../registry/observed-dial.ts'
import type { ProxySettings } from '../registry/proxy-route.ts'
import { createReadingCodec } from '../registry/received-messages.ts'
import { catalogChecks } from './catalog-checks.ts'
import { createCatalogStatusResource } from './catalog-status-resource.ts'
import { createCatalogWarnings } from './catalog-warnings.ts'
import { listen } from './listen.ts'
import { createNamespaceView } from './namespace-view.ts'
import type { Observation } from './observation.ts'
import { type CatalogNews, createOfferedCatalogs } from './offered-catalogs.ts'
import { createPackageManifestResource } from './package-manifest-resource.ts'
import { versionInfo } from './version-info.ts'

export interface PackageServerOptions {
  readonly sources: CatalogSources
  /** True while more catalogs are to come of which `sources` knows nothing yet. */
  readonly awaiting?: () => boolean
  readonly serving: ServingOptions
  readonly authenticate: (facts: RequestFacts) => Promise<Identity>
  readonly authorize: Authorizer
  /** See http/server.ts. */
  readonly http?: Partial<
    Pick<ServerOptions, 'bounds' | 'openPaths' | 'isFrontProxy' | 'observe' | 'onHandshakeFailure'>
  >
  /** Beside those of the catalogs. */
  readonly checks?: readonly HealthCheck[]
  /** `""`: none. */
  readonly globalNamespace: string
  /** Milliseconds from one reading of a catalog to the next. */
  readonly interval: number
  readonly maxMessageBytes: number
  readonly proxies: ProxySettings
  /** Folder in which the last good reading of each catalog outlives the process; none: nowhere. */
  readonly stateFolder?: string
  readonly clock: Clock
  readonly log: Logger
  readonly news?: CatalogNews
  /** Counts what happens, and is served at /metrics; none: nothing is counted. */
  readonly observation?: Observation
}

export interface ServingOptions {
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  readonly certificate: ServingCertificate
  readonly tls?: TlsSettings
  /** Objects at paths that are none of ours. */
  readonly further?: (path: string) => object | undefined
}

export interface PackageServer {
  readonly port: number
  /** Resolves when the first whole set of CatalogSources is known; rejects where it cannot be had. */
  readonly sourcesKnown: Promise<void>
  setCertificate(certificate: ServingCertificate): void
  /** Reads this catalog now, whatever its schedule. */
  readNow(source: CatalogSource): void
  /** Takes effect at once. Milliseconds. */
  setInterval(interval: number): void
  close(how?: { readonly delayMilliseconds?: number; readonly graceMilliseconds?: number }): Promise<void>
}

/** Listens, then finds and reads catalogs for as long as it is open. Fails with PORT_IN_USE or LISTEN_FAILED. */
export async function startPackageServer(options: PackageServerOptions): Promise<PackageServer> {
  const { globalNamespace, serving, clock, log, awaiting = () => false } = options
  const stop = new AbortController()

  const settled = (namespace: string) => !awaiting() && offered.settled(namespace)
  const warnings = createCatalogWarnings(() => offered.facts(), createNamespaceView(globalNamespace))
  const statuses = createCatalogStatusResource({ now: clock.now, settled })
  const manifests = createPackageManifestResource({ globalNamespace, now: clock.now, settled, warnings })
  const offered = createOfferedCatalogs({
    manifests,
    statuses,
    globalNamespace,
    clock,
    ...(options.news === undefined ? {} : { news: options.news }),
  })
  const { stateFolder: folder } = options
  const catalogLog = log.child({ room: 'catalog' })
  const kept = folder === undefined ? undefined : createKeptReadings({ folder, clock, log: catalogLog })
  const { observation, proxies, maxMessageBytes } = options
  const dial = createDial({ proxies, maxMessageBytes }, createReadingCodec())
  const catalogs = createCatalogs({
    sources: options.sources,
    dial: observation === undefined ? dial : observedDial(dial, observation),
    decoder: createHeadDecoder(createManifestDecoder(decodeClusterServiceVersion).decode),
    interval: options.interval,
    clock,
    log: catalogLog,
    ...(kept === undefined ? {} : { kept }),
    events: {
      source: offered.setSource,
      removed: offered.removeSource,
      synced: offered.sourcesSynced,
      connection: offered.setConnection,
      reading(key, snapshot, facts) {
        observation?.read(key, facts.tookMs)
        return offered.setSnapshot(key, snapshot, facts)
      },
      recalled: offered.setRecalled,
      failure: offered.setFailure,
    },
  })
  const health = catalogChecks({ catalogs: offered, awaiting, clock })
  const server = createServer({
    resources: [manifests, statuses],
    certificate: serving.certificate,
    ...(serving.tls === undefined ? {} : { tls: serving.tls }),
    authenticate: options.authenticate,
    authorize: options.authorize,
    checks: [...(options.checks ?? []), ...health.checks],
    ...options.http,
    ...(observation === undefined ? {} : observed(observation, options.http?.observe)),
    version: versionInfo(),
    ...(serving.further === undefined ? {} : { further: serving.further }),
    clock,
    log: log.child({ room: 'http' }),
  })
  observation?.watch({
    catalogs: offered.facts,
    attemptedAt: (key) => catalogs.state(key)?.attemptedAt,
    requestsInFlight: () => server.requestsInFlight,
    watches: () => server.watches,
  })
  const port = await listen(server, serving.host, serving.port)
  const sourcesKnown = catalogs.start(stop.signal)

  return {
    port,
    sourcesKnown,
    setCertificate: server.setCertificate,
    readNow: (source) => catalogs.readNow(catalogKey(source)),
    setInterval: catalogs.setInterval,
    async close(how) {
      await server.close(how)
      health.close()
      stop.abort()
      await catalogs.close()
      await kept?.close()
      manifests.close()
      statuses.close()
    },
  }
}

/** Whoever was told of answers before still is. */
function observed(observation: Observation, observe: ServerOptions['observe']) {
  return {
    metrics: observation,
    onWatchSent: observation.watchSent,
    onWatchCut: observation.watchCut,
    onHandshakeFailure: observation.handshakeFailed,
    observe(facts: AnswerFacts) {
      observation.answered(facts)
      observe?.(facts)
    },
  }
}
