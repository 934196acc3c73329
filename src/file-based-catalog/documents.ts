// From a file to its documents, one at a time: a stream of JSON values, or YAML documents between `---` lines. What begins
// with a brace is tried as JSON first; a stream that stops being JSON after one value at most goes on as YAML.
import { isUtf8 } from 'node:buffer'
import type { DocumentFault } from './document-fault.ts'
import { type FileWindow, WindowFull } from './file-window.ts'
import type { JsonValue } from './json-text.ts'
import { isBlank, leadingBlanks, scanValue, startScan } from './json-values.ts'
import { readYamlDocument } from './yaml-document.ts'
import { nextYamlDocument } from './yaml-stream.ts'

export type Format = 'json' | 'yaml'

/** Where a document lies in its file, in bytes. */
export interface Extent {
  readonly format: Format
  readonly offset: number
  readonly length: number
}

export type SourceDocument = Extent & ({ readonly value: JsonValue } | { readonly fault: DocumentFault })

export async function* readDocuments(window: FileWindow): AsyncGenerator<SourceDocument> {
  let values = 0
  try {
    if (await beginsWithBrace(window)) {
      for (;;) {
        const document = await nextJsonValue(window)
        if (document === undefined) return
        if ('fault' in document) {
          // Two values and more are a stream of JSON and nothing else.
          if (values > 1) return yield document
          const first = await nextYaml(window, await skipToLineEnd(window))
          if (first === undefined) return
          yield 'fault' in first && values === 0 ? { ...first, fault: document.fault } : first
          break
        }
        values++
        window.drop(document.length)
        yield document
      }
    }
    for (;;) {
      const document = await nextYaml(window, 0)
      if (document === undefined) return
      yield document
    }
  } catch (thrown) {
    if (!(thrown instanceof WindowFull)) throw thrown
    const fault = { rule: 'document-too-large', message: `the document has ${thrown.message}`, at: 0 } as const
    yield { format: 'yaml', offset: window.offset(), length: window.bytes().length, fault }
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
  try {
    const value = JSON.parse(bytes.toString('utf8', blanks, end)) as JsonValue
    return { ...extent, value }
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    const place = /position (\d+)/.exec(reason)?.[1]
    const at = blanks + (place === undefined ? end - blanks : Number(place))
    return { ...extent, fault: { rule: 'syntax', message: reason, at } }
  }
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
  const fault = next.fault ?? forbiddenBytes(bytes)
  const document: SourceDocument = fault === undefined ? { ...extent, ...read(bytes.toString()) } : { ...extent, fault }
  window.drop(next.length + next.separator)
  return document
}

function read(text: string): { readonly value: JsonValue } | { readonly fault: DocumentFault } {
  const document = readYamlDocument(text)
  if ('value' in document) return document
  const { message, offset } = document.fault
  return { fault: { rule: 'syntax', message, at: Buffer.byteLength(text.slice(0, offset)) } }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that YAML forbids (YAML 1.1, 5.1)
const FORBIDDEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/

function forbiddenBytes(bytes: Buffer): DocumentFault | undefined {
  if (!isUtf8(bytes)) return { rule: 'syntax', message: 'the text is not valid UTF-8', at: 0 }
  const text = bytes.toString()
  const match = FORBIDDEN.exec(text)
  if (match === null) return undefined
  const code = text.charCodeAt(match.index).toString(16).padStart(4, '0').toUpperCase()
  const at = Buffer.byteLength(text.slice(0, match.index))
  return { rule: 'syntax', message: `control characters are not allowed: U+${code}`, at }
}
