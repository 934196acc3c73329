// The body of a watch as events. Receives bytes, hands on one checked event per line; never holds more than one line.
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { isObject } from './api-client.ts'

export type WatchEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: Readonly<Record<string, unknown>> }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string }
  | { readonly type: 'ERROR'; readonly code: number; readonly message: string }

/** Longest line of a watch, UTF-16 units: an object of etcd's limit (1.5 MiB) with room for escapes. */
const LONGEST_LINE = 16 << 20

/** Calls `touched` on every piece that arrives, so that its caller can tell silence from life. Throws on what is no event. */
export async function* readWatchEvents(body: Readable, touched: () => void): AsyncGenerator<WatchEvent> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for await (const chunk of body as AsyncIterable<Buffer>) {
    touched()
    const lines = (rest + decoder.write(chunk)).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > LONGEST_LINE) throw new Error(`watch event longer than ${LONGEST_LINE} characters`)
    for (const line of lines) if (line.trim() !== '') yield parseEvent(line)
  }
  // A cut line at the end is no event: the connection broke in it, and the watch resumes before it.
}

export function parseEvent(line: string): WatchEvent {
  const event: unknown = JSON.parse(line)
  if (!isObject(event) || !isObject(event.object)) throw new Error('watch event without an object')
  const { type, object } = event
  if (type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED') return { type, object }
  if (type === 'BOOKMARK') return { type, resourceVersion: resourceVersionOf(object) }
  if (type === 'ERROR') {
    const code = typeof object.code === 'number' ? object.code : 0
    return { type, code, message: typeof object.message === 'string' ? object.message : 'no reason given' }
  }
  throw new Error('watch event of an unknown type')
}

/** `""` where there is none. */
export function resourceVersionOf(object: Readonly<Record<string, unknown>>): string {
  const metadata = object.metadata
  return isObject(metadata) && typeof metadata.resourceVersion === 'string' ? metadata.resourceVersion : ''
}

/** `namespace/name`, or `name` of what has no namespace. Undefined: no Kubernetes object. */
export function objectKey(object: Readonly<Record<string, unknown>>): string | undefined {
  const metadata = object.metadata
  if (!isObject(metadata) || typeof metadata.name !== 'string' || metadata.name === '') return undefined
  const { name, namespace } = metadata
  return typeof namespace === 'string' && namespace !== '' ? `${namespace}/${name}` : name
}
