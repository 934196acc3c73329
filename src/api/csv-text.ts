// The text of a bundle's ClusterServiceVersion. JSON as a rule; some catalogs carry the YAML of the author as it is.
// Receives text and the shape wanted of it, hands on the value or why there is none. Never throws.
import { Lexer, parseDocument } from 'yaml'
import { reasonOf } from '../errors.ts'
import { JsonSyntaxError } from './json-cursor.ts'
import { type Decoded, readJson, type Shape } from './typed-json.ts'

/** Twice what the largest real ClusterServiceVersions have; parsing more YAML would hold up the whole process for seconds. */
const MOST_LEXEMES = 150_000
/** UTF-16 units. etcd holds no object above 1.5 MiB. */
const LONGEST_YAML = 1.5 * 1024 * 1024
/** Aliases in all, and how many nodes one of them may stand for: each costs a walk through the document. */
const MOST_ALIASES = 100

export function readCsvText<T>(source: string, shape: Shape<T>): Decoded<T> {
  if (source.trim() === '') return { reason: 'the bundle carries no ClusterServiceVersion' }
  try {
    return readJson(source, shape)
  } catch (error) {
    if (!(error instanceof JsonSyntaxError) || error.tooDeep) return { reason: reasonOf(error) }
    return readYaml(source, shape, error)
  }
}

function readYaml<T>(source: string, shape: Shape<T>, notJson: JsonSyntaxError): Decoded<T> {
  if (!isParsable(source))
    return { reason: `not JSON (${notJson.message}) and too large, or too full of aliases, to be read as YAML` }
  try {
    const document = parseDocument(source, { logLevel: 'error', prettyErrors: false, merge: true, uniqueKeys: false })
    const [error] = document.errors
    if (error !== undefined) return { reason: `neither JSON (${notJson.message}) nor YAML (${reasonOf(error)})` }
    const value: unknown = document.toJS({ maxAliasCount: MOST_ALIASES })
    if (value === null) return { reason: `not JSON (${notJson.message}) and empty as YAML` }
    return readJson(JSON.stringify(value), shape)
  } catch (error) {
    return { reason: `neither JSON (${notJson.message}) nor YAML (${reasonOf(error)})` }
  }
}

function isParsable(source: string): boolean {
  if (source.length > LONGEST_YAML) return false
  let lexemes = 0
  let aliases = 0
  for (const lexeme of new Lexer().lex(source)) {
    if (lexeme.startsWith('*')) aliases++
    if (++lexemes > MOST_LEXEMES || aliases > MOST_ALIASES) return false
  }
  return true
}
