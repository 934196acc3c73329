// Health of the reading side as named checks. Ready: it is known which catalogs there are, and each was tried once; not so
// because a registry is down. Alive: its own timer fires; not so because anything outside is down.
import type { HealthCheck } from '../http/health.ts'
import type { OfferedCatalogs } from './offered-catalogs.ts'

export interface CatalogChecksOptions {
  readonly catalogs: Pick<OfferedCatalogs, 'synced' | 'settled'>
  /** True while catalogs are to come of which nobody knows yet. */
  readonly awaiting: () => boolean
  readonly clock: { monotonic(): number }
}

export interface CatalogChecks {
  readonly checks: readonly HealthCheck[]
  close(): void
}

/** The first attempt at slow catalogs is waited for no longer than this after the catalogs are known. Milliseconds. */
const LONGEST_WAIT = 10_000
const BEAT = 10_000
/** Without a beat for so long the loop is not alive. Milliseconds. */
const LONGEST_SILENCE = 60_000

export function catalogChecks({ catalogs, awaiting, clock }: CatalogChecksOptions): CatalogChecks {
  let syncedAt: number | undefined
  let beatAt = clock.monotonic()
  const heart = setInterval(() => {
    beatAt = clock.monotonic()
  }, BEAT)
  heart.unref()

  function known(): boolean {
    if (!catalogs.synced) return false
    syncedAt ??= clock.monotonic()
    return true
  }

  function tried(): boolean {
    if (!known()) return false
    const waited = clock.monotonic() - (syncedAt ?? 0) >= LONGEST_WAIT
    return waited || (!awaiting() && catalogs.settled())
  }

  return {
    checks: [
      check('catalog-sources-synced', ['healthz', 'readyz'], known, 'the CatalogSources have not been listed yet'),
      check('catalogs-tried', ['readyz'], tried, 'the first reading of some catalog has not ended yet'),
      check(
        'heartbeat',
        ['livez'],
        () => clock.monotonic() - beatAt < LONGEST_SILENCE,
        'the timer of the readings has not fired for a minute',
      ),
    ],
    close: () => clearInterval(heart),
  }
}

function check(name: string, endpoints: HealthCheck['endpoints'], good: () => boolean, reason: string): HealthCheck {
  return { name, endpoints, check: () => (good() ? undefined : reason) }
}
