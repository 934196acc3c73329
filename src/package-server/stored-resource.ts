// Station 6: a store as a resource of the API: get, list and watch for any kind of object, in any form. Receives requests
// that the http room has understood, hands on payloads and cursors. Knows no kind of object by name.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { CatalogKey } from '../api/catalog-source.ts'
import type {
  GetRequest,
  ListRequest,
  Payload,
  ResourceDefinition,
  Scope,
  WatchCursor,
  WatchRequest,
} from '../http/resource.ts'
import { notFound, serviceUnavailable } from '../http/status.ts'
import { joinedGzip, whole } from './body.ts'
import type { Item } from './content.ts'
import { createEventFrames } from './event-frames.ts'
import { createKeptAnswers } from './kept-answers.ts'
import { type ListPage, listPage } from './list-page.ts'
import { listStart, requireNotOlder } from './list-state.ts'
import { createNamespaceView, type NamespaceView } from './namespace-view.ts'
import { createPagedStates } from './paged-states.ts'
import { agesAt, createRepresentation, formKey, momentsOf, type Part } from './representation.ts'
import { parseVersion } from './resource-version.ts'
import { createStore, type State, type Store, type StoreOptions } from './store.ts'
import { type Beginning, createWatchCursor } from './watch-cursor.ts'

/** Which catalogs an answer rests on: their keys, or undefined for all that the namespace sees. */
export interface Basis {
  readonly namespace: string | undefined
  readonly owners: readonly CatalogKey[] | undefined
}

export interface StoredResourceOptions extends StoreOptions {
  readonly definition: ResourceDefinition
  /** Bytes of whole answers and of event frames that are kept for the next who ask. */
  readonly answerBytes?: number
  /** Whether `?catalog=` and `?catalog-namespace=` choose between objects of one name. */
  readonly hinted?: boolean
  /** Texts for `Warning` headers of answers that rest on stale or missing data. */
  readonly warnings?: (basis: Basis) => readonly string[]
  /** Whether everything that a namespace sees has been read or tried once; until then an unknown name is no 404. */
  readonly settled?: (namespace: string) => boolean
}

export interface StoredResource {
  readonly store: Store
  readonly view: NamespaceView
  /** The winner of a name, or of those that `?catalog=` and `?catalog-namespace=` name; throws 404, or 503 while unsettled. */
  find(request: Pick<GetRequest, 'namespace' | 'name' | 'query'>, state?: State): Item
  get(request: GetRequest): Promise<Payload>
  list(request: ListRequest): Promise<Payload>
  watch(request: WatchRequest): Promise<WatchCursor>
  /** Ends work in the background. */
  close(): void
}

/** How many items all remembered selections have together at most. */
const SELECTED_ITEMS = 200_000
const ANSWER_BYTES = 48 * 2 ** 20
const FRAME_SHARE = 0.25
const UNSETTLED_RETRY_SECONDS = 2
/** A selector's text longer than this is not worth a key. */
const LONGEST_KEY = 1024
const JSON_TYPE = 'application/json'

