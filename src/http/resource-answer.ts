// Requests to a resource: path and query in, an answer out of what the resource makes; a watch becomes a stream.
// Receives authorized requests. Never looks into a payload.
import type { Exchange } from './exchange.ts'
import { checkTimeout, parseListOptions, parseResourceVersion } from './list-options.ts'
import { negotiate } from './negotiate.ts'
import { answerPayload } from './payload-answer.ts'
import type { ResourcePath } from './request-path.ts'
import type { GetRequest, Resource, WatchCursor, WatchRequest } from './resource.ts'
import type { Answer } from './send.ts'
import { methodNotAllowed, pathNotFound } from './status.ts'

/** A watch that is about to be streamed. */
export interface OpenWatch {
  readonly open: () => Promise<WatchCursor>
  readonly timeoutSeconds: number | undefined
}

export const ALLOWED_METHODS = 'GET, HEAD'

/** The resource behind a path; throws 404 where nothing is served there. */
export function resourceAt(resources: readonly Resource[], path: ResourcePath): Resource {
  const found = resources.find(
    ({ definition }) =>
      definition.group === path.group && definition.version === path.version && definition.plural === path.resource,
  )
  if (found === undefined || path.rest.length > 0) throw pathNotFound()
  // Namespaced: a name needs a namespace.
  if (path.name !== '' && path.namespace === '') throw pathNotFound()
  const { subresources } = found.definition
  if (path.subresource !== '' && !subresources.some((one) => one.name === path.subresource)) throw pathNotFound()
  return found
}

export async function answerResource(
  exchange: Exchange,
  resource: Resource,
  path: ResourcePath,
): Promise<Answer | OpenWatch> {
  if (exchange.method !== 'GET' && exchange.method !== 'HEAD') throw methodNotAllowed(ALLOWED_METHODS)
  if (path.subresource !== '') return answerSubresource(exchange, resource, path)
  if (path.name !== '') return answerGet(exchange, resource, path)
  return answerCollection(exchange, resource, path)
}

async function answerSubresource(exchange: Exchange, resource: Resource, path: ResourcePath): Promise<Answer> {
  const resourceVersion = exchange.query.get('resourceVersion') ?? ''
  const request = getRequest(exchange, path, { form: { as: 'object' }, resourceVersion })
  return answerPayload(exchange, await resource.getSubresource(path.subresource, request), 'json')
}

async function answerGet(exchange: Exchange, resource: Resource, path: ResourcePath): Promise<Answer> {
  const { form, style } = negotiate(exchange.negotiation, 'object', resource.definition.kind)
  checkTimeout(exchange.query)
  const request = getRequest(exchange, path, { form, resourceVersion: parseResourceVersion(exchange.query) })
  return answerPayload(exchange, await resource.get(request), style)
}

function getRequest(
  { query }: Exchange,
  { namespace, name }: ResourcePath,
  rest: Pick<GetRequest, 'form' | 'resourceVersion'>,
): GetRequest {
  return { namespace, name, query, ...rest }
}

async function answerCollection(
  exchange: Exchange,
  resource: Resource,
  path: ResourcePath,
): Promise<Answer | OpenWatch> {
  const { query, negotiation, method } = exchange
  const { timeoutSeconds, watch, allowBookmarks, sendInitialEvents, ...options } = parseListOptions(query)
  const namespace = path.namespace === '' ? undefined : path.namespace
  const { kind } = resource.definition
  if (watch && method === 'GET') {
    const { labels, fields, resourceVersion } = options
    const { form } = negotiate(negotiation, 'watch', kind)
    const selection = { namespace, form, query, labels, fields, resourceVersion }
    const request: WatchRequest = { ...selection, sendInitialEvents, allowBookmarks }
    return { open: () => resource.watch(request), timeoutSeconds }
  }
  const { form, style } = negotiate(negotiation, 'list', kind)
  checkTimeout(query)
  return answerPayload(exchange, await resource.list({ namespace, form, query, ...options }), style)
}
