// Why a list is short: what is known of a catalog as an object of the API. Receives facts, hands on a CatalogStatus. Pure.
import {
  CATALOG_STATUS_KIND,
  type CatalogCondition,
  type CatalogOmission,
  type CatalogStatus,
  type CatalogStatusStatus,
} from '../api/catalog-status.ts'
import { PACKAGE_MANIFEST_API_VERSION } from '../api/package-manifest.ts'
import type { LeftOut } from '../catalog/snapshot.ts'
import type { CatalogFacts } from './catalog-facts.ts'

const MOST_OMISSIONS = 100
const LONGEST_REASON = 1000

export function toCatalogStatus(facts: CatalogFacts): CatalogStatus {
  const { source } = facts
  return {
    kind: CATALOG_STATUS_KIND,
    apiVersion: PACKAGE_MANIFEST_API_VERSION,
    metadata: {
      name: source.name,
      namespace: source.namespace,
      ...(source.creationTimestamp === undefined ? {} : { creationTimestamp: source.creationTimestamp }),
      ...(Object.keys(source.labels).length === 0 ? {} : { labels: source.labels }),
    },
    spec: {
      displayName: source.displayName,
      publisher: source.publisher,
      priority: source.priority,
      ...(source.address === undefined ? {} : { address: source.address }),
    },
    status: statusOf(facts),
  }
}

function statusOf({ connection, reading, failure }: CatalogFacts): CatalogStatusStatus {
  const leftOut = reading?.leftOut ?? []
  return {
    connection: { state: connection.state, since: timeText(connection.since) },
    ...(reading === undefined
      ? {}
      : {
          reading: {
            time: timeText(reading.readAt),
            packages: reading.packages,
            channels: reading.channels,
            bytes: reading.bytes,
          },
        }),
    ...(failure === undefined
      ? {}
      : { failure: { since: timeText(failure.since), reason: shortened(failure.reason) } }),
    omitted: leftOut.length,
    ...(leftOut.length === 0 ? {} : { omissions: leftOut.slice(0, MOST_OMISSIONS).map(omission) }),
    conditions: [fresh(reading, failure), complete(reading)],
  }
}

function fresh(reading: CatalogFacts['reading'], failure: CatalogFacts['failure']): CatalogCondition {
  if (failure !== undefined) {
    const since = { lastTransitionTime: timeText(failure.since) }
    const reason = reading === undefined ? 'NeverRead' : 'ReadingFailed'
    return { type: 'Fresh', status: 'False', ...since, reason, message: shortened(failure.reason) }
  }
  return reading === undefined
    ? {
        type: 'Fresh',
        status: 'Unknown',
        reason: 'FirstReading',
        message: 'no attempt to read the catalog has ended yet',
      }
    : { type: 'Fresh', status: 'True', reason: 'Read', message: '' }
}

function complete(reading: CatalogFacts['reading']): CatalogCondition {
  if (reading === undefined) {
    return { type: 'Complete', status: 'Unknown', reason: 'NeverRead', message: 'the catalog has never been read' }
  }
  const count = reading.leftOut.length
  return count === 0
    ? { type: 'Complete', status: 'True', reason: 'EverythingShown', message: '' }
    : { type: 'Complete', status: 'False', reason: 'Omissions', message: `${count} left out: see status.omissions` }
}

function omission(left: LeftOut): CatalogOmission {
  const channel = left.channel === undefined ? {} : { channel: left.channel }
  return { package: left.package, ...channel, reason: shortened(left.reason) }
}

function shortened(reason: string): string {
  return reason.length <= LONGEST_REASON ? reason : `${reason.slice(0, LONGEST_REASON - 1)}…`
}

/** RFC 3339, whole seconds. */
export function timeText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, 'Z')
}
