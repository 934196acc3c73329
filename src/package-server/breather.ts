// Long work in slices: lets everything else have its turn once in a while, so that nobody waits long. Receives how much was
// done, decides when it has been enough.
import { setImmediate as otherWork } from 'node:timers/promises'

/** Call it after each step with the step's size; it waits whenever a slice's worth has been done since it last did. */
export type Breather = (size: number) => Promise<void> | undefined

export function createBreather(slice: number): Breather {
  let done = 0
  return (size) => {
    done += size
    if (done < slice) return undefined
    done = 0
    return otherWork()
  }
}
