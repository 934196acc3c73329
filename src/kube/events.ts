// Events (events.k8s.io/v1): what an administrator should see with `kubectl get events`. Receives a sentence about an object, tells the
// API server; the same again is counted in the same Event, and one object can cause but so many calls. A failure is logged at debug
// level and costs nothing.
import { LRUCache } from 'lru-cache'
import { reasonOf } from '../errors.ts'
import type { Logger } from '../log.ts'
import { type ApiClient, type ApiRequest, isObject } from './api-client.ts'

export interface EventSubject {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  /** `""`: cluster-wide. */
  readonly namespace: string
  /** `kubectl describe` looks for it. */
  readonly uid?: string
}

export interface EventFacts {
  readonly type: 'Normal' | 'Warning'
  /** In CamelCase: `CertificateRenewed`. */
  readonly reason: string
  /** In CamelCase: what was done. */
  readonly action: string
  readonly note: string
}

export interface EventRecorder {
  /** Never rejects. */
  record(subject: EventSubject, facts: EventFacts): Promise<void>
}

export interface EventRecorderOptions {
  readonly client: ApiClient
  readonly log: Logger
  readonly clock: { now(): number }
  /** Where Events about cluster-wide objects are kept. */
  readonly namespace: string
  /** Our pod, by its name. */
  readonly instance: string
}

const CONTROLLER = 'packages.operators.coreos.com/package-server'
const DEADLINE = 5000
/** The API's limit. */
const LONGEST_NOTE = 1024
/** The API server forgets an Event after an hour, and so do we: then it is told anew. Milliseconds. */
const KEPT = 3_600_000
/** Calls about one object: so many at once, then one in so many milliseconds. What happens between is counted, and told with the next. */
const AT_ONCE = 10
const ONE_IN = 60_000
/** Objects and Events that are remembered. */
const REMEMBERED = 4096

interface Series {
  /** Of the Event object; undefined while there is none. */
  name: string | undefined
  count: number
}

export function createEventRecorder(options: EventRecorderOptions): EventRecorder {
  const { client, log, clock, instance } = options
  const known = { max: REMEMBERED, ttl: KEPT, perf: clock, ttlResolution: 0 } as const
  const told = new LRUCache<string, Series>(known)
  const allowances = new LRUCache<string, { left: number; at: number }>(known)

  function mayCall(subject: string): boolean {
    const now = clock.now()
    const before = allowances.get(subject) ?? { left: AT_ONCE, at: now }
    const left = Math.min(AT_ONCE, before.left + (now - before.at) / ONE_IN)
    allowances.set(subject, { left: left >= 1 ? left - 1 : left, at: now })
    return left >= 1
  }

  async function call(request: Omit<ApiRequest, 'deadline'>, reason: string): Promise<unknown> {
    try {
      const answer = await client.request({ ...request, deadline: DEADLINE })
      if (answer.status < 300) return answer.body
      log.debug({ status: answer.status, reason }, 'an Event was not taken')
    } catch (error) {
      log.debug({ cause: reasonOf(error), reason }, 'an Event was not taken')
    }
    return undefined
  }

  /** RFC 3339 with microseconds. */
  const timeNow = () => new Date(clock.now()).toISOString().replace('Z', '000Z')

  return {
    async record({ apiVersion, kind, name, namespace, uid }, { type, reason, action, note: whole }) {
      const place = namespace === '' ? options.namespace : namespace
      const path = `/apis/events.k8s.io/v1/namespaces/${encodeURIComponent(place)}/events`
      const note = whole.slice(0, LONGEST_NOTE)
      const subject = JSON.stringify([apiVersion, kind, namespace, name, uid])
      const key = JSON.stringify([subject, type, reason, note])
      const series = told.get(key) ?? { name: undefined, count: 0 }
      series.count += 1
      told.set(key, series)
      if (!mayCall(subject)) return
      if (series.name !== undefined) {
        const body = { series: { count: series.count, lastObservedTime: timeNow() } }
        const contentType = 'application/merge-patch+json'
        const patched = await call({ method: 'PATCH', path: `${path}/${series.name}`, body, contentType }, reason)
        if (patched !== undefined) return
      }
      const body = {
        apiVersion: 'events.k8s.io/v1',
        kind: 'Event',
        metadata: { generateName: `${name}.`, namespace: place },
        eventTime: timeNow(),
        ...{ type, reason, action, note },
        regarding: {
          apiVersion,
          kind,
          name,
          ...(namespace === '' ? {} : { namespace }),
          ...(uid === undefined ? {} : { uid }),
        },
        reportingController: CONTROLLER,
        reportingInstance: instance,
      }
      const made = await call({ method: 'POST', path, body }, reason)
      const metadata = isObject(made) && isObject(made.metadata) ? made.metadata : {}
      series.name = typeof metadata.name === 'string' ? metadata.name : undefined
    },
  }
}
