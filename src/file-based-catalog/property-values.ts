// Properties of bundles by type: what their values look like, and what of them the index keeps.
import { base64Bytes } from './base64-data.ts'
import { csvMetadata } from './csv-metadata.ts'
import type { PropertyBlob } from './declarative-config.ts'
import type { PackageProperty } from './drafts.ts'
import { type JsonValue, jsonText } from './json-text.ts'
import type { ApiName, TypedText } from './package-index.ts'
import { type Misfit, omitEmpty, raw, readShape, record, type Shape, text } from './shape.ts'

const TYPE_BUNDLE_OBJECT = 'olm.bundle.object'
const TYPE_CSV_METADATA = 'olm.csv.metadata'

const packageProperty = record('property.Package', { packageName: text, version: text, release: omitEmpty(text) })
const packageRequired = record('property.PackageRequired', { packageName: text, versionRange: text })
const api = record('property.GVK', { group: text, kind: text, version: text })
const apiRequired = record('property.GVKRequired', { group: text, kind: text, version: text })
const bundleObject = record('property.BundleObject', { data: base64Bytes })
const channelProperty = record('property.Channel', { channelName: text })

const SHAPES: ReadonlyMap<string, Shape<unknown>> = new Map<string, Shape<unknown>>([
  ['olm.package', packageProperty],
  ['olm.package.required', packageRequired],
  ['olm.gvk', api],
  ['olm.gvk.required', apiRequired],
  [TYPE_CSV_METADATA, csvMetadata],
  ['olm.channel', channelProperty],
])

export interface ReadProperties {
  readonly packageProperties: readonly PackageProperty[]
  readonly providedApis: readonly ApiName[]
  readonly requiredApis: readonly ApiName[]
  readonly dependencies: readonly TypedText[]
  /** Those that are served: all but the bundle's objects and CSV metadata. */
  readonly properties: readonly TypedText[]
  /** JSON of each. */
  readonly csvMetadata: readonly string[]
  readonly objects: readonly ObjectProperty[]
  readonly misfits: readonly PropertyMisfit[]
}

export interface ObjectProperty {
  /** Place among the properties. */
  readonly index: number
  /** Base64; `""` where the property has none. */
  readonly data: string
  /** Why the value is no object property; undefined where it is one. */
  readonly misfit: string | undefined
}

export interface PropertyMisfit extends Misfit {
  readonly index: number
  readonly type: string
}

export function readProperties(blobs: readonly PropertyBlob[]): ReadProperties {
  const read = {
    packageProperties: [] as PackageProperty[],
    providedApis: [] as ApiName[],
    requiredApis: [] as ApiName[],
    dependencies: [] as TypedText[],
    properties: [] as TypedText[],
    csvMetadata: [] as string[],
    objects: [] as ObjectProperty[],
    misfits: [] as PropertyMisfit[],
  }
  for (const [index, { type, value }] of blobs.entries()) {
    if (type === TYPE_BUNDLE_OBJECT) {
      read.objects.push(objectProperty(index, value))
      continue
    }
    const misfit = misfitOf(type, value)
    if (misfit !== undefined) read.misfits.push({ index, type, ...misfit })
    else keep(read, type, value ?? null)
  }
  return read
}

function objectProperty(index: number, value: JsonValue | undefined): ObjectProperty {
  if (value === undefined) return { index, data: '', misfit: 'unexpected end of JSON input' }
  const read = readShape(bundleObject, value)
  return { index, data: read.value.data, misfit: read.misfit?.message }
}

function misfitOf(type: string, value: JsonValue | undefined): Misfit | undefined {
  if (value === undefined) return { message: 'unexpected end of JSON input', path: [] }
  return readShape(SHAPES.get(type) ?? raw, value).misfit
}

type Collected = {
  readonly [Name in keyof ReadProperties]: ReadProperties[Name] extends readonly (infer T)[] ? T[] : never
}

function keep(read: Collected, type: string, value: JsonValue): void {
  if (type === TYPE_CSV_METADATA) {
    read.csvMetadata.push(jsonText(value))
    return
  }
  const written = { type, value: jsonText(value) }
  read.properties.push(written)
  if (type === 'olm.package') read.packageProperties.push(readShape(packageProperty, value).value)
  if (type === 'olm.gvk') read.providedApis.push(readShape(api, value).value)
  if (type === 'olm.gvk.required') {
    read.requiredApis.push(readShape(apiRequired, value).value)
    read.dependencies.push({ type: 'olm.gvk', value: written.value })
  }
  if (type === 'olm.package.required') {
    const { packageName, versionRange } = readShape(packageRequired, value).value
    // The protocol writes a dependency on a package as a package property whose version is the range.
    const dependency = JSON.stringify({ packageName, version: versionRange })
    read.dependencies.push({ type: 'olm.package', value: dependency })
  }
}
