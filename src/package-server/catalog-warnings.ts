// What a client is told when an answer rests on stale or missing data: which catalog, since when, why. kubectl prints it.
// Receives facts, hands on a few short texts. Pure. Texts stay the same while nothing changes, so that clients say them once.
import { catalogKey } from '../api/catalog-source.ts'
import type { CatalogFacts } from './catalog-facts.ts'
import type { NamespaceView } from './namespace-view.ts'
import type { Basis } from './stored-resource.ts'
import { timeText } from './to-catalog-status.ts'

const MOST = 3
const LONGEST = 240

/** `facts` hands on what is known now; the answer is about what `basis` names. */
export function createCatalogWarnings(
  facts: () => Iterable<CatalogFacts>,
  view: Pick<NamespaceView, 'sees'>,
): (basis: Basis) => readonly string[] {
  return ({ namespace, owners }) => {
    const texts = new Set<string>()
    for (const each of facts()) {
      if (owners !== undefined && !owners.includes(catalogKey(each.source))) continue
      if (!view.sees(namespace, each.source.namespace)) continue
      const text = warningOf(each)
      if (text !== undefined) texts.add(text)
    }
    if (texts.size <= MOST) return [...texts]
    return [...[...texts].slice(0, MOST), `and ${texts.size - MOST} more catalogs: see catalogstatuses`]
  }
}

/** What is wrong with what is shown of one catalog; undefined: nothing. */
export function warningOf({ source, connection, reading, failure }: CatalogFacts): string | undefined {
  const name = `catalog ${catalogKey(source)}`
  if (reading !== undefined) {
    if (failure === undefined) return undefined
    return printable(
      `${name}: shown as read ${timeText(reading.readAt)}, unread since ${timeText(failure.since)}: ${failure.reason}`,
    )
  }
  if (failure !== undefined)
    return printable(`${name}: missing, unread since ${timeText(failure.since)}: ${failure.reason}`)
  const what = source.address === undefined ? 'has no address yet' : 'is being read for the first time'
  return printable(`${name}: missing, ${what} (since ${timeText(connection.since)})`)
}

/** A header's text: printable ASCII in one line, of bounded length. */
function printable(text: string): string {
  const line = text.replace(/[^\x20-\x7e]+/g, ' ')
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 3)}...`
}
