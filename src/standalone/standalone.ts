// `npm start`: an operator registry on folders of catalogs and a package-server that reads it over gRPC, in one process.
// Nothing in the package-server knows that there is no cluster but where its CatalogSources come from.
import { once } from 'node:events'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CatalogSources, mergedSources } from '../catalog/catalog-sources.ts'
import { type Clock, systemClock } from '../catalog/clock.ts'
import { directorySources } from '../catalog/directory-sources.ts'
import { loadCatalog } from '../file-based-catalog/load-catalog.ts'
import { composeAuthenticators } from '../http/authentication.ts'
import { allowAuthenticated } from '../http/authorization.ts'
import { clientCertificateAuthenticator } from '../http/client-certificate.ts'
import { createLogger, type Logger } from '../log.ts'
import { logLevel } from '../package-server/catalog-flags.ts'
import { clientAuthorities } from '../package-server/client-authorities.ts'
import { startPackageServer } from '../package-server/package-server.ts'
import { proxySettings } from '../registry/proxy-route.ts'
import { openIdentity, writeKubeconfig } from './data-folder.ts'
import { withFlag } from './folder-fault.ts'
import type { Identity } from './identity.ts'
import { kubeconfigText, shellWord } from './kubeconfig-file.ts'
import { createListedLines } from './listed-lines.ts'
import { namespaceObject } from './namespace-object.ts'
import type { StandaloneFlags } from './options.ts'
import { createOwnCatalogs, type OwnCatalogs } from './own-catalogs.ts'
import { hostsOf, serverUrl } from './reach.ts'
import { createTerminal, type Screen } from './terminal.ts'

export interface StandaloneSurroundings {
  /** Ends everything. */
  readonly signal: AbortSignal
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly stdout: Screen
  readonly stderr: Screen
}

const EMBEDDED_CATALOGS = fileURLToPath(new URL('./catalogs', import.meta.url))

/** Requests on their way when it is told to end get so long. Milliseconds. */
const GRACE = 1000

/** Serves until the signal aborts. Fails with USAGE, FILE_UNREADABLE, PORT_IN_USE or LISTEN_FAILED. */
export async function runStandalone(flags: StandaloneFlags, surroundings: StandaloneSurroundings): Promise<void> {
  try {
    await serve(flags, surroundings)
  } catch (thrown) {
    const [catalogs, sources] = [resolve(flags.catalogs), resolve(flags.catalogSources)]
    throw withFlag(thrown, { '--catalogs': catalogs, '--catalog-sources': sources })
  }
}

async function serve(flags: StandaloneFlags, surroundings: StandaloneSurroundings): Promise<void> {
  const { signal, stdout } = surroundings
  const clock = systemClock()
  const terminal = createTerminal(surroundings.stderr)
  // Through the terminal, so that a line of the log does not break the bar.
  const toTerminal = { write: (line: string) => terminal.line(line.replace(/\n$/, '')) }
  const log = createLogger({ level: levelOf(flags), format: flags.logFormat }, toTerminal)
  const dataDir = resolve(flags.dataDir)

  const { identity, renewed } = await openIdentity(dataDir, { hosts: hostsOf(flags.bindAddress), now: clock.now() })
  for (const line of renewed) terminal.line(line)
  if (signal.aborted) return

  const own = createOwnCatalogs({
    directory: flags.catalogs === '' ? EMBEDDED_CATALOGS : resolve(flags.catalogs),
    follow: flags.catalogs !== '',
    namespace: flags.globalNamespace,
    load: loadCatalog,
    terminal,
    // What becomes of a catalog is said in lines for people: the registry's own words would say it twice.
    log: log.child({ room: 'operator-registry' }, { level: log.level === 'warn' ? 'silent' : log.level }),
    onNewEdition: (source) => server.readNow(source),
  })
  await own.check()
  const server = await startPackageServer({
    sources: sourcesOf(flags, own, log.child({ room: 'catalog' })),
    awaiting: own.loading,
    serving: {
      host: flags.bindAddress,
      port: flags.securePort,
      certificate: { cert: identity.serving.certificate, key: identity.serving.key },
      further: namespaceObject,
    },
    authenticate: authenticatorOf(identity, clock),
    authorize: allowAuthenticated,
    globalNamespace: flags.globalNamespace,
    interval: flags.interval,
    maxMessageBytes: flags.maxMessageSize,
    proxies: proxySettings(surroundings.environment),
    news: createListedLines(terminal),
    clock,
    log,
  })
  try {
    await server.sourcesKnown
    const url = serverUrl(flags.bindAddress, server.port)
    const facts = { server: url, authority: identity.authority.certificate, client: identity.client }
    const kubeconfig = await writeKubeconfig(dataDir, kubeconfigText(facts))
    stdout.write(`serving ${url}\n\n  kubectl --kubeconfig ${shellWord(kubeconfig)} get packagemanifests -A\n\n`)
    if (!signal.aborted) await own.start()
    if (!signal.aborted) await once(signal, 'abort')
  } finally {
    terminal.close()
    await server.close({ graceMilliseconds: GRACE })
    await own.close()
  }
}

/** Our own first: a CatalogSource of the same name in a file is the one that is left out. */
function sourcesOf(flags: StandaloneFlags, own: OwnCatalogs, log: Logger): CatalogSources {
  const directory = flags.catalogSources === '' ? [] : [directorySources(resolve(flags.catalogSources), log)]
  return mergedSources([own.sources, ...directory], log)
}

/** Whoever shows a client certificate of our authority. */
function authenticatorOf(identity: Identity, clock: Clock) {
  const authorities = clientAuthorities(identity.authority.certificate)
  return composeAuthenticators({
    authenticators: [clientCertificateAuthenticator({ authorities: () => authorities, clock })],
    anonymous: false,
  })
}

/** What goes well a person has read as a line already. */
function levelOf(flags: StandaloneFlags): 'warn' | 'info' | 'debug' | 'trace' {
  return flags.v === 0 && !flags.debug ? 'warn' : logLevel(flags)
}
