// The objects of one collection, slim, and who wants to know of their changes. Receives raw objects, hands on changes;
// never talks to anybody else, never lets one listener's failure reach another.
import { reasonOf } from '../errors.ts'
import type { Logger } from '../log.ts'
import { objectKey, resourceVersionOf } from './watch-events.ts'

export type RawObject = Readonly<Record<string, unknown>>

/** All optional: a listener names what it wants. Called in order of the changes; a throw is logged and costs nobody else. */
export interface ObjectSetListener<T> {
  /** The collection has been read whole, for the first time or anew. Comes after the changes that this reading brought. */
  synced?(items: ReadonlyMap<string, T>): void
  set?(key: string, item: T): void
  removed?(key: string, item: T): void
}

export interface ObjectSet<T> {
  readonly items: ReadonlyMap<string, T>
  put(object: RawObject): void
  remove(object: RawObject): void
  /** One whole reading: what it lacks is removed. */
  replace(objects: readonly RawObject[]): void
  subscribe(listener: ObjectSetListener<T>): () => void
}

export interface ObjectSetOptions<T> {
  /** Undefined: the object counts as not there. A throw leaves it out, logged. */
  readonly decode: (object: RawObject) => T | undefined
  /** For log lines. */
  readonly path: string
  readonly log: Logger
}

/** What stands in memory for one object; the item is undefined where `decode` made nothing of it. */
interface Kept<T> {
  readonly resourceVersion: string
  readonly item: T | undefined
}

export function createObjectSet<T>({ decode, path, log }: ObjectSetOptions<T>): ObjectSet<T> {
  const listeners = new Set<ObjectSetListener<T>>()
  const kept = new Map<string, Kept<T>>()
  const items = new Map<string, T>()
  let synced = false

  function tell(call: (listener: ObjectSetListener<T>) => void): void {
    for (const listener of [...listeners]) {
      try {
        call(listener)
      } catch (error) {
        log.error({ path, reason: reasonOf(error) }, 'a listener failed')
      }
    }
  }

  function decoded(key: string, object: RawObject): T | undefined {
    try {
      return decode(object)
    } catch (error) {
      log.warn({ path, object: key, reason: reasonOf(error) }, 'object left out')
      return undefined
    }
  }

  function put(object: RawObject): void {
    const key = objectKey(object)
    if (key === undefined) return
    const resourceVersion = resourceVersionOf(object)
    if (resourceVersion !== '' && kept.get(key)?.resourceVersion === resourceVersion) return
    const item = decoded(key, object)
    kept.set(key, { resourceVersion, item })
    if (item === undefined) {
      drop(key)
      return
    }
    items.set(key, item)
    tell((listener) => listener.set?.(key, item))
  }

  function drop(key: string): void {
    const item = items.get(key)
    if (item === undefined || !items.delete(key)) return
    tell((listener) => listener.removed?.(key, item))
  }

  function forget(key: string): void {
    kept.delete(key)
    drop(key)
  }

  return {
    items,
    put,
    remove(object) {
      const key = objectKey(object)
      if (key !== undefined) forget(key)
    },
    replace(objects) {
      const seen = new Set(objects.map(objectKey))
      for (const key of [...kept.keys()]) if (!seen.has(key)) forget(key)
      for (const object of objects) put(object)
      synced = true
      tell((listener) => listener.synced?.(items))
    },
    subscribe(listener) {
      listeners.add(listener)
      for (const [key, item] of items) listener.set?.(key, item)
      if (synced) listener.synced?.(items)
      return () => listeners.delete(listener)
    },
  }
}
