// The package-server beside a cluster: catalogs, callers' identities and their rights from its API server. Receives the options of
// the command line, hands on an exit code. Whatever the cluster does not answer is waited for; readiness says what.
import { once } from 'node:events'
import { hostname } from 'node:os'
import type { Writable } from 'node:stream'
import type { NamedCatalog } from '../catalog/catalog-sources.ts'
import { systemClock as catalogClock } from '../catalog/clock.ts'
import { CATALOG_SOURCES_PATH, clusterSources, decodeNamedCatalog } from '../catalog/cluster-sources.ts'
import type { TlsSettings } from '../http/tls.ts'
import { DEFAULT_TLS } from '../http/tls.ts'
import { systemClock as clusterClock } from '../kube/back-off.ts'
import { createEventRecorder } from '../kube/events.ts'
import { createListWatch } from '../kube/list-watch.ts'
import { createLogger, type Logger } from '../log.ts'
import { proxySettings } from '../registry/proxy-route.ts'
import { openAuditFile } from './audit-file.ts'
import { boundsOf } from './bound-flags.ts'
import { logLevel } from './catalog-flags.ts'
import { opensslCipher } from './cipher-suites.ts'
import { type ClusterClients, openClusterClients } from './cluster-clients.ts'
import { type AccessSettings, createDelegatedAccess } from './delegated-access.ts'
import type { PackageServerFlags } from './options.ts'
import { startPackageServer } from './package-server.ts'
import { createSelfManagedCertificates } from './self-managed-certificates.ts'
import { type CertificateSource, certificateSourceOf, checkCertificateSource, openServingPair } from './serving-pair.ts'

export interface ClusterSurroundings {
  /** Ends everything. */
  readonly signal: AbortSignal
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly stdout: Writable
}

/** Requests on their way when it is told to end get so long. Milliseconds. */
const GRACE = 10_000

const API_SERVICES = ['v1.packages.operators.coreos.com']

const CATALOG_SOURCES_ADVICE: Readonly<Record<number, string>> = {
  403: 'CatalogSources may not be read: give our service account list and watch on catalogsources.operators.coreos.com',
  404: 'there is no CatalogSource in this cluster yet: its CustomResourceDefinition is installed with OLM',
}

/** Serves until the signal aborts. Fails with USAGE, FILE_UNREADABLE, KUBE_NO_CLUSTER, PORT_IN_USE or LISTEN_FAILED. */
export async function runInCluster(
  flags: PackageServerFlags,
  { signal, environment, stdout }: ClusterSurroundings,
): Promise<number> {
  const log = createLogger({ level: logLevel(flags), format: flags.logFormat })
  const stop = new AbortController()
  const clients = await openClusterClients(flags, catalogClock().now)
  const kubeLog = log.child({ room: 'kube' })
  const around = { log: kubeLog, clock: clusterClock, signal: stop.signal }
  const hosts = serviceHosts(flags.certificateService, clients.namespace)
  const source = certificateSource(flags, clients, hosts, kubeLog)
  await checkCertificateSource(source)
  const bounds = boundsOf(flags)
  const audit = flags.auditLog === '' ? undefined : await openAuditFile({ file: flags.auditLog, stdout, ...around })
  const { authentication, authorization } = clients
  const access = await createDelegatedAccess({
    authentication,
    authorization,
    settings: accessSettings(flags),
    ...around,
  })
  const pair = await openServingPair({ source, hosts, ...around })
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
    authenticate: access.authenticate,
    authorize: access.authorize,
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
    clock: catalogClock(),
    log,
  })
  pair.follow(server.setCertificate)
  log.info({ port: server.port, cluster: clients.main.source }, 'serving')
  try {
    if (!signal.aborted) await once(signal, 'abort')
  } finally {
    await server.close({ delayMilliseconds: flags.shutdownDelayDuration, graceMilliseconds: GRACE })
    stop.abort()
    await watching
    clients.close()
    await audit?.close()
  }
  return 0
}

/** Every name under which the cluster reaches a Service, the one that the aggregator uses first. */
function serviceHosts(service: string, namespace: string): readonly string[] {
  const name = `${service}.${namespace}`
  return [`${name}.svc`, service, name, `${name}.svc.cluster.local`]
}

function certificateSource(
  flags: PackageServerFlags,
  { main: client, namespace }: ClusterClients,
  hosts: readonly string[],
  log: Logger,
): CertificateSource {
  const secret = flags.certificateSecret
  if (secret === '') return certificateSourceOf(flags)
  const clock = clusterClock
  const events = createEventRecorder({ client, log, clock, namespace, instance: hostname() })
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
