// The package-server beside a cluster: CatalogSources, trust, identities and permissions come from its API server. Receives
// flags, serves until it is told to end.
import { once } from 'node:events'
import { systemClock as catalogClock } from '../catalog/clock.ts'
import { CATALOG_SOURCES_PATH, clusterSources, decodeNamedCatalog } from '../catalog/cluster-sources.ts'
import { VERSION } from '../command-line/version.ts'
import { DEFAULT_TLS, type ServingCertificate, type TlsSettings } from '../http/tls.ts'
import { type ApiClient, createApiClient } from '../kube/api-client.ts'
import { systemClock as kubeClock } from '../kube/back-off.ts'
import { loadKubeconfig } from '../kube/kubeconfig.ts'
import { createListWatch } from '../kube/list-watch.ts'
import { createLogger } from '../log.ts'
import { proxySettings } from '../registry/proxy-route.ts'
import { logLevel } from './catalog-flags.ts'
import { opensslCipher } from './cipher-suites.ts'
import { type AccessSettings, createDelegatedAccess } from './delegated-access.ts'
import type { PackageServerFlags } from './options.ts'
import { type PackageServer, startPackageServer } from './package-server.ts'
import { holdServingCertificate } from './serving-certificate.ts'

export interface ClusterSurroundings {
  /** Ends everything. */
  readonly signal: AbortSignal
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Called with the port once it listens. */
  readonly onListening?: (port: number) => void
}

/** Serves until the signal aborts. Fails with USAGE, FILE_UNREADABLE, KUBE_NO_CLUSTER, PORT_IN_USE or LISTEN_FAILED. */
export async function runInCluster(flags: PackageServerFlags, surroundings: ClusterSurroundings): Promise<void> {
  const log = createLogger({ level: logLevel(flags), format: flags.logFormat })
  const clock = { ...catalogClock(), ...kubeClock }
  const stop = new AbortController()
  const clients = await openClients(flags)
  let server: PackageServer | undefined
  let latest: ServingCertificate | undefined

  const certificate = await holdServingCertificate({
    flags,
    clock,
    log: log.child({ room: 'certificates' }),
    onChange(next) {
      latest = next
      server?.setCertificate(next)
    },
  })
  const access = await createDelegatedAccess({
    authentication: clients.authentication,
    authorization: clients.authorization,
    settings: accessSettings(flags),
    clock,
    log: log.child({ room: 'access' }),
    signal: stop.signal,
  })
  const catalogSources = createListWatch({
    client: clients.cluster,
    path: CATALOG_SOURCES_PATH,
    decode: decodeNamedCatalog,
    log: log.child({ room: 'kube' }),
    clock,
  })
  try {
    server = await startPackageServer({
      sources: clusterSources(catalogSources),
      serving: {
        host: flags.bindAddress,
        port: flags.securePort,
        certificate: latest ?? certificate.first,
        tls: tlsSettings(flags),
      },
      authenticate: access.authenticate,
      authorize: access.authorize,
      checks: [certificate.check, ...access.checks],
      globalNamespace: flags.globalNamespace,
      interval: flags.interval,
      maxMessageBytes: flags.maxMessageSize,
      proxies: proxySettings(surroundings.environment),
      clock,
      log,
    })
    surroundings.onListening?.(server.port)
    log.info({ address: flags.bindAddress, port: server.port, version: VERSION }, 'serving')
    void catalogSources.run(stop.signal)
    if (!surroundings.signal.aborted) await once(surroundings.signal, 'abort')
    log.info('ending')
    await server.close({ delayMilliseconds: flags.shutdownDelayDuration })
  } finally {
    stop.abort()
    certificate.close()
    for (const client of new Set(Object.values(clients))) client.close()
  }
}

interface Clients {
  readonly cluster: ApiClient
  readonly authentication: ApiClient
  readonly authorization: ApiClient
}

/** Equal kubeconfigs share one client, and so its connections. */
async function openClients(flags: PackageServerFlags): Promise<Clients> {
  const open = async (file: string) =>
    createApiClient(await loadKubeconfig({ file: file === '' ? undefined : file, now: Date.now }), {
      userAgent: `package-server/v${VERSION}`,
    })
  const cluster = await open(flags.kubeconfig)
  const other = (file: string) => (file === '' || file === flags.kubeconfig ? cluster : open(file))
  return {
    cluster,
    authentication: await other(flags.authenticationKubeconfig),
    authorization: await other(flags.authorizationKubeconfig),
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
    ciphers: flags.tlsCipherSuites.flatMap((name) => opensslCipher(name) ?? []),
  }
}
