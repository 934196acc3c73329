// One collection of the Kubernetes API, kept whole in memory: listed, then watched, for ever. Receives a path and how to slim
// an object, hands on the whole set and each change. Never exits, never falls silent: every ending leads to the next attempt.
import { reasonOf } from '../errors.ts'
import type { Logger } from '../log.ts'
import { type ApiClient, type ApiRequest, isObject, refusal } from './api-client.ts'
import { BACK_OFF, type BackOff, type Clock, parseRetryAfter, retryDelay } from './back-off.ts'
import { createObjectSet, type ObjectSetListener, type RawObject } from './object-set.ts'
import { readWatchEvents, resourceVersionOf } from './watch-events.ts'

export interface ListWatchOptions<T> {
  readonly client: ApiClient
  /** `/apis/operators.coreos.com/v1alpha1/catalogsources` */
  readonly path: string
  /** Of list and watch alike: `fieldSelector`, `labelSelector`. */
  readonly query?: Readonly<Record<string, string>>
  /** Slims an object on arrival. Undefined: the object counts as not there. A throw leaves it out, logged. */
  readonly decode: (object: RawObject) => T | undefined
  readonly log: Logger
  readonly clock: Clock
  readonly limits?: Partial<ListWatchLimits>
  /** A better sentence for a reason than its own, with the way out. Undefined: its own. */
  readonly explain?: (state: ListWatchState) => string | undefined
}

export interface ListWatchLimits {
  /** How long the API server is asked to keep one watch open, ms; each watch up to a third more. */
  readonly watchTime: number
  /** A watch on which nothing came for so long (bookmarks come about once a minute) counts as lost, ms. */
  readonly silence: number
  /** Of one page of a list, and until a watch has its headers, ms. */
  readonly deadline: number
  readonly pageSize: number
  readonly backOff: BackOff
}

export const LIST_WATCH_LIMITS: ListWatchLimits = {
  watchTime: 300_000,
  silence: 150_000,
  deadline: 30_000,
  pageSize: 500,
  backOff: BACK_OFF,
}

export interface ListWatchState {
  /** The collection has been read whole at least once. */
  readonly synced: boolean
  /** A watch is open: changes arrive. */
  readonly connected: boolean
  /** Why not, for people. Undefined while connected. */
  readonly reason: string | undefined
  /** HTTP status of the refusal where there was one: 403, 404 (a CustomResourceDefinition that is not there yet). */
  readonly status: number | undefined
}

export interface ListWatch<T> {
  readonly state: ListWatchState
  readonly items: ReadonlyMap<string, T>
  /** Tells the listener what is there already (`set` for each, then `synced` where it is so), then every change, until the returned function is called. */
  subscribe(listener: ObjectSetListener<T>): () => void
  /** Resolves when `signal` aborts. Never rejects. */
  run(signal: AbortSignal): Promise<void>
}

/** How an attempt ended without success. */
interface Failure {
  readonly reason: string
  readonly status?: number
  readonly retryAfter?: number | undefined
  /** The resourceVersion is of no use (any more), or watching is not allowed where listing is: list again. */
  readonly relist?: boolean
}

interface Ending {
  /** Where to resume. */
  readonly at: string
  /** Tells a watch that worked from one that was closed as soon as it was open. */
  readonly lived: boolean
  /** Something came, so that waiting long is not called for. */
  readonly heard: boolean
  readonly failure: Failure | undefined
}

/** A watch that lasted so long has lived; nothing is tried again at once more often than this. Milliseconds. */
const ALIVE = 1000

