// Events (events.k8s.io/v1): what an administrator should see with `kubectl get events`. Receives a sentence about an object,
// tells the API server once; a failure is logged at debug level and costs nothing.
import { reasonOf } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { ApiClient } from './api-client.ts'

export interface EventSubject {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  /** `""`: cluster-wide. */
  readonly namespace: string
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

export function createEventRecorder(options: EventRecorderOptions): EventRecorder {
  const { client, log, clock, instance } = options
  return {
    async record({ apiVersion, kind, name, namespace }, { type, reason, action, note }) {
      const place = namespace === '' ? options.namespace : namespace
      const body = {
        apiVersion: 'events.k8s.io/v1',
        kind: 'Event',
        metadata: { generateName: `${name}.`, namespace: place },
        // RFC 3339 with microseconds.
        eventTime: new Date(clock.now()).toISOString().replace('Z', '000Z'),
        type,
        reason,
        action,
        note: note.slice(0, LONGEST_NOTE),
        regarding: { apiVersion, kind, name, ...(namespace === '' ? {} : { namespace }) },
        reportingController: CONTROLLER,
        reportingInstance: instance,
      }
      const path = `/apis/events.k8s.io/v1/namespaces/${encodeURIComponent(place)}/events`
      try {
        const answer = await client.request({ method: 'POST', path, body, deadline: DEADLINE })
        if (answer.status >= 300) log.debug({ status: answer.status, reason }, 'an Event was not taken')
      } catch (error) {
        log.debug({ cause: reasonOf(error), reason }, 'an Event was not taken')
      }
    },
  }
}
