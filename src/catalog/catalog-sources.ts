// Station 1: which catalogs exist. The contract of whoever knows (a directory, a cluster, a program), one that is told, and
// several as one.
import { type CatalogKey, type CatalogSource, catalogKey } from '../api/catalog-source.ts'
import type { Logger } from '../log.ts'

export interface NamedCatalog {
  readonly source: CatalogSource
  /** Why it cannot be dialled although it wants to be: its address is no address. Undefined where nothing is wrong. */
  readonly fault: string | undefined
  /** A change of it asks for a reading: what somebody did to the object without changing what it says. */
  readonly touch?: string
}

/** The whole set, by key. */
export type CatalogSet = ReadonlyMap<CatalogKey, NamedCatalog>

export interface CatalogSources {
  /** Hands on the whole set at first and whenever it changes, until `signal` aborts. Resolves when the first whole set was handed on. */
  start(signal: AbortSignal, onChange: (catalogs: CatalogSet) => void): Promise<void>
}

export interface SettableSources extends CatalogSources {
  set(sources: readonly CatalogSource[]): void
}

/** Catalogs that the program itself knows. Of equal keys the first counts. */
export function settableSources(sources: readonly CatalogSource[] = []): SettableSources {
  let current = setOf(sources)
  const listeners = new Set<(catalogs: CatalogSet) => void>()
  return {
    set(next) {
      current = setOf(next)
      for (const listener of [...listeners]) listener(current)
    },
    async start(signal, onChange) {
      if (signal.aborted) return
      listeners.add(onChange)
      signal.addEventListener('abort', () => listeners.delete(onChange), { once: true })
      onChange(current)
    },
  }
}

function setOf(sources: readonly CatalogSource[]): CatalogSet {
  return new Map(sources.toReversed().map((source) => [catalogKey(source), { source, fault: undefined }]))
}

/** Several as one. Of equal keys the earlier part's counts; the others are reported, once. */
export function mergedSources(parts: readonly CatalogSources[], log: Logger): CatalogSources {
  return {
    async start(signal, onChange) {
      const sets: CatalogSet[] = parts.map(() => new Map())
      const reported = new Set<string>()
      let started = false
      const changed = () => {
        if (!started) return
        const merged = new Map<CatalogKey, NamedCatalog>()
        const hidden = new Set<string>()
        for (const set of sets) {
          for (const [key, catalog] of set) {
            if (!merged.has(key)) merged.set(key, catalog)
            else hidden.add(key)
          }
        }
        for (const key of hidden) {
          if (!reported.has(key)) log.warn({ catalog: key }, 'named twice: the later one is ignored')
        }
        reported.clear()
        for (const key of hidden) reported.add(key)
        onChange(merged)
      }
      const starts = parts.map((part, index) =>
        part.start(signal, (set) => {
          sets[index] = set
          changed()
        }),
      )
      await Promise.all(starts)
      started = true
      if (!signal.aborted) changed()
    },
  }
}