export function createStoredResource(options: StoredResourceOptions): StoredResource {
  const { definition, now } = options
  const budget = options.answerBytes ?? ANSWER_BYTES
  const store = createStore(options)
  const view = createNamespaceView(options.globalNamespace)
  const representation = createRepresentation(definition)
  const pages = createPagedStates(now)
  const answers = createKeptAnswers({ bytes: budget * (1 - FRAME_SHARE) })
  const frames = createEventFrames(representation, now, budget * FRAME_SHARE)
  const warnings = options.warnings ?? (() => [])
  const selections = new LRUCache<string, ListPage>({
    maxSize: SELECTED_ITEMS,
    sizeCalculation: ({ items }) => 1 + items.length,
  })
  let answered: State | undefined
  store.onChange(forgetOld)

  function find(request: Pick<GetRequest, 'namespace' | 'name' | 'query'>, state = store.state()): Item {
    const hint = (key: string) => (options.hinted === true ? (request.query.get(key) ?? '') : '')
    const [catalog, catalogNamespace] = [hint('catalog'), hint('catalog-namespace')]
    const found = view
      .named(state.items, request.namespace, request.name)
      .find(
        ({ content }) =>
          (catalog === '' || content.catalog === catalog) &&
          (catalogNamespace === '' || content.namespace === catalogNamespace),
      )
    if (found !== undefined) return found
    if (options.settled?.(request.namespace) === false) {
      throw serviceUnavailable(
        `${definition.plural} are still being read for the first time: "${request.name}" may be among them`,
        UNSETTLED_RETRY_SECONDS,
      )
    }
    throw notFound(definition, request.name)
  }

  async function get(request: GetRequest): Promise<Payload> {
    const item = find(request, requireNotOlder(store, request.resourceVersion))
    const { content } = item
    const moment = now()
    const parts = () => representation.object(item, { form: request.form, namespace: request.namespace, now: moment })
    const ages = request.form.as === 'table' ? agesAt(momentsOf([item]), moment) : ''
    return {
      contentType: JSON_TYPE,
      etag: etagOf([content.hash, formKey(request.form), ages]),
      warnings: warnings({ namespace: request.namespace, owners: [content.owner] }),
      bytes: async (encoding) => (encoding === 'identity' ? [whole(parts())] : joinedGzip(parts())),
    }
  }

  async function list(request: ListRequest): Promise<Payload> {
    const start = listStart(store, pages, request)
    const moment = now()
    const { form, namespace } = request
    forgetOld()
    const key = keyOf(request, start.version)
    const selection = selections.get(key) ?? listPage(view, request, start)
    selections.set(key, selection)
    if (request.continue !== '' || selection.continue !== '') pages.keep(start.version, start.state)
    const ages = form.as === 'table' ? agesAt(selection.moments, moment) : ''
    const answer = answers.answer(`${key} ${ages}`, {
      etag: () => {
        const rest = selection.continue === '' ? 'end' : `more ${selection.remaining}`
        return etagOf([...selection.items.map(({ content }) => content.hash), formKey(form), ages, rest])
      },
      parts: (): Iterable<Part> =>
        representation.list(
          selection.items,
          { ...selection, version: start.version },
          { form, namespace, now: moment },
        ),
      joinable: form.as === 'object' || (form.as === 'table' && form.includeObject === 'Object'),
    })
    return {
      contentType: JSON_TYPE,
      etag: answer.etag,
      warnings: warnings({ namespace, owners: undefined }),
      bytes: (encoding) => answer.bytes(encoding),
    }
  }

  /** What was chosen and made for a state is of no use to the next one. */
  function forgetOld(): void {
    if (answered === store.state()) return
    answers.clear()
    selections.clear()
    answered = store.state()
  }

  function beginning(request: WatchRequest): Beginning {
    const { resourceVersion, sendInitialEvents } = request
    const anyVersion = resourceVersion === '' || resourceVersion === '0'
    const standing = anyVersion ? undefined : store.standing(parseVersion(resourceVersion))
    if (standing?.known === false) return { from: 'unknown' }
    if (sendInitialEvents === true) return { from: 'state', marked: true }
    if (standing !== undefined) return { from: 'version', standing }
    return sendInitialEvents === false ? { from: 'now' } : { from: 'state', marked: false }
  }

  return {
    store,
    view,
    find,
    get,
    list,
    watch: async (request) => createWatchCursor({ store, view, frames }, request, beginning(request)),
    close: () => answers.close(),
  }
}

/** What tells answers of one state apart. */
function keyOf(request: ListRequest & Scope, version: number): string {
  const texts = ['labelSelector', 'fieldSelector'].map((name) => request.query.getAll(name))
  const key = JSON.stringify([
    version,
    formKey(request.form),
    request.namespace ?? null,
    ...texts,
    request.limit,
    request.continue,
  ])
  return key.length <= LONGEST_KEY ? key : `${hash('sha256', key)}`
}

/** A function of content and form: no number, no time. */
function etagOf(facts: readonly string[]): string {
  return hash('sha1', facts.join('\n'), 'base64url')
}
