// Line and column of a field: the document is read again from its file, since a sound catalog needs no places.
import { open } from 'node:fs/promises'
import { LineCounter, parseDocument } from 'yaml'
import type { BlobSource, Problem } from './problem.ts'
import type { Path } from './shape.ts'

export interface Place {
  readonly line: number | undefined
  readonly column: number | undefined
}

const NOWHERE: Place = { line: undefined, column: undefined }

/** Longer documents are placed by their first line alone: reading places costs many times what reading costs. */
const MAX_PLACED_BYTES = 2 * 1024 * 1024

/** A file that cannot be read any more costs the place, not the fault. */
export async function placeOf(problem: Problem, cache: PlaceCache): Promise<Place> {
  const { source, path, at } = problem
  if (source === undefined) return NOWHERE
  try {
    const document = await cache.document(source)
    return document.find(path, at)
  } catch {
    return NOWHERE
  }
}

export interface PlacedDocument {
  find(path: Path, at: number | undefined): Place
}

export interface PlaceCache {
  document(source: BlobSource): Promise<PlacedDocument>
}

/** Keeps the last document: faults come blob by blob. */
export function createPlaceCache(): PlaceCache {
  let last: { readonly source: BlobSource; readonly document: PlacedDocument } | undefined
  const lines = new Map<string, { readonly offset: number; readonly line: number }>()
  return {
    async document(source) {
      if (last?.source === source) return last.document
      const key = source.file.path
      const known = lines.get(key)
      const from = known !== undefined && known.offset <= source.extent.offset ? known : { offset: 0, line: 1 }
      const { text, firstLine } = await readExtent(source, from)
      lines.set(key, { offset: source.extent.offset, line: firstLine })
      const document = placeText(text, firstLine)
      last = { source, document }
      return document
    },
  }
}

async function readExtent(source: BlobSource, from: { readonly offset: number; readonly line: number }) {
  const handle = await open(source.file.location)
  try {
    let line = from.line
    const step = Buffer.alloc(256 * 1024)
    for (let at = from.offset; at < source.extent.offset; ) {
      const { bytesRead } = await handle.read(step, 0, Math.min(step.length, source.extent.offset - at), at)
      if (bytesRead === 0) break
      line += countLines(step.subarray(0, bytesRead))
      at += bytesRead
    }
    const bytes = Buffer.alloc(Math.min(source.extent.length, MAX_PLACED_BYTES))
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, source.extent.offset)
    return { text: bytes.toString('utf8', 0, bytesRead), firstLine: line }
  } finally {
    await handle.close()
  }
}

function countLines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) count++
  return count
}

function placeText(text: string, firstLine: number): PlacedDocument {
  const counter = new LineCounter()
  let document: ReturnType<typeof parseDocument> | undefined
  const linesBefore = firstLine - 1
  return {
    find(path, at) {
      if (at !== undefined) return placeOfBytes(text, at, linesBefore)
      document ??= parseDocument(text, {
        version: '1.1',
        schema: 'failsafe',
        uniqueKeys: false,
        prettyErrors: false,
        logLevel: 'silent',
        lineCounter: counter,
      })
      const offset = offsetOf(document, path) ?? text.search(/[^\s]/)
      const { line, col } = counter.linePos(Math.max(0, offset))
      return { line: linesBefore + Math.max(1, line), column: Math.max(1, col) }
    },
  }
}

function placeOfBytes(text: string, at: number, linesBefore: number): Place {
  const before = Buffer.from(text).subarray(0, at).toString()
  const line = before.split('\n').length
  return { line: linesBefore + line, column: before.length - before.lastIndexOf('\n') }
}

/** Of the value at the path or, where it is absent, of what would hold it. */
function offsetOf(document: ReturnType<typeof parseDocument>, path: Path): number | undefined {
  let node: unknown = document.contents
  let offset = rangeStart(node)
  for (const step of path) {
    node = childAt(node, step)
    const start = rangeStart(node)
    if (start === undefined) return offset
    offset = start
  }
  return offset
}

function childAt(node: unknown, step: string | number): unknown {
  const items = (node as { readonly items?: readonly unknown[] } | null | undefined)?.items
  if (items === undefined) return undefined
  if (typeof step === 'number') return items[step]
  const pairs = items as readonly { readonly key?: { readonly value?: unknown }; readonly value?: unknown }[]
  const exact = pairs.findLast((pair) => pair.key?.value === step)
  const folded = exact ?? pairs.findLast((pair) => String(pair.key?.value).toLowerCase() === step.toLowerCase())
  return folded?.value
}

function rangeStart(node: unknown): number | undefined {
  return (node as { readonly range?: readonly number[] | null } | null | undefined)?.range?.[0]
}
