// The path of a request, read once: what is authorized is what is served. Text in, a path of plain segments out; a path
// that two readers could read differently (encoded slashes, dots, empty segments, control characters) is refused.
import { badRequest } from './status.ts'

export interface ResourcePath {
  readonly kind: 'resource'
  readonly path: string
  readonly group: string
  readonly version: string
  /** `""`: cluster-wide. */
  readonly namespace: string
  readonly resource: string
  /** `""`: the collection. */
  readonly name: string
  readonly subresource: string
  /** Segments after the subresource: nothing is served there. */
  readonly rest: readonly string[]
}

export interface OtherPath {
  readonly kind: 'other'
  /** Decoded, as it is authorized: a slash at its end counts. */
  readonly path: string
  /** Without the slash at its end: what is served. */
  readonly served: string
}

export type RequestPath = ResourcePath | OtherPath

/** `url` is the request target as sent. */
export function splitTarget(url: string): { readonly path: string; readonly search: string } {
  const mark = url.indexOf('?')
  return mark === -1 ? { path: url, search: '' } : { path: url.slice(0, mark), search: url.slice(mark + 1) }
}

export function parsePath(raw: string): RequestPath {
  const segments = decode(raw)
  const path = `/${segments.join('/')}`
  const [root, group, version, ...rest] = segments
  if (root !== 'apis' || group === undefined || version === undefined || rest.length === 0) {
    return { kind: 'other', path: raw.endsWith('/') && path !== '/' ? `${path}/` : path, served: path }
  }
  const [first = '', second, third, ...tail] = rest
  const address = { kind: 'resource', path, group, version } as const
  if (first === 'namespaces' && second !== undefined && third !== undefined) {
    const [name = '', subresource = '', ...beyond] = tail
    return { ...address, namespace: second, resource: third, name, subresource, rest: beyond }
  }
  const [name = '', subresource = '', beyond] = [second, third, tail]
  return { ...address, namespace: '', resource: first, name, subresource, rest: beyond ?? [] }
}

function decode(raw: string): string[] {
  if (!raw.startsWith('/')) throw badRequest('the request target is not a path')
  if (raw === '/') return []
  const inner = raw.endsWith('/') ? raw.slice(1, -1) : raw.slice(1)
  return inner.split('/').map(decodeSegment)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const REFUSED_CHARACTERS = /[\u0000-\u001f\u007f/\\]/

function decodeSegment(raw: string): string {
  const segment = decodeText(raw)
  if (segment === '' || segment === '.' || segment === '..') throw badRequest('the path has an empty or dotted segment')
  if (REFUSED_CHARACTERS.test(segment)) {
    throw badRequest('the path has an encoded slash, a backslash or a control character')
  }
  return segment
}

function decodeText(raw: string): string {
  if (!raw.includes('%')) return raw
  try {
    return decodeURIComponent(raw)
  } catch {
    throw badRequest('the path is not percent-encoded UTF-8')
  }
}
