// The text of a bundle's ClusterServiceVersion. JSON as a rule; some catalogs carry the YAML of the author as it is.
// Receives text and the shape wanted of it, hands on the value or why there is none. Never throws.
import { parseDocument } from 'yaml'
import { reasonOf } from '../errors.ts'
import { JsonSyntaxError } from './json-cursor.ts'
import { type Decoded, readJson, type Shape } from './typed-json.ts'

/** UTF-16 units. A ClusterServiceVersion is far below etcd's 1.5 MiB; parsing more YAML than this holds up the whole process. */
const LONGEST_YAML = 512 * 1024
/** How many copies anchors may make of themselves. */
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
  if (source.length > LONGEST_YAML) {
    return {
      reason: `not JSON (${notJson.message}) and longer than ${LONGEST_YAML} characters, too long to try as YAML`,
    }
  }
  try {
    const document = parseDocument(source, { logLevel: 'error', prettyErrors: false, merge: true })
    const [error] = document.errors
    if (error !== undefined) return { reason: `neither JSON (${notJson.message}) nor YAML (${reasonOf(error)})` }
    const value: unknown = document.toJS({ maxAliasCount: MOST_ALIASES })
    if (value === null) return { reason: `not JSON (${notJson.message}) and empty as YAML` }
    return readJson(JSON.stringify(value), shape)
  } catch (error) {
    return { reason: `neither JSON (${notJson.message}) nor YAML (${reasonOf(error)})` }
  }
}
