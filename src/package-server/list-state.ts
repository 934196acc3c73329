// Which state answers a list or get, and where in it: what `resourceVersion`, `resourceVersionMatch` and `continue` demand,
// by the table of Kubernetes' API concepts. Receives a request's options, hands on a state or throws a Status.
import type { ListRequest } from '../http/resource.ts'
import { badRequest, expired, resourceVersionTooLarge } from '../http/status.ts'
import { type ContinueToken, readContinueToken, writeContinueToken } from './continue-token.ts'
import type { Place } from './namespace-view.ts'
import type { PagedStates } from './paged-states.ts'
import { parseVersion } from './resource-version.ts'
import type { State, Store } from './store.ts'

export interface ListStart {
  readonly state: State
  /** The number that the answer bears: on later pages the first page's. */
  readonly version: number
  /** The last item of the page before. */
  readonly after: Place | undefined
}

/** Ours or another's text; 504 where this process cannot say that its state is as new. */
export function requireNotOlder(store: Store, resourceVersion: string): State {
  const state = store.state()
  if (resourceVersion === '' || resourceVersion === '0') return state
  const version = parseVersion(resourceVersion)
  if (store.standing(version).known || store.history.remembers(version)) return state
  throw resourceVersionTooLarge(resourceVersion, String(state.version))
}

export function listStart(
  store: Store,
  pages: PagedStates,
  request: Pick<ListRequest, 'resourceVersion' | 'resourceVersionMatch' | 'limit' | 'continue'>,
): ListStart {
  if (request.continue !== '') return continued(store, pages, request.continue)
  const { resourceVersion, resourceVersionMatch, limit } = request
  const exact =
    resourceVersionMatch === 'Exact' || (resourceVersionMatch === undefined && limit > 0 && resourceVersion !== '0')
  if (!exact || resourceVersion === '') {
    const state = requireNotOlder(store, resourceVersion)
    return { state, version: state.version, after: undefined }
  }
  const version = parseVersion(resourceVersion)
  const state = stateOf(store, pages, version)
  if (state !== undefined) return { state, version, after: undefined }
  if (version > store.state().version) throw resourceVersionTooLarge(resourceVersion, String(store.state().version))
  throw expired(`resourceVersion ${resourceVersion} is not kept any more: list without it`)
}

/** Our present state or a kept one, where the number names it. */
function stateOf(store: Store, pages: PagedStates, version: number): State | undefined {
  const standing = store.standing(version)
  return standing.known && standing.current ? store.state() : pages.find(version)
}

function continued(store: Store, pages: PagedStates, text: string): ListStart {
  const token: ContinueToken | undefined = readContinueToken(text)
  if (token === undefined) throw badRequest('continue: this is no token that this server has handed out')
  const { version, after } = token
  if (version === undefined) return { state: store.state(), version: store.state().version, after }
  const state = stateOf(store, pages, version)
  if (state !== undefined) return { state, version, after }
  throw expired(
    'the list that this continue token belongs to is not kept any more: list again without it, or go on with the token ' +
      'in this answer, which shows the rest as it is now, whatever has changed since the first page',
    writeContinueToken({ version: undefined, after }),
  )
}
