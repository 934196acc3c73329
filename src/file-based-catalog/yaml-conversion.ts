// From the nodes of a YAML document to a plain value: aliases followed within a bound, merge keys, keys as texts.
import { type Document, isAlias, isMap, isScalar, isSeq, type Scalar as ScalarNode, type YAMLMap } from 'yaml'
import { base64Fault } from './base64-data.ts'
import type { JsonValue } from './json-text.ts'
import { floatKey } from './yaml-key.ts'
import { isIntegerText, plainScalar, type Scalar } from './yaml-scalar.ts'

/** Why a well-formed document is no value. */
export class YamlFault extends Error {
  /** Characters from the start of the document. */
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

interface Conversion {
  readonly document: Document.Parsed
  /** Anchors being followed, against those that contain themselves. */
  readonly open: Set<unknown>
  values: number
  throughAliases: number
}

const LONG_TAG = 'tag:yaml.org,2002:'

export function convertYaml(document: Document.Parsed): JsonValue {
  return convertNode(document.contents, { document, open: new Set(), values: 0, throughAliases: 0 })
}

function convertNode(node: unknown, conversion: Conversion): JsonValue {
  count(node, conversion)
  if (isScalar(node)) return finite(scalarOf(node), node)
  if (isMap(node)) return mapOf(node, conversion)
  if (isSeq(node)) return node.items.map((item) => convertNode(item, conversion))
  if (!isAlias(node)) return null
  const target = node.resolve(conversion.document)
  if (target === undefined) throw fault(`yaml: unknown anchor '${node.source}' referenced`, node)
  if (conversion.open.has(target)) throw fault(`yaml: anchor '${node.source}' value contains itself`, node)
  conversion.open.add(target)
  const value = convertNode(target, conversion)
  conversion.open.delete(target)
  return value
}

/** A document whose values come nearly all from aliases is an attack (a "billion laughs"); the bounds are those of Go's reader. */
function count(node: unknown, conversion: Conversion): void {
  conversion.values++
  if (conversion.open.size === 0) return
  conversion.throughAliases++
  if (conversion.throughAliases <= 100 || conversion.values <= 1000) return
  const scale = Math.min(1, Math.max(0, (conversion.values - 400_000) / 3_600_000))
  const allowed = 0.99 - 0.89 * scale
  if (conversion.throughAliases / conversion.values > allowed) {
    throw fault('yaml: document contains excessive aliasing', node)
  }
}

function mapOf(node: YAMLMap, conversion: Conversion): JsonValue {
  const map: Record<string, JsonValue> = {}
  fill(map, node, conversion)
  return map
}

/** In the order of the text: what comes later wins, also over a merge key and from one. */
function fill(map: Record<string, JsonValue>, node: YAMLMap, conversion: Conversion): void {
  for (const pair of node.items) {
    if (isMergeKey(pair.key)) mergeInto(map, pair.value, conversion)
    else set(map, keyOf(pair.key, conversion), convertNode(pair.value ?? null, conversion))
  }
}

function mergeInto(map: Record<string, JsonValue>, node: unknown, conversion: Conversion): void {
  const sources = isSeq(node) ? node.items.toReversed() : [node]
  for (const source of sources) {
    const target = isAlias(source) ? source.resolve(conversion.document) : source
    if (!isMap(target)) throw fault('yaml: map merge requires map or sequence of maps as the value', node)
    if (conversion.open.has(target)) throw fault('yaml: anchor value contains itself', node)
    if (isAlias(source)) conversion.open.add(target)
    count(target, conversion)
    fill(map, target, conversion)
    conversion.open.delete(target)
  }
}

/** Also `__proto__` is a key like any other. */
function set(map: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key === '__proto__')
    Object.defineProperty(map, key, { value, enumerable: true, writable: true, configurable: true })
  else map[key] = value
}

function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.value === '<<' && key.type === 'PLAIN'
}

function keyOf(key: unknown, conversion: Conversion): string {
  const target = isAlias(key) ? key.resolve(conversion.document) : key
  if (!isScalar(target)) throw fault('yaml: invalid map key: neither text nor number', key)
  const value = scalarOf(target)
  if (value === null) throw fault('unsupported map key of type: %!s(<nil>), key: <nil>', key)
  return typeof value === 'number' && !isIntegerText(String(target.value)) ? floatKey(value) : String(value)
}

function scalarOf(node: ScalarNode): Scalar {
  const text = String(node.value ?? '')
  const tag = node.tag?.startsWith(LONG_TAG) === true ? node.tag.slice(LONG_TAG.length) : undefined
  if (node.tag === undefined) return node.type === 'PLAIN' ? plainScalar(text) : text
  if (tag === 'binary') return binary(text, node)
  if (tag === undefined || !['bool', 'int', 'float', 'null'].includes(tag)) return text
  const value = plainScalar(text)
  if (tagOf(value, text) === tag) return value
  if (tag === 'float' && tagOf(value, text) === 'int') return Number(value)
  throw fault(`yaml: cannot decode !!${tagOf(value, text)} \`${text}\` as a !!${tag}`, node)
}

function binary(text: string, node: unknown): string {
  if (base64Fault(text) !== undefined) throw fault('yaml: !!binary value contains invalid base64 data', node)
  return Buffer.from(text, 'base64').toString()
}

function tagOf(value: Scalar, text: string): string {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'string') return 'str'
  return isIntegerText(text) ? 'int' : 'float'
}

function finite(value: Scalar, node: unknown): Scalar {
  if (typeof value !== 'number' || Number.isFinite(value)) return value
  const name = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
  throw fault(`json: unsupported value: ${name}`, node)
}

function fault(message: string, node: unknown): YamlFault {
  const range = (node as { readonly range?: readonly number[] | null } | null)?.range
  return new YamlFault(message, range?.[0] ?? 0)
}
