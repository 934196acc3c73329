// One YAML document as a value, by the rules of the reference program's reader: YAML 1.1, the last of equal keys wins,
// merge keys. Receives text, hands on a value or what is wrong and where; never throws.
import { type Document, parseDocument } from 'yaml'
import type { JsonValue } from './json-text.ts'
import { convertYaml, YamlFault } from './yaml-conversion.ts'

export interface SyntaxFault {
  readonly message: string
  /** Characters from the start of the document's text. */
  readonly offset: number
}

export type ReadDocument = { readonly value: JsonValue } | { readonly fault: SyntaxFault }

/** Where a text holds several documents, the first. */
export function readYamlDocument(text: string): ReadDocument {
  try {
    const document = parseYaml(text)
    const error = document.errors.find((fault) => fault.code !== 'MULTIPLE_DOCS')
    if (error !== undefined) return { fault: { message: error.message, offset: error.pos[0] } }
    return { value: convertYaml(document) }
  } catch (thrown) {
    if (thrown instanceof YamlFault) return { fault: { message: thrown.message, offset: thrown.offset } }
    // The reader recurses: many thousand levels of nesting end its stack.
    if (thrown instanceof RangeError) return { fault: { message: 'exceeded max depth of nesting', offset: 0 } }
    throw thrown
  }
}

/** Nodes with their places; scalars are left as text, since what they mean is decided by our own rules. */
export function parseYaml(text: string): Document.Parsed {
  return parseDocument(text, {
    version: '1.1',
    schema: 'failsafe',
    merge: false,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  })
}
