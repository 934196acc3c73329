// A payload or a ready document in, an answer out: style, encoding, conditional reads, warnings, cache rules.
import { acceptsGzip } from './accept-header.ts'
import { compress, restyle, STYLE_TAGS, STYLE_TYPES } from './body-style.ts'
import type { Exchange } from './exchange.ts'
import type { Style } from './negotiate.ts'
import type { ReadyDocument } from './ready-document.ts'
import type { Payload } from './resource.ts'
import type { Answer, HeaderValues } from './send.ts'

export const NO_CACHE = 'no-cache, private'
/** More tell a reader nothing, and cost every answer. */
const MOST_WARNINGS = 5
const LONGEST_WARNING = 256

/** `style` counts for JSON payloads alone: an icon is sent as it is. */
export async function answerPayload(exchange: Exchange, payload: Payload, style: Style): Promise<Answer> {
  const restyled = payload.contentType === 'application/json' && style !== 'json'
  const etag = payload.etag === undefined ? undefined : `W/"${payload.etag}${restyled ? STYLE_TAGS[style] : ''}"`
  const headers: HeaderValues = {
    'cache-control': NO_CACHE,
    vary: 'Accept, Accept-Encoding',
    ...payload.headers,
    ...(etag === undefined ? {} : { etag }),
    ...(payload.warnings.length === 0 ? {} : { warning: warningHeaders(payload.warnings) }),
  }
  if (etag !== undefined && matches(exchange, etag)) return { status: 304, headers, body: [] }
  const typed = { ...headers, 'content-type': restyled ? STYLE_TYPES[style] : payload.contentType }
  const zipped = wantsGzip(exchange) ? await gzipped(payload, restyled ? style : 'json') : undefined
  if (zipped !== undefined) return { status: 200, headers: { ...typed, 'content-encoding': 'gzip' }, body: zipped }
  return { status: 200, headers: typed, body: await plain(payload, restyled ? style : 'json') }
}

async function plain(payload: Payload, style: Style): Promise<readonly Uint8Array[]> {
  return restyle((await payload.bytes('identity')) ?? [], style)
}

async function gzipped(payload: Payload, style: Style): Promise<readonly Uint8Array[] | undefined> {
  return style === 'json' ? payload.bytes('gzip') : compress(await plain(payload, style))
}

/** A document made at the start; its bytes are sent as they are, or styled where it has no fixed type. */
export async function answerDocument(exchange: Exchange, document: ReadyDocument, style: Style): Promise<Answer> {
  const etag = document.etag === undefined ? undefined : `"${document.etag}"`
  const headers: HeaderValues = {
    'cache-control': document.cacheControl ?? NO_CACHE,
    ...(etag === undefined ? {} : { etag, vary: 'Accept' }),
  }
  if (etag !== undefined && matches(exchange, etag)) return { status: 304, headers, body: [] }
  const restyled = document.contentType === 'application/json' && style !== 'json'
  const body = restyled ? await restyle([document.bytes], style) : [document.bytes]
  const typed = { ...headers, 'content-type': restyled ? STYLE_TYPES[style] : document.contentType }
  const zipped = wantsGzip(exchange) ? await (restyled ? compress(body) : document.gzip?.()) : undefined
  if (zipped === undefined) return { status: 200, headers: typed, body }
  return { status: 200, headers: { ...typed, 'content-encoding': 'gzip' }, body: zipped }
}

export function wantsGzip({ request }: Exchange): boolean {
  const header = request.headers['accept-encoding']
  return typeof header === 'string' && acceptsGzip(header)
}

/** Weak comparison (RFC 9110, 13.1.2): a tag matches whoever gave it as strong or weak. */
function matches({ request }: Exchange, etag: string): boolean {
  const header = request.headers['if-none-match']
  if (header === undefined) return false
  if (header.trim() === '*') return true
  const opaque = etag.replace(/^W\//, '')
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === opaque)
}

function warningHeaders(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].slice(0, MOST_WARNINGS).map((text) => `299 - "${headerText(text)}"`)
}

/** Quoted-string of UTF-8 (Node sends header text as Latin-1, so its bytes are spelled out); control characters become blanks. */
function headerText(text: string): string {
  const clean = Array.from(text, (one) => (one < ' ' || one === '\u007f' ? ' ' : one))
    .slice(0, LONGEST_WARNING)
    .join('')
  return Buffer.from(clean.replace(/[\\"]/g, '\\$&')).toString('latin1')
}
