// From a file to its documents, one at a time: a stream of JSON values, or YAML documents between `---` lines. What begins
// with a brace is tried as JSON first; a stream that stops being JSON after one value at most goes on as YAML.
import type { DocumentFault } from './document-fault.ts'
import { type FileWindow, WindowFull } from './file-window.ts'
import { readJsonDocument } from './json-document.ts'
import type { JsonValue } from './json-text.ts'
import { isBlank, leadingBlanks, scanValue, startScan } from './json-values.ts'
import { isSqlite } from './sqlite-file.ts'
import { yamlBytesFault } from './yaml-bytes.ts'
import { readYamlDocument } from './yaml-document.ts'
import { nextYamlDocument } from './yaml-stream.ts'

export type Format = 'json' | 'yaml'

/** Where a document lies in its file, in bytes. */
export interface Extent {
  readonly format: Format
  readonly offset: number
  readonly length: number
}

export type SourceDocument = Extent & {
  /** What JSON had against the document before it was read as YAML; told instead where it is no blob as YAML either. */
  readonly asJson?: DocumentFault
} & ({ readonly value: JsonValue } | { readonly fault: DocumentFault })

type FailedDocument = Extent & { readonly fault: DocumentFault }

export async function* readDocuments(window: FileWindow): AsyncGenerator<SourceDocument> {
  try {
    if ((await window.more()) && isSqlite(window.bytes())) {
      const message = 'the file is an SQLite catalog'
      const reference = 'error converting YAML to JSON: yaml: control characters are not allowed'
      const extent = { format: 'yaml', offset: 0, length: window.bytes().length } as const
      yield { ...extent, fault: { rule: 'sqlite-catalog', message, reference, at: 0 } }
      return
    }
    if (await beginsWithBrace(window)) {
      const failed = yield* readJson(window)
      if (failed === undefined) return
      const first = await nextYaml(window, await skipToLineEnd(window))
      if (first === undefined) return
      yield 'fault' in first ? failed : { ...first, asJson: failed.fault }
    }
    for (;;) {
      const document = await nextYaml(window, 0)
      if (document === undefined) return
      yield document
    }
  } catch (thrown) {
    if (!(thrown instanceof WindowFull)) throw thrown
    const message = `the document has ${thrown.message}`
    const fault = { rule: 'document-too-large', message, reference: message, at: 0 } as const
    yield { format: 'yaml', offset: window.offset(), length: window.bytes().length, fault }
  }
}

/** Hands back what ended the JSON where the rest may still be YAML. */
async function* readJson(window: FileWindow): AsyncGenerator<SourceDocument, FailedDocument | undefined> {
  for (let values = 0; ; values++) {
    const document = await nextJsonValue(window)
    if (document === undefined) return undefined
    if ('value' in document) {
      window.drop(document.length)
      yield document
      continue
    }
    if (values < 2) return document
    // Two values and more are a stream of JSON and nothing else: what follows cannot be told apart.
    yield { ...document, fault: { ...document.fault, reference: document.fault.message } }
    return undefined
  }
}

async function beginsWithBrace(window: FileWindow): Promise<boolean> {
  for (;;) {
    const blanks = leadingBlanks(window.bytes())
    const first = window.bytes()[blanks]
    if (first !== undefined) return first === 0x7b
    if (blanks >= 4096 || !(await window.more())) return false
  }
}

/** Leaves the window at the value, with all of it in sight; undefined at the end of the file. */
async function nextJsonValue(window: FileWindow): Promise<SourceDocument | undefined> {
  const blanksBefore: number[] = []
  for (;;) {
    const blanks = leadingBlanks(window.bytes())
    if (blanks < window.bytes().length) {
      const length = await valueLength(window, blanks)
      return jsonDocument(window, blanks, length)
    }
    blanksBefore.push(blanks)
    if (!(await window.more())) return undefined
  }
}

async function valueLength(window: FileWindow, start: number): Promise<number | undefined> {
  const scan = startScan()
  for (;;) {
    const length = scanValue(window.bytes().subarray(start), scan)
    if (length !== undefined) return length
    if (!(await window.more())) return undefined
  }
}

function jsonDocument(window: FileWindow, blanks: number, length: number | undefined): SourceDocument {
  const bytes = window.bytes()
  const end = length === undefined ? bytes.length : blanks + length
  const extent = { format: 'json', offset: window.offset(), length: end } as const
  const text = bytes.toString('utf8', blanks, end)
  const read = readJsonDocument(text)
  if ('value' in read) return { ...extent, value: read.value }
  const { message, offset } = read.fault
  const at = blanks + Buffer.byteLength(text.slice(0, offset))
  const reference = message === 'unexpected EOF' ? message : `json: offset ${window.offset() + at}: ${message}`
  return { ...extent, fault: { rule: 'syntax', message, reference, at } }
}

/** YAML takes over behind the blanks that follow the last value, up to the end of its line. */
async function skipToLineEnd(window: FileWindow): Promise<number> {
  for (let at = 0; ; at++) {
    while (at >= window.bytes().length) if (!(await window.more())) return at
    const byte = window.bytes()[at]
    if (byte === 0x0a) return at + 1
    if (!isBlank(byte)) return at
  }
}

async function nextYaml(window: FileWindow, skip: number): Promise<SourceDocument | undefined> {
  window.drop(skip)
  const next = await nextYamlDocument(window)
  if (next === undefined) return undefined
  const bytes = window.bytes().subarray(0, next.length)
  const extent = { format: 'yaml', offset: window.offset(), length: next.length } as const
  const fault = next.fault ?? forbidden(bytes)
  const document: SourceDocument = fault === undefined ? { ...extent, ...read(bytes.toString()) } : { ...extent, fault }
  window.drop(next.length + next.separator)
  return document
}

/** Lines end with `\n` alone, the last one too, as the reference program hands them to its reader. */
function read(bytes: string): { readonly value: JsonValue } | { readonly fault: DocumentFault } {
  const unix = bytes.includes('\r\n') ? bytes.replaceAll('\r\n', '\n') : bytes
  const text = unix.endsWith('\n') ? unix : `${unix}\n`
  const document = readYamlDocument(text)
  if ('value' in document) return { value: withDoubles(document.value) }
  const { message, offset } = document.fault
  const before = text.slice(0, offset)
  const dropped = unix === bytes ? 0 : before.split('\n').length - 1
  return { fault: yamlFault(message, Buffer.byteLength(before) + dropped) }
}

/** Blobs hold no whole numbers beyond doubles: the reference program reads them through JSON. */
function withDoubles(value: JsonValue): JsonValue {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'object' || value === null) return value
  for (const [key, member] of Object.entries(value) as [string, JsonValue][]) {
    if (typeof member !== 'bigint' && typeof member !== 'object') continue
    const doubles = withDoubles(member)
    if (doubles !== member) Object.defineProperty(value, key, { value: doubles })
  }
  return value
}

function forbidden(bytes: Buffer): DocumentFault | undefined {
  const found = yamlBytesFault(bytes)
  return found === undefined ? undefined : yamlFault(found.message, found.offset)
}

function yamlFault(message: string, at: number): DocumentFault {
  return { rule: 'syntax', message, reference: `error converting YAML to JSON: ${message}`, at }
}
