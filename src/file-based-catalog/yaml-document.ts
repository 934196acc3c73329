// One YAML document as a value, by the rules of the reference program's reader: YAML 1.1, the last of equal keys wins,
// merge keys. Receives text, hands on a value or what is wrong and where; never throws.
import { type Document, isCollection, isScalar, parseDocument, visit, type YAMLParseError } from 'yaml'
import { readPlainYaml } from './plain-yaml.ts'
import { checkValue, type ReadDocument, TOO_DEEP } from './value-check.ts'
import { convertYaml, YamlFault } from './yaml-conversion.ts'
import { yamlReason } from './yaml-reason.ts'

const NO_CHARACTER = 'yaml: found invalid Unicode character escape code'

/** Where a text holds several documents, the first. */
export function readYamlDocument(text: string): ReadDocument {
  const plain = readPlainYaml(text)
  return plain === undefined ? readAnyYaml(text) : { value: plain.value }
}

/** All of YAML, by the library. */
export function readAnyYaml(text: string): ReadDocument {
  try {
    const document = parseYaml(text)
    const error = document.errors.find((fault) => countsAsFault(fault, document))
    if (error !== undefined) return { fault: { message: yamlReason(error, text), offset: error.pos[0] } }
    const half = halfPair(text, document)
    if (half !== undefined) return { fault: { message: NO_CHARACTER, offset: half } }
    return checkValue(convertYaml(document))
  } catch (thrown) {
    if (thrown instanceof YamlFault) return { fault: { message: thrown.message, offset: thrown.offset } }
    // The reader recurses: many thousand levels of nesting end its stack.
    if (thrown instanceof RangeError) return { fault: { message: TOO_DEEP, offset: 0 } }
    throw thrown
  }
}

/** What stands behind a whole flow collection or scalar is not read, as the reference program does not. */
function countsAsFault(fault: YAMLParseError, { contents }: Document.Parsed): boolean {
  if (fault.code === 'MULTIPLE_DOCS' || fault.message.startsWith('Comments must be separated')) return false
  const isBehind = fault.code === 'UNEXPECTED_TOKEN' && fault.pos[0] >= (contents?.range[1] ?? Number.POSITIVE_INFINITY)
  return !(isBehind && (isScalar(contents) || (isCollection(contents) && contents.flow === true)))
}

const HALF_PAIR = /\\u[dD][89a-fA-F]/

/** Half of a surrogate pair is no character to the reference program, even where the other half follows. */
function halfPair(text: string, document: Document.Parsed): number | undefined {
  if (!HALF_PAIR.test(text)) return undefined
  let offset: number | undefined
  visit(document, {
    Scalar: (_, { type, range }) => {
      if (offset !== undefined || type !== 'QUOTE_DOUBLE' || range == null) return
      const place = /(?<!\\)(?:\\\\)*\\u[dD][89a-fA-F]/.exec(text.slice(range[0], range[1]))?.index
      if (place !== undefined) offset = range[0] + place
    },
  })
  return offset
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
