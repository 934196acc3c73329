// How often catalogs are read, as an administrator says it in the cluster: OLMConfig `cluster`, spec.features.packageServerSyncInterval,
// followed without a restart. Hands on the interval that counts; what is no length of time is named once, and the flag's counts.
import { formatDuration, parseDuration } from '../duration.ts'
import type { ApiClient } from '../kube/api-client.ts'
import type { Clock } from '../kube/back-off.ts'
import { createListWatch, type ListWatchLimits } from '../kube/list-watch.ts'
import type { Logger } from '../log.ts'

export interface SyncIntervalOptions {
  readonly client: ApiClient
  /** The flag's, milliseconds. */
  readonly fallback: number
  /** Called where another one counts than before, milliseconds. */
  readonly onInterval: (milliseconds: number) => void
  readonly log: Logger
  readonly clock: Clock
  readonly limits?: Partial<ListWatchLimits>
}

export const OLM_CONFIGS_PATH = '/apis/operators.coreos.com/v1/olmconfigs'
const NAME = 'cluster'
/** Whatever stands there, catalogs are not read more often than this. Milliseconds. */
const SHORTEST = 1000

/** Undefined where nothing is said. */
export type SaidInterval = { readonly milliseconds: number } | { readonly junk: string } | undefined

export function saidInterval(object: unknown): SaidInterval {
  const said = memberOf(memberOf(memberOf(object, 'spec'), 'features'), 'packageServerSyncInterval')
  if (said === undefined || said === null) return undefined
  const milliseconds = typeof said === 'string' ? parseDuration(said) : undefined
  if (milliseconds === undefined || milliseconds < SHORTEST) return { junk: JSON.stringify(said).slice(0, 100) }
  return { milliseconds }
}

/** Resolves when `signal` aborts. Never rejects. */
export async function followSyncInterval(options: SyncIntervalOptions, signal: AbortSignal): Promise<void> {
  const { client, fallback, onInterval, log, clock, limits } = options
  let current = fallback

  function take(said: SaidInterval): void {
    if (said !== undefined && 'junk' in said) {
      const used = formatDuration(fallback)
      log.warn(
        { said: said.junk, used },
        'OLMConfig cluster: packageServerSyncInterval is no length of time of a second or more',
      )
    }
    const next = said !== undefined && 'milliseconds' in said ? said.milliseconds : fallback
    if (next === current) return
    current = next
    log.info({ interval: formatDuration(next) }, 'catalogs are read at another interval')
    onInterval(next)
  }

  const watch = createListWatch<{ readonly said: SaidInterval }>({
    ...{ client, log, clock, ...(limits === undefined ? {} : { limits }) },
    path: OLM_CONFIGS_PATH,
    query: { fieldSelector: `metadata.name=${NAME}` },
    decode: (object) => ({ said: saidInterval(object) }),
    explain: ({ status }) =>
      status === 404 ? 'there is no OLMConfig in this cluster: the flag --interval counts' : undefined,
  })
  watch.subscribe({
    set: (_key, { said }) => take(said),
    removed: () => take(undefined),
    synced: () => undefined,
  })
  await watch.run(signal)
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined
}
