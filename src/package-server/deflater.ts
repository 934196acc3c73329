// Deflates the texts of objects, each once, on threads of the pool: in the background as objects come, so that the first
// list that asks for gzip finds them ready, and at once for whoever cannot wait. Receives tails, gives them their pieces.
import { deflatePiece, type Piece } from '../http/gzip-pieces.ts'
import type { Tail } from './content.ts'

export interface Deflater {
  add(tails: readonly Tail[]): void
  close(): void
}

/** In the background the pool of four threads is left to others by half. */
const BACKGROUND = 2
const AWAITED = 4

export function createDeflater(): Deflater {
  const waiting: Tail[] = []
  let running = 0

  async function work(): Promise<void> {
    for (let tail = waiting.pop(); tail !== undefined; tail = waiting.pop()) await deflateTail(tail)
  }

  return {
    add(tails) {
      for (const tail of tails) if (tail.piece === undefined) waiting.push(tail)
      while (running < BACKGROUND && running < waiting.length) {
        running++
        void work().finally(() => running--)
      }
    },
    close: () => void waiting.splice(0),
  }
}

/** Those that are missing, several at a time. */
export async function deflateAll(tails: Iterable<Tail>): Promise<void> {
  const missing: Tail[] = []
  for (const tail of tails) if (tail.piece === undefined) missing.push(tail)
  const next = missing.values()
  const work = async () => {
    for (const tail of next) await deflateTail(tail)
  }
  await Promise.all(Array.from({ length: Math.min(AWAITED, missing.length) }, work))
}

/** The tail's piece; whoever asks while it is being made waits for the same one. */
export async function deflateTail(tail: Tail): Promise<Piece> {
  if (tail.piece !== undefined) return tail.piece
  tail.making ??= deflatePiece(tail.bytes)
  try {
    tail.piece = await tail.making
    return tail.piece
  } finally {
    tail.making = undefined
  }
}
