// Whole answers that are asked for again and again: a cache bounded by bytes of what can always be made anew. The first
// question is answered from pieces; a repeated one gets the answer kept, compressed as one stream in the background.
import { LRUCache } from 'lru-cache'
import { byteCount, joinedGzip, pieces, slices, streamedGzip } from './body.ts'
import type { Part } from './representation.ts'

/** One answer, whose bytes are made when somebody wants them. */
export interface Answer {
  readonly etag: string
  bytes(encoding: 'identity' | 'gzip'): Promise<readonly Uint8Array[]>
}

/** How to make an answer; what it makes must be the same every time. */
export interface Recipe {
  etag(): string
  parts(): Iterable<Part>
  /** Whether its gzip can be joined from deflated tails: not where it has none, as a table has none. */
  readonly joinable: boolean
}

export interface KeptAnswers {
  /** The answer kept under `key`, else a new one. */
  answer(key: string, recipe: Recipe): Answer
  /** Everything has changed. */
  clear(): void
  /** Ends work in the background. */
  close(): void
}

export interface KeptAnswersOptions {
  /** Bytes of all answers kept. */
  readonly bytes: number
}

type Encoding = 'plain' | 'gzip'

interface Entry extends Answer {
  asked: number
  compressed: boolean
  /** The plain body is: whoever wants it gets it in pieces. */
  tooLarge: boolean
  plain: Promise<readonly Uint8Array[]> | undefined
  gzip: Promise<readonly Uint8Array[]> | undefined
  readonly size: { plain: number; gzip: number }
}

/** An answer larger than this share of the cache is not kept. */
const LARGEST_SHARE = 0.5

export function createKeptAnswers(options: KeptAnswersOptions): KeptAnswers {
  const cache = new LRUCache<string, Entry>({
    maxSize: options.bytes,
    maxEntrySize: options.bytes * LARGEST_SHARE,
    sizeCalculation: ({ size }, key) => 200 + key.length + size.plain + size.gzip,
  })
  let queue: Promise<void> = Promise.resolve()
  let closed = false

  /** Keeps the entry under its new size; false where it is too large. */
  function resize(key: string, entry: Entry): boolean {
    if (cache.peek(key) !== entry) return true
    cache.delete(key)
    cache.set(key, entry)
    return cache.peek(key) === entry
  }

  /** One at a time, after everything that is being answered. */
  function inBackground(work: () => Promise<void>): void {
    queue = queue.then(() => (closed ? undefined : work())).catch(() => undefined)
  }

  function create(key: string, recipe: Recipe): Entry {
    const entry: Entry = {
      etag: recipe.etag(),
      asked: 0,
      compressed: !recipe.joinable,
      tooLarge: false,
      plain: undefined,
      gzip: undefined,
      size: { plain: 0, gzip: 0 },
      bytes(encoding) {
        entry.asked++
        return encoding === 'gzip' ? gzip() : plain()
      },
    }
    function plain(): Promise<readonly Uint8Array[]> {
      if (entry.plain !== undefined) return entry.plain
      if (entry.asked < 2 || entry.tooLarge) return pieces(recipe.parts())
      return keep(key, entry, 'plain', slices(recipe.parts()))
    }
    function gzip(): Promise<readonly Uint8Array[]> {
      if (entry.gzip === undefined) {
        return keep(key, entry, 'gzip', recipe.joinable ? joinedGzip(recipe.parts()) : streamedGzip(recipe.parts()))
      }
      if (!entry.compressed) {
        entry.compressed = true
        inBackground(() => compress(key, entry, recipe))
      }
      return entry.gzip
    }
    return entry
  }

  /** Hands on what is being made to all who ask meanwhile, and keeps it unless it turns out too large. */
  async function keep(
    key: string,
    entry: Entry,
    encoding: Encoding,
    making: Promise<readonly Uint8Array[]>,
  ): Promise<readonly Uint8Array[]> {
    entry[encoding] = making
    try {
      return store(key, entry, encoding, await making)
    } catch (error) {
      entry[encoding] = undefined
      throw error
    }
  }

  function store(key: string, entry: Entry, encoding: Encoding, made: readonly Uint8Array[]): readonly Uint8Array[] {
    entry[encoding] = Promise.resolve(made)
    entry.size[encoding] = byteCount(made)
    if (!resize(key, entry)) {
      entry[encoding] = undefined
      entry.size[encoding] = 0
      entry.tooLarge ||= encoding === 'plain'
      cache.set(key, entry)
    }
    return made
  }

  async function compress(key: string, entry: Entry, recipe: Recipe): Promise<void> {
    if (cache.peek(key) !== entry) return
    const made = await streamedGzip(recipe.parts())
    if (cache.peek(key) === entry) store(key, entry, 'gzip', made)
  }

  return {
    answer(key, recipe) {
      const kept = cache.get(key)
      if (kept !== undefined) return kept
      const entry = create(key, recipe)
      cache.set(key, entry)
      return entry
    },
    clear: () => cache.clear(),
    close() {
      closed = true
      cache.clear()
    },
  }
}
