// What happened to a catalog as Events, for `kubectl describe catalogsource`: it became unreadable, it recovered, packages went or are
// left out. Receives news, hands on one Event per change; a failure that goes on is told once.
import { type CatalogKey, type CatalogSource, catalogKey } from '../api/catalog-source.ts'
import type { EventRecorder, EventSubject } from '../kube/events.ts'
import type { CatalogReadingFacts } from './catalog-facts.ts'
import type { CatalogNews } from './offered-catalogs.ts'

/** Packages, or left-out channels, named in one Event. */
const MOST_NAMED = 5

interface Told {
  readonly failing: boolean
  readonly omissions: string
}

export function createCatalogEvents(
  recorder: EventRecorder,
): Required<Pick<CatalogNews, 'listed' | 'failed' | 'gone'>> {
  const told = new Map<CatalogKey, Told>()

  function replace(source: CatalogSource, next: Partial<Told>): Told {
    const key = catalogKey(source)
    const before = told.get(key) ?? { failing: false, omissions: '' }
    // The oldest makes room: catalogs that were deleted are told by nobody.
    if (!told.has(key) && told.size >= 10_000) told.delete([...told.keys()][0] ?? '')
    told.set(key, { ...before, ...next })
    return before
  }

  return {
    gone(source, names) {
      const named = names.slice(0, MOST_NAMED).join(', ')
      const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ''
      const note = `the catalog does not hold ${names.length} packages any more: ${named}${more}`
      void recorder.record(subjectOf(source), { type: 'Warning', reason: 'PackagesGone', action: 'Read', note })
    },
    failed(source, reason) {
      if (replace(source, { failing: true }).failing) return
      const note = `the catalog cannot be read: ${reason}`
      void recorder.record(subjectOf(source), { type: 'Warning', reason: 'CatalogUnreadable', action: 'Read', note })
    },
    listed(source, reading) {
      const omissions = omissionsOf(reading)
      const before = replace(source, { failing: false, omissions })
      const subject = subjectOf(source)
      if (before.failing) {
        const note = `the catalog can be read again: ${reading.packages} packages`
        void recorder.record(subject, { type: 'Normal', reason: 'CatalogRecovered', action: 'Read', note })
      }
      if (omissions === before.omissions) return
      if (omissions === '') {
        const note = 'nothing is left out any more'
        void recorder.record(subject, { type: 'Normal', reason: 'PackagesComplete', action: 'Read', note })
      } else {
        void recorder.record(subject, { type: 'Warning', reason: 'PackagesLeftOut', action: 'Read', note: omissions })
      }
    },
  }
}

function subjectOf({ namespace, name, uid }: CatalogSource): EventSubject {
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'CatalogSource',
    name,
    namespace,
    ...(uid === undefined ? {} : { uid }),
  }
}

/** `""` where nothing is left out. */
function omissionsOf({ leftOut }: CatalogReadingFacts): string {
  if (leftOut.length === 0) return ''
  const named = leftOut
    .slice(0, MOST_NAMED)
    .map(({ package: name, channel, reason }) => `${channel === undefined ? name : `${name} (${channel})`}: ${reason}`)
  const more = leftOut.length > MOST_NAMED ? `; and ${leftOut.length - MOST_NAMED} more: see its catalogstatus` : ''
  return `left out: ${named.join('; ')}${more}`
}
