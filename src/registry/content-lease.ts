// The content being served now, and those replaced before whose calls still run: each is closed after its last call.
import type { RegistryContent } from './registry-content.ts'

export interface Lease {
  readonly content: RegistryContent
  /** Once per lease, when the call has ended however it ended. */
  release(): void
}

export interface ContentLeases {
  /** Undefined until the first content is there. */
  take(): Lease | undefined
  replace(content: RegistryContent): void
  /** Resolves when every content ever served is closed. */
  close(): Promise<void>
}

interface Holder {
  readonly content: RegistryContent
  calls: number
  retired: boolean
}

/** `onCloseFailed` hears of a content that could not be closed; nothing else fails for it. */
export function createContentLeases(onCloseFailed: (thrown: unknown) => void): ContentLeases {
  let current: Holder | undefined
  const closing = new Set<Promise<void>>()

  function closeIfUnused(holder: Holder): void {
    if (!holder.retired || holder.calls > 0) return
    const closed = holder.content.close().catch(onCloseFailed)
    closing.add(closed)
    void closed.finally(() => closing.delete(closed))
  }

  function retire(): void {
    if (current === undefined) return
    current.retired = true
    closeIfUnused(current)
    current = undefined
  }

  return {
    take() {
      const holder = current
      if (holder === undefined) return undefined
      holder.calls += 1
      let released = false
      return {
        content: holder.content,
        release() {
          if (released) return
          released = true
          holder.calls -= 1
          closeIfUnused(holder)
        },
      }
    },
    replace(content) {
      retire()
      current = { content, calls: 0, retired: false }
    },
    async close() {
      retire()
      await Promise.all(closing)
    },
  }
}
