// Every bound of the server in one place, with its default and what it protects. Values alone.

export interface Bounds {
  /** Request line and headers, bytes. Go's default: a user in 1,000 groups comes through. */
  readonly headerBytes: number
  /** Lines of headers; Node's own bound of a thousand locks out a user in a thousand groups. */
  readonly headerLines: number
  /** Path and query, bytes: above it 414. */
  readonly urlBytes: number
  /** Of a request's body (nothing here takes one) as much is read and dropped; then the connection is closed. */
  readonly bodyBytes: number
  readonly connections: number
  /** Answers being made or sent, watches, health and discovery aside; above it 429. */
  readonly requestsInFlight: number
  /** Of them on one connection, which a client may fill with requests without waiting for answers. */
  readonly requestsPerConnection: number
  readonly watches: number
  readonly watchesPerUser: number
  /** A request's headers must have come by then (slow-loris). */
  readonly headersMilliseconds: number
  /** A whole request must have come by then. */
  readonly requestMilliseconds: number
  /** An idle connection is kept this long: longer than the 90 s after which Go's clients drop theirs, so that they close first. */
  readonly idleMilliseconds: number
  /** A client that takes nothing of an answer or a watch for this long is cut off. */
  readonly stallMilliseconds: number
  /** From one bookmark of a watch to the next. */
  readonly bookmarkMilliseconds: number
  /** How often a running watch's caller is authorized again. */
  readonly reauthorizeMilliseconds: number
  /** What a WebSocket client may send us, all of it ignored, bytes. */
  readonly webSocketBytes: number
}

export const DEFAULT_BOUNDS: Bounds = {
  headerBytes: 1024 * 1024,
  headerLines: 10_000,
  urlBytes: 32 * 1024,
  bodyBytes: 256 * 1024,
  connections: 12_000,
  requestsInFlight: 400,
  requestsPerConnection: 100,
  watches: 10_000,
  watchesPerUser: 2_500,
  headersMilliseconds: 30_000,
  requestMilliseconds: 60_000,
  idleMilliseconds: 120_000,
  stallMilliseconds: 60_000,
  bookmarkMilliseconds: 60_000,
  reauthorizeMilliseconds: 60_000,
  webSocketBytes: 64 * 1024,
}
