// One loaded catalog as one file: its packed texts, its index as lines, and a trailer that says of which folder it was
// made and whether it is whole. Written under another name and moved, so that a file is there wholly or not at all.
//
//   MAGIC | packed texts | facts line, index lines | trailer: catalog digest (32), start of the lines (8), SHA-256 of all before (32)
import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { OlmError, reasonOf } from '../errors.ts'
import type { PackedRange } from '../file-based-catalog/content-store.ts'
import type { PackageIndex } from '../file-based-catalog/package-index.ts'
import { indexLines, indexOfLines } from './index-lines.ts'
import { withRanges } from './packed-ranges.ts'

export interface CatalogFacts {
  /** Of the folder that the catalog was loaded from. Hexadecimal. */
  readonly digest: string
  readonly files: number
  readonly bytes: number
}

export interface OpenCatalog {
  readonly index: PackageIndex
  readonly facts: CatalogFacts
  close(): Promise<void>
}

/** To be raised with every change to the index's types or to how texts are packed: files of other versions are not read. */
const MAGIC = Buffer.from('olm-registry-catalog-1\n')
const TRAILER_BYTES = 32 + 8 + 32
const SLICE_BYTES = 1024 * 1024
/** OpenShift runs a container under any user number and group 0: the group may all that the owner may. */
const FILE_MODE = 0o660

/** A name beside `path` under which a file is written, to be moved to `path` when it is whole. */
export function temporaryName(path: string): string {
  return `${path}.${randomUUID()}.tmp`
}

/** The file must not exist; one that could not be written whole is removed. */
export async function writeCatalogFile(path: string, index: PackageIndex, facts: CatalogFacts): Promise<void> {
  const file = await open(path, 'wx', FILE_MODE)
  try {
    await writeWhole(file, index, facts)
    await file.chmod(FILE_MODE)
    await file.sync()
    await file.close()
  } catch (thrown) {
    await file.close().catch(() => undefined)
    await rm(path, { force: true })
    throw thrown
  }
}

/** Gives a whole file its place, at once and lastingly: a rename is on disk only when its folder is. */
export async function moveIntoPlace(from: string, to: string): Promise<void> {
  await rename(from, to)
  const folder = await open(dirname(to), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function writeWhole(file: FileHandle, index: PackageIndex, facts: CatalogFacts): Promise<void> {
  const hash = createHash('sha256')
  let written = 0
  let waiting: Uint8Array[] = []
  let waitingBytes = 0
  async function flush(): Promise<void> {
    const bytes = Buffer.concat(waiting)
    waiting = []
    waitingBytes = 0
    hash.update(bytes)
    await file.writeFile(bytes)
  }
  async function write(bytes: Uint8Array): Promise<number> {
    const at = written
    written += bytes.length
    waiting.push(bytes)
    waitingBytes += bytes.length
    if (waitingBytes >= SLICE_BYTES) await flush()
    return at
  }

  await write(MAGIC)
  const placed = await withRanges(index, async (range) => {
    const bytes = await index.contents.read(range)
    return { chunk: 0, offset: await write(bytes), length: bytes.length }
  })
  const linesAt = written
  await write(Buffer.from(`${JSON.stringify(facts)}\n`))
  for (const line of indexLines(placed)) await write(Buffer.from(line))
  await write(Buffer.from(facts.digest, 'hex'))
  const place = Buffer.alloc(8)
  place.writeBigUInt64LE(BigInt(linesAt))
  await write(place)
  await flush()
  await file.writeFile(hash.digest())
}

/** Reads the whole file once to check it, then only what is asked for. Fails with CACHE_UNUSABLE. */
export async function openCatalogFile(path: string, digest: string, signal: AbortSignal): Promise<OpenCatalog> {
  const file = await open(path, 'r').catch((thrown: unknown) => {
    throw new OlmError('CACHE_UNUSABLE', { file: path, reason: reasonOf(thrown) }, { cause: thrown })
  })
  try {
    const { facts, lines } = await readChecked(file, path, digest, signal)
    const { packages, customBlobs } = await indexOfLines(lines)
    const contents = { read: (range: PackedRange) => readRange(file, range) }
    return { index: { packages, customBlobs, contents }, facts, close: () => file.close() }
  } catch (thrown) {
    await file.close()
    throw thrown
  }
}

async function readChecked(file: FileHandle, path: string, digest: string, signal: AbortSignal) {
  const unusable = (reason: string): OlmError => new OlmError('CACHE_UNUSABLE', { file: path, reason })
  const { size } = await file.stat()
  const start = Buffer.alloc(MAGIC.length)
  await file.read(start, 0, start.length, 0)
  if (!start.equals(MAGIC)) throw unusable('is of another version or no catalog cache at all')
  const trailerAt = size - TRAILER_BYTES
  if (trailerAt < MAGIC.length) throw unusable(`is cut short: ${size} bytes`)
  const trailer = await readRange(file, { chunk: 0, offset: trailerAt, length: TRAILER_BYTES })
  const expected = trailer.subarray(40)
  const madeOf = trailer.toString('hex', 0, 32)
  const linesAt = Number(trailer.readBigUInt64LE(32))

  const hash = createHash('sha256')
  const lines: Buffer[] = []
  for (let at = 0; at < size - expected.length; at += SLICE_BYTES) {
    signal.throwIfAborted()
    const length = Math.min(SLICE_BYTES, size - expected.length - at)
    const slice = await readRange(file, { chunk: 0, offset: at, length })
    hash.update(slice)
    if (madeOf === digest && at + length > linesAt)
      lines.push(slice.subarray(Math.max(0, linesAt - at), Math.min(length, trailerAt - at)))
  }
  const found = hash.digest()
  if (!found.equals(expected)) {
    const digests = `its bytes have the digest ${found.toString('hex')}, not ${expected.toString('hex')}`
    throw unusable(`is damaged or cut short: ${digests}`)
  }
  // Only a whole file's word counts: the end of one that was cut short is any bytes.
  if (madeOf !== digest) throw unusable(`was made of a catalog with the digest ${madeOf}, not ${digest}`)
  const all = linesOf(lines)
  const facts = JSON.parse(String(all.next().value)) as CatalogFacts
  return { facts, lines: all }
}

async function readRange(file: FileHandle, range: PackedRange): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(range.length)
  const { bytesRead } = await file.read(bytes, 0, range.length, range.offset)
  if (bytesRead < range.length) throw new Error(`cache file ends at byte ${range.offset + bytesRead}`)
  return bytes
}

/** Lines of a text that lies in pieces. */
function* linesOf(pieces: readonly Buffer[]): Generator<string> {
  let begun: Buffer[] = []
  for (const piece of pieces) {
    let at = 0
    for (let end = piece.indexOf(10); end !== -1; end = piece.indexOf(10, at)) {
      yield Buffer.concat([...begun, piece.subarray(at, end)]).toString()
      begun = []
      at = end + 1
    }
    if (at < piece.length) begun.push(piece.subarray(at))
  }
}
