// Deflates the texts of new objects in the background, a few at a time on threads of the pool, so that the first list that
// asks for gzip finds them ready. Whoever needs one earlier deflates it himself.
import { deflateTail } from './body.ts'
import type { Tail } from './content.ts'

export interface Deflater {
  add(tails: readonly Tail[]): void
  close(): void
}

/** At most so many at once: the pool has four threads, and others need them too. */
const AT_ONCE = 2

export function createDeflater(): Deflater {
  const waiting: Tail[] = []
  let running = 0

  async function work(): Promise<void> {
    for (let tail = waiting.pop(); tail !== undefined; tail = waiting.pop()) {
      if (tail.piece === undefined) await deflateTail(tail)
    }
  }

  return {
    add(tails) {
      waiting.push(...tails.filter((tail) => tail.piece === undefined))
      while (running < AT_ONCE && waiting.length > 0) {
        running++
        void work().finally(() => running--)
      }
    },
    close: () => waiting.splice(0),
  }
}
