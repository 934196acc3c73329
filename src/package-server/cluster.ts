// The package-server beside a cluster: catalogs, callers' identities and their rights from its API server. Receives the options of
// the command line, hands on an exit code. Whatever the cluster does not answer is waited for; readiness says what.
import { once } from 'node:events'
import { hostname } from 'node:os'
import type { Writable } from 'node:stream'
import type { NamedCatalog } from '../catalog/catalog-sources.ts'
import { systemClock as catalogClock } from '../catalog/clock.ts'
import { CATALOG_SOURCES_PATH, clusterSources, decodeNamedCatalog } from '../catalog/cluster-sources.ts'
import { VERSION } from '../command-line/version.ts'
import { type ObservationServer, startObservationServer } from '../http/observation-server.ts'
import type { MetricsText } from '../http/prometheus.ts'
import type { TlsSettings } from '../http/tls.ts'
import { DEFAULT_TLS } from '../http/tls.ts'
import { systemClock as clusterClock } from '../kube/back-off.ts'
import { createEventRecorder } from '../kube/events.ts'
import { createListWatch } from '../kube/list-watch.ts'
import { createLevelCycle, createLogger } from '../log.ts'
import { proxySettings } from '../registry/proxy-route.ts'
import { openAuditFile } from './audit-file.ts'
import { checkAuthorityFiles } from './authority-file.ts'
import { boundsOf } from './bound-flags.ts'
import { createCatalogEvents } from './catalog-events.ts'
import { logLevel } from './catalog-flags.ts'
import { opensslCipher } from './cipher-suites.ts'
import { type ClusterClients, openClusterClients } from './cluster-clients.ts'
import { type AccessSettings, createDelegatedAccess } from './delegated-access.ts'
import { createObservation } from './observation.ts'
import type { PackageServerFlags } from './options.ts'
import { startPackageServer } from './package-server.ts'
import { createSelfManagedCertificates, type SelfManagedOptions } from './self-managed-certificates.ts'
import { type CertificateSource, certificateSourceOf, checkCertificateSource, openServingPair } from './serving-pair.ts'
import { followSyncInterval } from './sync-interval.ts'

export interface ClusterSurroundings {
  /** Ends everything. */
  readonly signal: AbortSignal
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly stdout: Writable
  readonly nodeVersion: string
  /** Calls the listener each time that somebody asks for another level of the log. */
  readonly onLevelSignal: (listener: () => void) => void
}

/** Requests on their way when it is told to end get so long. Milliseconds. */
const GRACE = 10_000

/** As requests name them. */
const RESOURCES = ['packagemanifests', 'catalogstatuses']

const API_SERVICES = ['v1.packages.operators.coreos.com']

const CATALOG_SOURCES_ADVICE: Readonly<Record<number, string>> = {
  403: 'CatalogSources may not be read: give our service account list and watch on catalogsources.operators.coreos.com',
  404: 'there is no CatalogSource in this cluster yet: its CustomResourceDefinition is installed with OLM',
}

