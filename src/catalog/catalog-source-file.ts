// One file of CatalogSources: YAML or JSON, one document or many, each an object or a List. Receives its text, hands on all of
// its objects or the first thing that is wrong, with its line. Pure.
import { type Document, isMap, isSeq, LineCounter, type Node, parseAllDocuments, visit } from 'yaml'
import { type CatalogSource, parseCatalogSource } from '../api/catalog-source.ts'
import { reasonOf } from '../errors.ts'
import { tooDeepAt } from './nesting.ts'

export type CatalogSourceFile =
  | { readonly ok: true; readonly sources: readonly PlacedSource[] }
  | { readonly ok: false; readonly line: number; readonly reason: string }

export interface PlacedSource {
  readonly source: CatalogSource
  readonly touch: string
  /** Where its document begins, from 1. */
  readonly line: number
}

const API_VERSION = 'operators.coreos.com/v1alpha1'
/** Copies that anchors may make of themselves. */
const MOST_ALIASES = 100

/** JSON is YAML: one reader serves both. An empty file holds no objects, which is no fault. */
export function parseCatalogSourceFile(text: string): CatalogSourceFile {
  const lines = new LineCounter()
  const sources: PlacedSource[] = []
  try {
    for (const document of documentsOf(text, lines)) sources.push(...readDocument(document, lines))
  } catch (error) {
    return { ok: false, line: error instanceof Misplaced ? error.line : 1, reason: reasonOf(error) }
  }
  return { ok: true, sources }
}

/** What is wrong, and in which line. Stays within this file. */
class Misplaced extends Error {
  readonly line: number
  constructor(line: number, reason: string) {
    super(reason)
    this.line = line
  }
}

function documentsOf(text: string, lineCounter: LineCounter): readonly Document.Parsed[] {
  const deep = tooDeepAt(text)
  if (deep !== undefined) throw new Misplaced(deep, 'nested too deeply')
  const documents = parseAllDocuments(text, { lineCounter, prettyErrors: false, logLevel: 'silent' })
  if (!Array.isArray(documents)) return []
  for (const document of documents) {
    const [error] = document.errors
    if (error !== undefined) throw new Misplaced(lineCounter.linePos(error.pos[0]).line, `not YAML: ${reasonOf(error)}`)
  }
  return documents
}

function readDocument(document: Document.Parsed, lines: LineCounter): readonly PlacedSource[] {
  const root = document.contents
  const value = contentOf(document, lines)
  if (value === null || value === undefined) return []
  const line = lineOf(root, lines)
  if (!isMap(root) || !isObject(value))
    throw new Misplaced(line, 'not an object: a CatalogSource or a List is expected')
  if (value.kind !== 'List' && value.kind !== 'CatalogSourceList') return [readObject(value, root, lines)]
  const items = root.get('items', true)
  if (items === undefined) return []
  if (!isSeq(items) || !Array.isArray(value.items)) throw new Misplaced(lineOf(items, lines), 'items must be a list')
  return value.items.map((item: unknown, index) => readObject(item, items.items[index], lines))
}

function contentOf(document: Document.Parsed, lines: LineCounter): unknown {
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES })
  } catch (error) {
    // Anchors are to blame: one that is not there, or one that makes too many copies of itself.
    let at: unknown = document.contents
    visit(document, {
      Alias(_key, alias) {
        if (at === document.contents || alias.resolve(document) === undefined) at = alias
        return alias.resolve(document) === undefined ? visit.BREAK : undefined
      },
    })
    throw new Misplaced(lineOf(at, lines), `not YAML: ${reasonOf(error)}`)
  }
}

function readObject(value: unknown, node: unknown, lines: LineCounter): PlacedSource {
  const line = lineOf(node, lines)
  if (!isObject(value)) throw new Misplaced(line, 'not an object: a CatalogSource is expected')
  if (value.kind !== 'CatalogSource' || value.apiVersion !== API_VERSION) {
    const found = `${text(value.apiVersion)} ${text(value.kind)}`
    throw new Misplaced(line, `holds ${found}, where ${API_VERSION} CatalogSource is expected`)
  }
  const { source, fault, touch } = parseCatalogSource(value)
  if (fault !== undefined) throw new Misplaced(lineAt(node, fault.path, lines), fault.reason)
  if (source === undefined) throw new Misplaced(line, 'not a CatalogSource')
  return { source, touch, line }
}

function text(value: unknown): string {
  return typeof value === 'string' && value !== '' ? `"${value.slice(0, 100)}"` : 'no name'
}

/** The line of the deepest node on the path that is there. */
function lineAt(node: unknown, path: readonly string[], lines: LineCounter): number {
  let at = node
  let line = lineOf(node, lines)
  for (const step of path) {
    if (isMap(at)) {
      const pair = at.items.find(({ key }) => String(key) === step)
      if (pair === undefined) return line
      line = lineOf(pair.key, lines)
      at = pair.value
    } else if (isSeq(at)) {
      at = at.items[Number(step)]
      line = lineOf(at, lines)
    } else return line
  }
  return line
}

function lineOf(node: unknown, lines: LineCounter): number {
  const range = isObject(node) ? (node as Partial<Node>).range : undefined
  return range ? Math.max(1, lines.linePos(range[0]).line) : 1
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
