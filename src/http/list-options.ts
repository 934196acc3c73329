// The query of a get, list or watch (metav1.GetOptions, ListOptions): parameters in, checked options out; a bad value is
// 400 with the parameter's name, a contradiction 422, both as the API server words them. Unknown parameters are ignored.
import type { ResourceVersionMatch } from './resource.ts'
import {
  EVERYTHING,
  type FieldSelector,
  type LabelSelector,
  parseFieldSelector,
  parseLabelSelector,
} from './selectors.ts'
import { badRequest, invalidListOptions } from './status.ts'

export interface ListOptions {
  readonly labels: LabelSelector
  readonly fields: FieldSelector
  readonly watch: boolean
  /** `""` where unset, else decimal digits. */
  readonly resourceVersion: string
  readonly resourceVersionMatch: ResourceVersionMatch | undefined
  /** 0: no limit. */
  readonly limit: number
  readonly continue: string
  /** Seconds; undefined where unset or 0: the server chooses. Not positive: ends at once. */
  readonly timeoutSeconds: number | undefined
  readonly allowBookmarks: boolean
  readonly sendInitialEvents: boolean | undefined
}

export function parseListOptions(query: URLSearchParams): ListOptions {
  const options = {
    labels: withSelector(query, 'labelSelector', parseLabelSelector),
    fields: withSelector(query, 'fieldSelector', parseFieldSelector),
    watch: wantsWatch(query),
    resourceVersion: parseResourceVersion(query),
    match: query.get('resourceVersionMatch') ?? '',
    limit: Math.max(0, parseInt64(query, 'limit') ?? 0),
    continue: query.get('continue') ?? '',
    timeoutSeconds: parseInt64(query, 'timeoutSeconds') || undefined,
    allowBookmarks: parseBoolean(query.get('allowWatchBookmarks')) ?? false,
    sendInitialEvents: parseBoolean(query.get('sendInitialEvents')),
  }
  const causes = options.watch ? watchCauses(options) : listCauses(options)
  if (causes.length > 0) throw invalidListOptions(causes)
  if (!options.watch && options.continue !== '' && !['', '0'].includes(options.resourceVersion)) {
    throw badRequest('resourceVersion: specifying resource version is not allowed when using continue')
  }
  const { match, ...rest } = options
  return { ...rest, resourceVersionMatch: match === 'Exact' || match === 'NotOlderThan' ? match : undefined }
}

/** True for every value but `0` and `false`, as the API server has it: also for `watch=` and `?watch`. */
export function wantsWatch(query: URLSearchParams): boolean {
  return parseBoolean(query.get('watch')) ?? false
}

/** `""` where unset, else decimal digits of an unsigned 64 bit integer. */
export function parseResourceVersion(query: URLSearchParams): string {
  const text = query.get('resourceVersion') ?? ''
  if (text === '') return ''
  if (!/^\d+$/.test(text)) throw invalidVersion(text, 'invalid syntax')
  if (text.length > 20 || BigInt(text) > 0xffff_ffff_ffff_ffffn) throw invalidVersion(text, 'value out of range')
  return BigInt(text).toString()
}

function invalidVersion(text: string, reason: string): Error {
  return badRequest(
    `resourceVersion: Invalid value: ${quote(text)}: strconv.ParseUint: parsing ${quote(text)}: ${reason}`,
  )
}

/** The `timeout` of a request that is no watch: a Go duration. We answer from memory, so only its form matters. */
export function checkTimeout(query: URLSearchParams): void {
  const text = query.get('timeout') ?? ''
  if (text === '' || /^[-+]?(0|((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)$/.test(text)) return
  const reason = /^[-+]?(\d+(\.\d*)?|\.\d+)$/.test(text) ? 'missing unit in duration' : 'invalid duration'
  throw badRequest(`invalid timeout specified in the request URL - time: ${reason} ${quote(text)}`)
}

function withSelector<T>(query: URLSearchParams, name: string, parse: (text: string) => T): T | typeof EVERYTHING {
  const text = query.get(name)
  return text === null ? EVERYTHING : parse(text)
}

function parseBoolean(text: string | null): boolean | undefined {
  if (text === null) return undefined
  return text !== '0' && text.toLowerCase() !== 'false'
}

/** Undefined where unset. Beyond 2^53 the nearest double serves: no list and no watch is that long. */
function parseInt64(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  if (!/^[-+]?\d{1,64}$/.test(text))
    throw badRequest(`${name}: strconv.ParseInt: parsing ${quote(text)}: invalid syntax`)
  const value = BigInt(text.replace(/^\+/, ''))
  if (value !== BigInt.asIntN(64, value)) {
    throw badRequest(`${name}: strconv.ParseInt: parsing ${quote(text)}: value out of range`)
  }
  return Number(value)
}

interface Checked {
  readonly match: string
  readonly resourceVersion: string
  readonly continue: string
  readonly sendInitialEvents: boolean | undefined
}

interface Cause {
  readonly reason: 'FieldValueForbidden' | 'FieldValueNotSupported'
  readonly message: string
  readonly field: string
}

function listCauses({ match, resourceVersion, continue: token, sendInitialEvents }: Checked): Cause[] {
  const causes: Cause[] = []
  if (match !== '') {
    if (resourceVersion === '') causes.push(matchForbidden('unless resourceVersion is provided'))
    if (token !== '') causes.push(matchForbidden('when continue is provided'))
    if (match !== 'Exact' && match !== 'NotOlderThan') causes.push(matchUnknown(match, ['Exact', 'NotOlderThan', '']))
    if (match === 'Exact' && resourceVersion === '0') {
      causes.push(
        forbidden('resourceVersionMatch', 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'),
      )
    }
  }
  if (sendInitialEvents !== undefined) {
    causes.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'))
  }
  return causes
}

function watchCauses({ match, continue: token, sendInitialEvents }: Checked): Cause[] {
  const causes: Cause[] = []
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    causes.push(
      forbidden('resourceVersionMatch', 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'),
    )
  }
  if (match !== '') {
    if (sendInitialEvents === undefined) causes.push(matchForbidden('for watch unless sendInitialEvents is provided'))
    if (match !== 'NotOlderThan') causes.push(matchUnknown(match, ['NotOlderThan']))
    if (token !== '') causes.push(matchForbidden('when continue is provided'))
  }
  return causes
}

function matchForbidden(tail: string): Cause {
  return forbidden('resourceVersionMatch', `resourceVersionMatch is forbidden ${tail}`)
}

function matchUnknown(match: string, supported: readonly string[]): Cause {
  return {
    reason: 'FieldValueNotSupported',
    message: `Unsupported value: ${quote(match)}: supported values: ${supported.map(quote).join(', ')}`,
    field: 'resourceVersionMatch',
  }
}

function forbidden(field: string, reason: string): Cause {
  return { reason: 'FieldValueForbidden', message: `Forbidden: ${reason}`, field }
}

function quote(text: string): string {
  return JSON.stringify(text)
}
