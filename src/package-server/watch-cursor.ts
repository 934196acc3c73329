// A watch as its reader sees it: a place in the history, and what to send before going on from there. Receives a request
// and where it stands, hands on frames as they are pulled. Keeps no queue: a slow reader costs its place and nothing else.
import type { WatchCursor, WatchRequest } from '../http/resource.ts'
import { expired } from '../http/status.ts'
import type { Content, Item } from './content.ts'
import type { EventFrames } from './event-frames.ts'
import { losersFirst, sharedWinners } from './initial-events.ts'
import { selects } from './list-page.ts'
import type { NamespaceView } from './namespace-view.ts'
import { BOOKMARK } from './resource-version.ts'
import type { KnownStanding, State, Store } from './store.ts'

export interface WatchParts {
  readonly store: Store
  readonly view: NamespaceView
  readonly frames: EventFrames
}

/** How a watch begins. */
export type Beginning =
  /** With everything there is, as ADDED; `marked`: a bookmark then says that this was all. */
  | { readonly from: 'state'; readonly marked: boolean }
  /** With what changes from now on. */
  | { readonly from: 'now' }
  | { readonly from: 'version'; readonly standing: KnownStanding }
  /** Not at all: one ERROR event says to list again. */
  | { readonly from: 'unknown' }

export function createWatchCursor(parts: WatchParts, request: WatchRequest, beginning: Beginning): WatchCursor {
  const { store, view } = parts
  const { history } = store
  const scope = parts.frames.scope(request)
  let place = beginning.from === 'version' ? beginning.standing.place : history.end()
  /** The number up to which the reader has been told everything. */
  let stands = beginning.from === 'version' ? beginning.standing.bookmark : store.state().version + BOOKMARK
  let opening: Iterator<Uint8Array> | undefined = open(store.state())
  let ended = false
  let forget = () => {}

  /** The state is this generator's alone: a watch must not keep what others have long forgotten. */
  function* open(state: State): Generator<Uint8Array> {
    if (beginning.from === 'unknown') return yield end(request.resourceVersion)
    if (beginning.from === 'state') {
      for (const { content, version } of losersFirst(selected(state.items), request.namespace)) {
        yield scope.fresh('ADDED', content, version)
      }
      if (beginning.marked && request.allowBookmarks) yield scope.bookmark(stands, true)
    }
    // Whoever asks for tables shows them and keeps none.
    if (beginning.from === 'version' && beginning.standing.listed && request.form.as !== 'table') {
      const winners = sharedWinners(selected(state.items), request.namespace, beginning.standing.version)
      for (const { content, version } of winners) yield scope.fresh('MODIFIED', content, version)
      if (winners.length > 0 && request.allowBookmarks) yield scope.bookmark(stands, false)
    }
  }

  function selected(items: readonly Item[]): readonly Item[] {
    return view.items(items, request.namespace).filter((item) => selects(request, item.content))
  }

  function shown(content: Content): boolean {
    return view.sees(request.namespace, content.namespace) && selects(request, content)
  }

  function end(version: string): Uint8Array {
    ended = true
    return scope.error(expired(`too old resource version: ${version}: list again and watch from the list's`).status)
  }

  /** The next frame, or undefined where there is nothing to read now. */
  function next(): Uint8Array | undefined {
    for (let first = opening?.next(); first !== undefined; first = undefined) {
      if (first.done !== true) return first.value
      opening = undefined
    }
    while (!ended) {
      const event = history.at(place)
      if (event === undefined) return undefined
      if (event === 'gone') return end(String(stands))
      place++
      stands = event.version
      const now = event.type !== 'DELETED' && shown(event.content)
      const before = event.previous !== undefined && shown(event.previous)
      if (now) return scope.event(before ? 'MODIFIED' : 'ADDED', event.content, event.version)
      if (before && event.previous !== undefined) return scope.event('DELETED', event.previous, event.version)
    }
    return undefined
  }

  return {
    read(maxBytes) {
      const frames: Uint8Array[] = []
      let bytes = 0
      while (bytes < maxBytes) {
        const frame = next()
        if (frame === undefined) break
        frames.push(frame)
        bytes += frame.length
      }
      return { frames, ended: ended && opening === undefined }
    },
    bookmark() {
      if (!request.allowBookmarks || ended || opening !== undefined) return undefined
      if (place === history.end()) stands = Math.max(stands, store.state().version + BOOKMARK)
      return scope.bookmark(stands, false)
    },
    onReadable(listener) {
      forget()
      forget = store.onChange(listener)
    },
    close() {
      forget()
      ended = true
      opening = undefined
    },
  }
}
