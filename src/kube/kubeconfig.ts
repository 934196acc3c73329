// Where the API server is and how to show it who we are: from a kubeconfig file, or in a pod from the service account.
// Receives a file name, hands on fresh connection facts for every request; never keeps a credential longer than its source does.
import { readFileSync } from 'node:fs'
import type { Agent, RequestOptions } from 'node:https'
import { dirname, resolve } from 'node:path'
import { fileReasonOf, OlmError, reasonOf } from '../errors.ts'

/** What a request needs to reach the API server. `identity` changes whenever a connection made before must not be used again. */
export interface Connection {
  readonly server: URL
  readonly headers: Readonly<Record<string, string>>
  readonly tls: TlsIdentity
  /** Set where the kubeconfig names a proxy; otherwise the caller keeps its own connections. */
  readonly agent: Agent | undefined
}

export interface TlsIdentity {
  readonly ca: string | undefined
  readonly cert: string | undefined
  readonly key: string | undefined
  readonly servername: string | undefined
  readonly rejectUnauthorized: boolean
}

export interface Kubeconfig {
  /** For messages: the file, or `in-cluster`. */
  readonly source: string
  /** The namespace of the current context, in a pod the pod's own; undefined where neither says one. */
  readonly namespace: string | undefined
  connection(): Promise<Connection>
  /** The API server refused the credentials: read them again from their source before the next request. */
  refresh(): void
}

export interface KubeconfigOptions {
  /** Undefined: in-cluster. */
  readonly file: string | undefined
  readonly now: () => number
  /** Where the service account's folder is rooted, for tests. */
  readonly root?: string
}

/** Files that a kubeconfig names (`tokenFile`) are read again this often, as the Kubernetes clients do. Milliseconds. */
const REREAD = 60_000

type ClientNode = typeof import('./cluster-library.ts')

/** Throws an OlmError where the file is missing or no kubeconfig, or where there is no pod around us. */
export async function loadKubeconfig(options: KubeconfigOptions): Promise<Kubeconfig> {
  const library = await import('./cluster-library.ts')
  const source = options.file ?? 'in-cluster'
  let config = load(library, options)
  let readAt = options.now()
  let stale = false

  function current(): InstanceType<ClientNode['KubeConfig']> {
    if (!stale && options.now() - readAt < REREAD) return config
    readAt = options.now()
    try {
      const text = options.file === undefined ? '' : readFileSync(options.file, 'utf8')
      if (stale || options.file === undefined || /\btokenFile\b/.test(text) || text !== lastText) {
        config = load(library, options)
        lastText = text
      }
      stale = false
    } catch {
      // A file that is being replaced: the last good reading stays.
    }
    return config
  }
  let lastText = options.file === undefined ? '' : readFileSync(options.file, 'utf8')

  return {
    source,
    namespace: config.getContextObject(config.getCurrentContext())?.namespace ?? podNamespace(options),
    async connection() {
      const kube = current()
      const facts: RequestOptions = {}
      try {
        await kube.applyToHTTPSOptions(facts)
      } catch (error) {
        throw new OlmError('KUBE_CREDENTIALS', { source, reason: reasonOf(error) }, { cause: error })
      }
      const cluster = kube.getCurrentCluster()
      return {
        server: serverUrl(cluster?.server, source),
        headers: headersOf(facts),
        tls: {
          ca: text(facts.ca),
          cert: text(facts.cert),
          key: text(facts.key),
          servername: facts.servername,
          rejectUnauthorized: facts.rejectUnauthorized ?? true,
        },
        agent: cluster?.proxyUrl === undefined ? undefined : (facts.agent as Agent),
      }
    },
    refresh() {
      stale = true
    },
  }
}

function load(library: ClientNode, options: KubeconfigOptions) {
  const config = new library.KubeConfig()
  if (options.file === undefined) {
    config.loadFromCluster(options.root ?? '')
    serverUrl(config.getCurrentCluster()?.server, 'in-cluster')
    return config
  }
  try {
    config.loadFromFile(options.file)
    addTokenFiles(config, library.loadYaml(readFileSync(options.file, 'utf8')), dirname(options.file))
  } catch (error) {
    throw new OlmError('FILE_UNREADABLE', { file: options.file, reason: fileReasonOf(error) }, { cause: error })
  }
  serverUrl(config.getCurrentCluster()?.server, options.file)
  return config
}

/** The library knows `tokenFile` only as what it makes of a service account; a kubeconfig may name one too, relative to itself. */
function addTokenFiles(config: InstanceType<ClientNode['KubeConfig']>, raw: unknown, folder: string): void {
  const users = isRecord(raw) && Array.isArray(raw.users) ? raw.users.filter(isRecord) : []
  config.users = config.users.map((user) => {
    const facts = users.find((other) => other.name === user.name)?.user
    if (!isRecord(facts) || typeof facts.tokenFile !== 'string' || user.token) return user
    const authProvider = { name: 'tokenFile', config: { tokenFile: resolve(folder, facts.tokenFile) } }
    return { ...user, authProvider }
  })
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function serverUrl(server: string | undefined, source: string): URL {
  const url = URL.parse(server ?? '')
  if (url === null || url.hostname === '' || url.hostname === 'undefined')
    throw new OlmError('KUBE_NO_CLUSTER', { source })
  return url
}

function podNamespace(options: KubeconfigOptions): string | undefined {
  if (options.file !== undefined) return undefined
  try {
    const file = `${options.root ?? ''}/var/run/secrets/kubernetes.io/serviceaccount/namespace`
    return readFileSync(file, 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}

function headersOf(facts: RequestOptions): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(facts.headers ?? {})) {
    // A token file often ends in a line feed, which no header may hold.
    if (typeof value === 'string') headers[name.toLowerCase()] = value.trim()
  }
  if (typeof facts.auth === 'string') headers.authorization = `Basic ${Buffer.from(facts.auth).toString('base64')}`
  return headers
}

function text(material: unknown): string | undefined {
  if (typeof material === 'string') return material
  return Buffer.isBuffer(material) ? material.toString('utf8') : undefined
}
