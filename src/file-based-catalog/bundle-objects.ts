// Properties of type `olm.bundle.object`: manifests in base64, JSON or YAML, as the JSON that is served.
import { type JsonValue, jsonText } from './json-text.ts'
import { isRecord } from './shape.ts'
import { yamlBytesFault } from './yaml-bytes.ts'
import { readYamlDocument } from './yaml-document.ts'

/** What begins with a brace is passed on as it is, as the reference program does; everything else is read as YAML. */
export function objectJson(data: string): { readonly json: string } | { readonly reason: string } {
  const bytes = Buffer.from(data, 'base64')
  const text = bytes.toString()
  if (/^\s*\{/.test(text)) return { json: text }
  const forbidden = yamlBytesFault(bytes)
  if (forbidden !== undefined) return { reason: forbidden.message }
  const read = readYamlDocument(text)
  if ('fault' in read) return { reason: read.fault.message }
  return { json: jsonText(read.value, { escapeHtml: true }) }
}

/** The first object that is a ClusterServiceVersion, in UTF-8; undefined where there is none. */
export function findCsv(objects: readonly Buffer[]): Buffer | undefined {
  return objects.find((json) => kindOf(json) === 'ClusterServiceVersion')
}

function kindOf(json: Buffer): unknown {
  // Most objects are something else: the whole is read only where the word occurs.
  if (!json.includes('ClusterServiceVersion')) return undefined
  const value = parse(json.toString())
  return isRecord(value) ? value.kind : undefined
}

function parse(json: string): JsonValue | undefined {
  try {
    return JSON.parse(json) as JsonValue
  } catch {
    // Not JSON after all: what begins with a brace may still be YAML.
    const read = readYamlDocument(json)
    return 'value' in read ? read.value : undefined
  }
}
