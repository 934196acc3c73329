// What the log says of one catalog: a line when something changes, never one per reading. Receives readings and failures.
import type { CatalogKey } from '../api/catalog-source.ts'
import type { Logger } from '../log.ts'
import type { LeftOut, Snapshot } from './snapshot.ts'

export interface CatalogLog {
  /** What an earlier life of the process read. */
  recalled(snapshot: Snapshot): void
  /** Answers the names of packages that the last good reading held and this one lacks. */
  read(snapshot: Snapshot, changed: boolean, tookMs: number): readonly string[]
  failed(reason: string): void
}

/** A catalog can leave out thousands; beyond these one line counts the rest. */
const MOST_LINES = 20

export function createCatalogLog(catalog: CatalogKey, log: Logger): CatalogLog {
  let last: Snapshot | undefined
  let failure: string | undefined

  function leftOut(now: readonly LeftOut[]): void {
    const known = new Set((last?.leftOut ?? []).map(keyOf))
    const fresh = now.filter((one) => !known.has(keyOf(one)))
    for (const one of fresh.slice(0, MOST_LINES)) log.warn({ catalog, ...one }, 'left out')
    if (fresh.length > MOST_LINES) log.warn({ catalog, more: fresh.length - MOST_LINES }, 'more left out')
  }

  return {
    recalled(snapshot) {
      last = snapshot
      const readAt = new Date(snapshot.readAt).toISOString()
      log.info({ catalog, packages: snapshot.packages.length, readAt }, 'catalog kept from before the restart')
    },
    read(snapshot, changed, tookMs) {
      const recovered = failure !== undefined
      failure = undefined
      const gone = last === undefined ? [] : goneBetween(last, snapshot)
      if (changed) leftOut(snapshot.leftOut)
      last = snapshot
      if (changed || recovered) {
        const counts = { packages: snapshot.packages.length, leftOut: snapshot.leftOut.length, gone: gone.length }
        log.info({ catalog, ...counts, ms: Math.round(tookMs) }, changed ? 'catalog read' : 'catalog read again')
      }
      if (gone.length > 0) {
        log.warn(
          { catalog, gone: gone.length, packages: gone.slice(0, MOST_LINES) },
          'packages are gone from the catalog',
        )
      }
      return gone
    },
    failed(reason) {
      if (reason === failure) return
      failure = reason
      const served = last === undefined ? 'nothing was read yet' : 'the last good reading is kept'
      log.warn({ catalog, reason }, `catalog not read: ${served}`)
    },
  }
}

function keyOf(one: LeftOut): string {
  return JSON.stringify([one.package, one.channel, one.reason])
}

/** A package without a channel is as good as gone. */
function goneBetween(before: Snapshot, after: Snapshot): readonly string[] {
  if (before.hash === after.hash) return []
  const now = new Set(shown(after))
  return shown(before).filter((name) => !now.has(name))
}

function shown(snapshot: Snapshot): readonly string[] {
  return snapshot.packages.filter(({ channels }) => channels.length > 0).map(({ name }) => name)
}
