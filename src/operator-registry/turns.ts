// Lets other work have its turn during long work on one thread, so that a health check never waits for more than a slice.
import { performance } from 'node:perf_hooks'
import { setImmediate as otherWork } from 'node:timers/promises'

const SLICE_MS = 10

/** To be awaited between pieces of work: goes on at once until the slice is used up. */
export function createTurns(sliceMs = SLICE_MS): () => Promise<void> {
  let end = performance.now() + sliceMs
  return async () => {
    if (performance.now() < end) return
    await otherWork()
    end = performance.now() + sliceMs
  }
}
