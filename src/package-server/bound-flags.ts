// Flags about how much is taken from clients at once. Each protects the process from one of them.
import type { FlagTable, Options } from '../command-line/flags.ts'
import { OlmError } from '../errors.ts'
import type { Bounds } from '../http/bounds.ts'

const GROUP = 'Bounds'

export const BOUND_FLAGS = {
  'max-header-size': {
    kind: 'size',
    default: '1Mi',
    group: GROUP,
    help: 'The largest request line and headers; above it 431. Users in many groups have large ones.',
  },
  'max-url-size': { kind: 'size', default: '32Ki', group: GROUP, help: 'The longest path and query; above it 414.' },
  'max-connections': {
    kind: 'integer',
    default: 12_000,
    min: 1,
    group: GROUP,
    help: 'Connections in all, more than watches: each watch of the aggregator is one. When all places are taken those that are no front proxy give way.',
  },
  'max-requests-inflight': {
    kind: 'integer',
    default: 400,
    min: 1,
    group: GROUP,
    help: 'Answers being made or sent at once, watches, health and discovery aside; above it 429.',
  },
  'max-watches': { kind: 'integer', default: 10_000, min: 1, group: GROUP, help: 'Watches in all; above it 429.' },
  'max-watches-per-user': {
    kind: 'integer',
    default: 2500,
    min: 1,
    group: GROUP,
    help: 'Watches of one user; above it 429.',
  },
  'header-timeout': {
    kind: 'duration',
    default: '30s',
    group: GROUP,
    help: 'The headers of a request must have come by then.',
  },
  'watch-access-interval': {
    kind: 'duration',
    default: '1m',
    group: GROUP,
    help: 'How often it is asked again whether the caller of a running watch may still watch.',
  },
} as const satisfies FlagTable

/** Fails with USAGE where flags contradict each other. */
export function boundsOf(flags: Options<typeof BOUND_FLAGS>): Partial<Bounds> {
  if (flags.maxConnections <= flags.maxWatches)
    throw new OlmError('USAGE', {
      reason: '--max-connections must be greater than --max-watches: each watch is a connection of its own',
    })
  return {
    headerBytes: flags.maxHeaderSize,
    urlBytes: flags.maxUrlSize,
    connections: flags.maxConnections,
    requestsInFlight: flags.maxRequestsInflight,
    watches: flags.maxWatches,
    watchesPerUser: flags.maxWatchesPerUser,
    headersMilliseconds: flags.headerTimeout,
    reauthorizeMilliseconds: flags.watchAccessInterval,
  }
}