/** Serves until the signal aborts. Fails with USAGE, FILE_UNREADABLE, KUBE_NO_CLUSTER, PORT_IN_USE or LISTEN_FAILED. */
export async function runInCluster(flags: PackageServerFlags, surroundings: ClusterSurroundings): Promise<number> {
  const { signal, environment, stdout } = surroundings
  const levels = createLevelCycle()
  const log = createLogger({ level: logLevel(flags), format: flags.logFormat, levels })
  surroundings.onLevelSignal(() => log.info({ detail: levels.next() }, 'the log is kept at another level'))
  const stop = new AbortController()
  const clients = await openClusterClients(flags, catalogClock().now)
  const kubeLog = log.child({ room: 'kube' })
  const around = { log: kubeLog, clock: clusterClock, signal: stop.signal }
  const hosts = serviceHosts(flags.certificateService, clients.namespace)
  const { main: client, namespace } = clients
  const events = createEventRecorder({ client, log: kubeLog, clock: clusterClock, namespace, instance: hostname() })
  const source = certificateSource(flags, clients, { hosts, log: kubeLog, events })
  await checkCertificateSource(source)
  await checkAuthorityFiles([flags.clientCaFile, flags.requestheaderClientCaFile])
  const bounds = boundsOf(flags)
  const audit = flags.auditLog === '' ? undefined : await openAuditFile({ file: flags.auditLog, stdout, ...around })
  const { authentication, authorization } = clients
  const pair = await openServingPair({ source, hosts, ...around })
  const observation = createObservation({
    clock: clusterClock,
    version: VERSION,
    nodeVersion: surroundings.nodeVersion,
    resources: RESOURCES,
    certificateEnd: pair.notAfter,
  })
  const access = await createDelegatedAccess({
    authentication,
    authorization,
    settings: accessSettings(flags),
    onFrontProxy: observation.frontProxyAsked,
    onAccessAsked: observation.accessAsked,
    ...around,
  })
  const catalogSources = createListWatch<NamedCatalog>({
    client: clients.main,
    path: CATALOG_SOURCES_PATH,
    decode: decodeNamedCatalog,
    explain: ({ status }) => CATALOG_SOURCES_ADVICE[status ?? 0],
    ...around,
  })
  const watching = catalogSources.run(stop.signal)
  const server = await startPackageServer({
    sources: clusterSources(catalogSources),
    serving: { host: flags.bindAddress, port: flags.securePort, certificate: pair.first, tls: tlsSettings(flags) },
    authenticate: observation.authenticate(access.authenticate),
    authorize: observation.authorize(access.authorize),
    observation,
    news: createCatalogEvents(events),
    http: {
      isFrontProxy: access.isFrontProxy,
      bounds,
      openPaths: flags.authorizationAlwaysAllowPaths,
      ...(audit === undefined ? {} : { observe: audit.observe }),
    },
    checks: [
      ...access.checks,
      ...pair.checks,
      {
        name: 'cluster-catalog-sources',
        endpoints: ['readyz'],
        check: () => (catalogSources.state.synced ? undefined : catalogSources.state.reason),
      },
    ],
    globalNamespace: flags.globalNamespace,
    interval: flags.interval,
    maxMessageBytes: flags.maxMessageSize,
    proxies: proxySettings(environment),
    ...(flags.stateDir === '' ? {} : { stateFolder: flags.stateDir }),
    clock: catalogClock(),
    log,
  })
  pair.follow(server.setCertificate)
  const metricsPort = await openMetricsPort(flags.metricsAddress, observation)
  if (metricsPort !== undefined) log.info({ port: metricsPort.port }, 'metrics on a port of their own')
  const { setInterval: onInterval } = server
  const following = followSyncInterval(
    { client, fallback: flags.interval, onInterval, log: kubeLog, clock: clusterClock },
    stop.signal,
  )
  log.info({ port: server.port, cluster: clients.main.source }, 'serving')
  try {
    if (!signal.aborted) await once(signal, 'abort')
  } finally {
    await server.close({ delayMilliseconds: flags.shutdownDelayDuration, graceMilliseconds: GRACE })
    stop.abort()
    await watching
    await following
    await metricsPort?.close()
    clients.close()
    await audit?.close()
  }
  return 0
}

/** Undefined where no address is given. Fails with PORT_IN_USE or LISTEN_FAILED. */
async function openMetricsPort(address: string, metrics: MetricsText): Promise<ObservationServer | undefined> {
  if (address === '') return undefined
  return startObservationServer({ address, flag: 'metrics-address', checks: [], metrics })
}

/** Every name under which the cluster reaches a Service, the one that the aggregator uses first. */
function serviceHosts(service: string, namespace: string): readonly string[] {
  const name = `${service}.${namespace}`
  return [`${name}.svc`, service, name, `${name}.svc.cluster.local`]
}

function certificateSource(
  flags: PackageServerFlags,
  { main: client, namespace }: ClusterClients,
  { hosts, log, events }: Pick<SelfManagedOptions, 'hosts' | 'log' | 'events'>,
): CertificateSource {
  const secret = flags.certificateSecret
  if (secret === '') return certificateSourceOf(flags)
  const clock = clusterClock
  return {
    kind: 'self-managed',
    create: ({ onChange }) =>
      createSelfManagedCertificates({
        ...{ client, namespace, secret, hosts, clock, log, events, onChange },
        apiServices: API_SERVICES,
      }),
  }
}

function accessSettings(flags: PackageServerFlags): AccessSettings {
  return {
    anonymous: flags.anonymousAuth,
    skipLookup: flags.authenticationSkipLookup,
    tokenTtl: flags.authenticationTokenWebhookCacheTtl,
    apiAudiences: flags.apiAudiences,
    clientCaFile: flags.clientCaFile,
    requestHeaderCaFile: flags.requestheaderClientCaFile,
    requestHeader: {
      allowedNames: flags.requestheaderAllowedNames,
      userHeaders: flags.requestheaderUsernameHeaders,
      uidHeaders: flags.requestheaderUidHeaders,
      groupHeaders: flags.requestheaderGroupHeaders,
      extraPrefixes: flags.requestheaderExtraHeadersPrefix,
    },
    alwaysAllowPaths: flags.authorizationAlwaysAllowPaths,
    allowedTtl: flags.authorizationWebhookCacheAuthorizedTtl,
    deniedTtl: flags.authorizationWebhookCacheUnauthorizedTtl,
  }
}

function tlsSettings(flags: PackageServerFlags): TlsSettings {
  return {
    ...DEFAULT_TLS,
    minVersion: flags.tlsMinVersion === 'VersionTLS13' ? 'TLSv1.3' : 'TLSv1.2',
    ciphers: flags.tlsCipherSuites.map((name) => opensslCipher(name) ?? name),
  }
}
