// The API servers that flags name: one for catalogs, one for identities, one for rights; usually all the same. Whoever opens them
// closes them.
import { VERSION } from '../command-line/version.ts'
import { OlmError } from '../errors.ts'
import { type ApiClient, createApiClient } from '../kube/api-client.ts'
import { loadKubeconfig } from '../kube/kubeconfig.ts'

export interface ClusterClients {
  readonly main: ApiClient
  readonly authentication: ApiClient
  readonly authorization: ApiClient
  /** Our own. */
  readonly namespace: string
  close(): void
}

export interface ClusterFlags {
  readonly kubeconfig: string
  readonly authenticationKubeconfig: string
  readonly authorizationKubeconfig: string
}

/** Where neither a pod nor a kubeconfig says. */
const DEFAULT_NAMESPACE = 'default'

/** Fails with FILE_UNREADABLE or KUBE_NO_CLUSTER. An empty file name is the service account of the pod. */
export async function openClusterClients(flags: ClusterFlags, now: () => number): Promise<ClusterClients> {
  const opened = new Map<string, ApiClient>()
  async function open(file: string, flag: string): Promise<ApiClient> {
    const known = opened.get(file)
    if (known !== undefined) return known
    const kubeconfig = await loadKubeconfig({ file: file === '' ? undefined : file, now }).catch((thrown: unknown) => {
      throw withFlag(thrown, flag)
    })
    const client = createApiClient(kubeconfig, { userAgent: `package-server/${VERSION}` })
    opened.set(file, client)
    return client
  }
  const main = await open(flags.kubeconfig, '--kubeconfig')
  return {
    main,
    authentication: await open(flags.authenticationKubeconfig || flags.kubeconfig, '--authentication-kubeconfig'),
    authorization: await open(flags.authorizationKubeconfig || flags.kubeconfig, '--authorization-kubeconfig'),
    namespace: main.namespace ?? DEFAULT_NAMESPACE,
    close() {
      for (const client of opened.values()) client.close()
    },
  }
}

/** A file that cannot be read is told with the flag that names it. */
function withFlag(thrown: unknown, flag: string): unknown {
  if (!(thrown instanceof OlmError) || thrown.code !== 'FILE_UNREADABLE') return thrown
  const facts = { ...thrown.facts, reason: `${thrown.facts.reason}: choose another file with ${flag}` }
  return new OlmError(thrown.code, facts, { cause: thrown.cause })
}
