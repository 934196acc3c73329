// Which items a list answers with: what the namespace sees and the selectors choose, one page of it. Receives a request and
// the state that answers it, hands on items and how to go on after them. Pure.
import type { ListRequest, WatchRequest } from '../http/resource.ts'
import type { Content, Item } from './content.ts'
import { writeContinueToken } from './continue-token.ts'
import type { ListStart } from './list-state.ts'
import { firstIndex, type NamespaceView } from './namespace-view.ts'
import { type Moments, momentsOf } from './representation.ts'

export interface ListPage {
  readonly items: readonly Item[]
  /** Whose ages a table shows. */
  readonly moments: Moments
  /** `""`: nothing follows. */
  readonly continue: string
  /** How many follow, where no selector leaves that open. */
  readonly remaining: number | undefined
}

const NO_MOMENTS: Moments = new Set()

export function listPage(view: NamespaceView, request: ListRequest, { state, version, after }: ListStart): ListPage {
  const { namespace, limit } = request
  const all = view.items(state.items, namespace)
  const from = after === undefined ? 0 : firstIndex(all, ({ content }) => view.compare(namespace, content, after) > 0)
  const unselective = request.labels.empty && request.fields.empty
  const items: Item[] = []
  let index = from
  for (; index < all.length; index++) {
    const item = all[index]
    if (item === undefined || !(unselective || selects(request, item.content))) continue
    if (limit > 0 && items.length === limit) break
    items.push(item)
  }
  const last = items.at(-1)
  const moments = request.form.as === 'table' ? momentsOf(items) : NO_MOMENTS
  if (index >= all.length || last === undefined) return { items, moments, continue: '', remaining: undefined }
  const next = writeContinueToken({ version, after: last.content })
  return { items, moments, continue: next, remaining: unselective ? all.length - index : undefined }
}

/** Whether the selectors choose it, as it looks from the request's namespace. */
export function selects(
  { labels, fields, namespace }: Pick<ListRequest & WatchRequest, 'labels' | 'fields' | 'namespace'>,
  content: Content,
): boolean {
  if (!labels.empty && !labels.matches(content.labels)) return false
  if (fields.empty) return true
  return fields.matches({ 'metadata.name': content.name, 'metadata.namespace': namespace ?? content.namespace })
}
