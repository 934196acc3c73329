// One YAML document as a value, by the rules of the reference program's reader: YAML 1.1, the last of equal keys wins,
// merge keys. Receives text, hands on a value or what is wrong and where; never throws.
import { type Document, isCollection, isScalar, parseDocument, type YAMLParseError } from 'yaml'
import { checkValue, type ReadDocument, TOO_DEEP } from './value-check.ts'
import { convertYaml, YamlFault } from './yaml-conversion.ts'
import { yamlReason } from './yaml-reason.ts'

/** Where a text holds several documents, the first. */
export function readYamlDocument(text: string): ReadDocument {
  try {
    const document = parseYaml(text)
    const error = document.errors.find((fault) => countsAsFault(fault, document))
    if (error !== undefined) return { fault: { message: yamlReason(error, text), offset: error.pos[0] } }
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
  if (fault.code === 'MULTIPLE_DOCS') return false
  const isBehind = fault.code === 'UNEXPECTED_TOKEN' && fault.pos[0] >= (contents?.range[1] ?? Number.POSITIVE_INFINITY)
  return !(isBehind && (isScalar(contents) || (isCollection(contents) && contents.flow === true)))
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
