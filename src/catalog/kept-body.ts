// The large file of a kept reading: one package a line. Receives packages and a path, hands on its digest; and back, whole or not at
// all. Both take turns with whatever else goes on.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from './clock.ts'
import type { KeptHeader } from './kept-header.ts'
import { decodeKeptPackage, encodeKeptPackage } from './kept-package.ts'
import type { SnapshotPackage } from './snapshot.ts'

/** Longest time to go on before others get their turn, ms. */
const TURN_MS = 10
const PIECE_BYTES = 1024 * 1024

/** Fails, and leaves nothing there, where they need more than `most` bytes. */
export async function writeKeptBody(
  path: string,
  packages: readonly SnapshotPackage[],
  most: number,
): Promise<Pick<KeptHeader, 'body' | 'bodyBytes'>> {
  const digest = createHash('sha256')
  let bodyBytes = 0
  await writeDraft(path, async (file) => {
    for (const each of packages) {
      const line = Buffer.from(`${encodeKeptPackage(each)}\n`)
      bodyBytes += line.length
      if (bodyBytes > most) throw new Error(`it has more than ${most} bytes`)
      digest.update(line)
      await file.writeFile(line)
    }
  })
  return { body: digest.digest('hex'), bodyBytes }
}

/** A file that is on the disk when this ends, or not there at all. */
export async function writeDraft(path: string, fill: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    await fill(file)
    await file.datasync()
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

/** Throws where the file is not exactly what was written. */
export async function readKeptBody(
  path: string,
  header: Pick<KeptHeader, 'body' | 'packages'>,
  clock: Pick<Clock, 'monotonic'>,
): Promise<readonly SnapshotPackage[]> {
  const digest = createHash('sha256')
  const packages: SnapshotPackage[] = []
  let rest: Buffer = Buffer.alloc(0)
  let turn = clock.monotonic()
  for await (const chunk of createReadStream(path, { highWaterMark: PIECE_BYTES }) as AsyncIterable<Buffer>) {
    digest.update(chunk)
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      packages.push(decodeKeptPackage(rest.toString('utf8', 0, end)))
      rest = rest.subarray(end + 1)
      if (clock.monotonic() - turn < TURN_MS) continue
      await nextTurn()
      turn = clock.monotonic()
    }
  }
  if (digest.digest('hex') !== header.body) throw new Error('damaged: the digest of its packages is another')
  if (rest.length > 0 || packages.length !== header.packages) throw new Error('damaged: it is not whole')
  return packages
}
