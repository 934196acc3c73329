// Where the YAML documents of a stream end: at lines that begin with `---`. The first such line of all is no end.
import type { DocumentFault } from './document-fault.ts'
import type { FileWindow } from './file-window.ts'

export interface YamlExtent {
  /** Bytes of the document. */
  readonly length: number
  /** Bytes of the line that ends it. */
  readonly separator: number
  /** A line that begins with `---` and goes on with something else. */
  readonly fault: DocumentFault | undefined
}

const SEPARATOR = Buffer.from('---')
const LINE_SEPARATOR = Buffer.from('\n---')
const NEWLINE = 0x0a

/** Leaves the window at the document, with all of it in sight; undefined at the end of the file. */
export async function nextYamlDocument(window: FileWindow): Promise<YamlExtent | undefined> {
  let from = (await beginsWithSeparator(window)) ? await lineEnd(window, 0) : 0
  if (from > 0) {
    const fault = separatorFault(window.bytes().subarray(0, from), 0)
    if (fault !== undefined) return { length: from, separator: 0, fault }
  }
  const first = from
  for (;;) {
    const at = separatorAt(window.bytes(), from, first)
    if (at !== -1) {
      const end = await lineEnd(window, at)
      return { length: at, separator: end - at, fault: separatorFault(window.bytes().subarray(at, end), at) }
    }
    from = Math.max(first, window.bytes().length - SEPARATOR.length)
    if (await window.more()) continue
    const { length } = window.bytes()
    return length === 0 ? undefined : { length, separator: 0, fault: undefined }
  }
}

async function beginsWithSeparator(window: FileWindow): Promise<boolean> {
  while (window.bytes().length < SEPARATOR.length) if (!(await window.more())) break
  return window.bytes().subarray(0, SEPARATOR.length).equals(SEPARATOR)
}

/** Also right behind a first separator line, and never within a line. */
function separatorAt(bytes: Buffer, from: number, first: number): number {
  if (first > 0 && from === first && bytes.subarray(first, first + SEPARATOR.length).equals(SEPARATOR)) return first
  const at = bytes.indexOf(LINE_SEPARATOR, Math.max(0, from - 1))
  return at === -1 ? -1 : at + 1
}

async function lineEnd(window: FileWindow, from: number): Promise<number> {
  let searched = from
  for (;;) {
    const at = window.bytes().indexOf(NEWLINE, searched)
    if (at !== -1) return at + 1
    searched = window.bytes().length
    if (!(await window.more())) return window.bytes().length
  }
}

function separatorFault(line: Buffer, at: number): DocumentFault | undefined {
  const rest = line.toString('utf8', SEPARATOR.length).trim()
  if (rest === '' || rest.startsWith('#')) return undefined
  const message = `invalid Yaml document separator: ${rest}`
  return { rule: 'syntax', message, reference: message, at }
}
