// The bytes of watch events, made once for all watchers that want the same. Receives contents, hands on frames.
import { LRUCache } from 'lru-cache'
import type { Status } from '../api/meta.ts'
import type { Form } from '../http/resource.ts'
import type { EventType } from './announcements.ts'
import { whole } from './body.ts'
import type { Content } from './content.ts'
import { goJson } from './go-json.ts'
import { agesAt, formKey, momentsOf, type Representation } from './representation.ts'

/** What one watch wants its frames to look like. */
export interface FrameScope {
  /** A change, which others probably watch too. */
  event(type: EventType, content: Content, version: number): Uint8Array
  /** Told to this watch alone. */
  fresh(type: EventType, content: Content, version: number): Uint8Array
  bookmark(version: number, initialEventsEnd: boolean): Uint8Array
  error(status: Status): Uint8Array
}

export interface EventFrames {
  scope(request: { readonly form: Form; readonly namespace: string | undefined }): FrameScope
}

/** `bytes`: how much of frames is kept for other watchers. */
export function createEventFrames(representation: Representation, now: () => number, bytes: number): EventFrames {
  const kept = new LRUCache<string, Uint8Array>({
    maxSize: bytes,
    sizeCalculation: (frame, key) => frame.length + key.length + 100,
  })
  return {
    scope({ form, namespace }) {
      /** A table names its columns in its first event only. */
      let headers = form.as === 'table'
      const shape = `${formKey(form)} ${namespace === undefined ? '*' : `/${namespace}`}`

      function make(type: EventType, content: Content, version: number, columns: boolean): Uint8Array {
        const object = representation.eventObject(content, version, { form, namespace, now: now() }, columns)
        return whole([`{"type":"${type}","object":`, ...object, '}'])
      }
      return {
        event(type, content, version) {
          if (headers) return this.fresh(type, content, version)
          const ages = form.as === 'table' ? agesAt(momentsOf([{ content, version }]), now()) : ''
          const key = `${version} ${type} ${shape} ${ages}`
          const frame = kept.get(key) ?? make(type, content, version, false)
          kept.set(key, frame)
          return frame
        },
        fresh(type, content, version) {
          const frame = make(type, content, version, headers)
          headers = false
          return frame
        },
        bookmark(version, initialEventsEnd) {
          const object = representation.bookmarkObject(version, form, initialEventsEnd)
          return Buffer.from(`{"type":"BOOKMARK","object":${object}}`)
        },
        error: (status) => Buffer.from(`{"type":"ERROR","object":${goJson(status)}}`),
      }
    },
  }
}