export function createListWatch<T>(options: ListWatchOptions<T>): ListWatch<T> {
  const { client, path, log, clock } = options
  const limits = { ...LIST_WATCH_LIMITS, ...options.limits }
  const set = createObjectSet<T>(options)
  let state: ListWatchState = { synced: false, connected: false, reason: 'not read yet', status: undefined }

  function enter(entered: ListWatchState): void {
    const before = state
    const next = { ...entered, reason: options.explain?.(entered) ?? entered.reason }
    state = next
    const same = before.connected === next.connected && before.reason === next.reason
    if (same && before.synced === next.synced) return
    if (!same && next.connected) log.info({ path, objects: set.items.size }, 'watching')
    if (!same && !next.connected) log.warn({ path, reason: next.reason }, 'not watching, will try again')
  }

  /** Reads every page, then replaces the set. Half a list changes nothing. */
  async function list(signal: AbortSignal): Promise<string> {
    const objects: RawObject[] = []
    let next = ''
    let resourceVersion = ''
    do {
      const query = { ...options.query, limit: String(limits.pageSize), ...(next === '' ? {} : { continue: next }) }
      const call: ApiRequest = { method: 'GET', path, query, deadline: limits.deadline, signal }
      const answer = await client.request(call)
      if (answer.status !== 200) throw failed(call, answer)
      const page = readPage(answer.body)
      if (page === undefined) throw { reason: `GET ${path}: the answer is no list` } satisfies Failure
      objects.push(...page.items)
      next = page.next
      resourceVersion = page.resourceVersion
    } while (next !== '')
    set.replace(objects)
    enter({ ...state, synced: true })
    return resourceVersion
  }

  /** One watch, to its end, whatever ends it. Never rejects. */
  async function watch(from: string, signal: AbortSignal): Promise<Ending> {
    const started = clock.now()
    const time = limits.watchTime * (1 + clock.random() / 3)
    const quiet = new AbortController()
    const call = watchRequest(from, time, AbortSignal.any([signal, quiet.signal]))
    let at = from
    let heard = false
    let failure: Failure | undefined
    let alarm: NodeJS.Timeout | undefined
    const touched = () => {
      clearTimeout(alarm)
      alarm = setTimeout(() => quiet.abort(), Math.min(limits.silence, time + 10_000))
    }
    try {
      const answer = await client.stream(call)
      if (answer.status !== 200) throw failed(call, { ...answer, body: await beginning(answer.body) })
      enter({ synced: true, connected: true, reason: undefined, status: undefined })
      touched()
      for await (const event of readWatchEvents(answer.body, touched)) {
        if (event.type === 'ERROR') throw gone(event)
        heard = true
        if (event.type === 'DELETED') set.remove(event.object)
        else if (event.type !== 'BOOKMARK') set.put(event.object)
        at = (event.type === 'BOOKMARK' ? event.resourceVersion : resourceVersionOf(event.object)) || at
      }
    } catch (error) {
      failure = isFailure(error) ? error : { reason: reasonOf(error), relist: error instanceof SyntaxError }
    } finally {
      clearTimeout(alarm)
    }
    const lived = quiet.signal.aborted || clock.now() - started >= ALIVE
    // A watch that worked and then broke or fell silent is an ending like any other: the next one goes on from there.
    const worked = lived || heard
    const benign = quiet.signal.aborted || (worked && failure?.status === undefined && failure?.relist !== true)
    return { at, lived, heard, failure: benign ? undefined : failure }
  }

  function watchRequest(resourceVersion: string, time: number, signal: AbortSignal): ApiRequest {
    const query = {
      ...options.query,
      watch: 'true',
      resourceVersion,
      allowWatchBookmarks: 'true',
      timeoutSeconds: String(Math.max(1, Math.round(time / 1000))),
    }
    return { method: 'GET', path, query, deadline: limits.deadline, signal }
  }

  function failed(
    call: ApiRequest,
    answer: { status: number; retryAfter: string | undefined; body: unknown },
  ): Failure {
    const retryAfter = parseRetryAfter(answer.retryAfter, clock.now())
    const relist = [403, 404, 405, 410].includes(answer.status)
    return { reason: refusal(call, answer).message, status: answer.status, retryAfter, relist }
  }

  return {
    get state() {
      return state
    },
    items: set.items,
    subscribe: set.subscribe,
    async run(signal) {
      let at = ''
      let failures = 0
      let relistedAt = Number.NEGATIVE_INFINITY
      while (!signal.aborted) {
        let failure: Failure | undefined
        try {
          if (at === '') at = await list(signal)
          const ending = await watch(at, signal)
          at = ending.at
          failure = ending.failure
          if (ending.lived || ending.heard) failures = 0
          if (ending.lived && failure === undefined) continue
        } catch (error) {
          failure = isFailure(error) ? error : { reason: reasonOf(error) }
        }
        if (signal.aborted) return
        failures += 1
        if (failure?.relist === true) at = ''
        // A first 410 is the API server's way of saying "list": answered at once. A second in a row waits like any failure.
        if (failure?.status === 410 && failures === 1 && clock.now() - relistedAt >= ALIVE) {
          relistedAt = clock.now()
          continue
        }
        if (failure !== undefined)
          enter({ synced: state.synced, connected: false, reason: failure.reason, status: failure.status })
        await clock.sleep(retryDelay(failures, failure?.retryAfter, clock.random, limits.backOff), signal)
      }
    },
  }
}

function readPage(body: unknown) {
  if (!isObject(body) || !isObject(body.metadata)) return undefined
  const items = body.items ?? []
  if (!Array.isArray(items)) return undefined
  const next = typeof body.metadata.continue === 'string' ? body.metadata.continue : ''
  return { items: items.filter(isObject), next, resourceVersion: resourceVersionOf(body) }
}

function gone(event: { readonly code: number; readonly message: string }): Failure {
  return { reason: `watch ended by the API server: ${event.message}`, status: event.code, relist: event.code === 410 }
}

function isFailure(thrown: unknown): thrown is Failure {
  return isObject(thrown) && !(thrown instanceof Error) && typeof thrown.reason === 'string'
}

/** Enough of a refusal's body for its message. */
async function beginning(body: AsyncIterable<Buffer>): Promise<unknown> {
  let text = ''
  for await (const chunk of body) {
    text += chunk.toString('utf8')
    if (text.length > 65_536) break
  }
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
