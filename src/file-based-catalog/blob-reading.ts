// From documents to drafts: each document by its schema, with every fault it has by itself.
import { type BlobHead, readHead } from './blob-head.ts'
import { draftBundle } from './bundle-draft.ts'
import type { ContentWriter } from './content-store.ts'
import {
  bundleBlob,
  channelBlob,
  deprecationsBlob,
  packageBlob,
  SCHEMA_BUNDLE,
  SCHEMA_CHANNEL,
  SCHEMA_DEPRECATIONS,
  SCHEMA_PACKAGE,
} from './declarative-config.ts'
import type { SourceDocument } from './documents.ts'
import type { Drafts } from './drafts.ts'
import { jsonText } from './json-text.ts'
import type { BlobSource, Report } from './problem.ts'
import { quoted } from './quoted-text.ts'
import { readShape, type Shape } from './shape.ts'

export interface BlobReader {
  read(document: SourceDocument, source: BlobSource): void
}

export function createBlobReader(drafts: Drafts, contents: ContentWriter, report: Report): BlobReader {
  function shaped<Value>(shape: Shape<Value>, kind: string, head: BlobHead, source: BlobSource): Value {
    const { value, misfit } = readShape(shape, head.record)
    if (misfit !== undefined) {
      const reference = `parse ${kind}: ${misfit.message}`
      const { path } = misfit
      report({ stage: 'read', rule: 'field-type', message: reference, reference, source, path, ...about(head) })
    }
    return value
  }

  function readBlob(head: BlobHead, source: BlobSource): void {
    const own = source.extent.format === 'yaml' ? cutLoose : <Value>(value: Value): Value => value
    switch (head.schema) {
      case SCHEMA_PACKAGE: {
        const { name, defaultChannel, description, icon } = shaped(packageBlob, 'package', head, source)
        const packed = icon === undefined ? undefined : contents.add(JSON.stringify(icon))
        drafts.packages.push({ source, icon: packed, ...own({ name, defaultChannel, description }) })
        return
      }
      case SCHEMA_CHANNEL: {
        const { name, package: pkg, entries } = shaped(channelBlob, 'channel', head, source)
        drafts.channels.push({ source, blob: own({ name, package: pkg, entries }) })
        return
      }
      case SCHEMA_BUNDLE: {
        const draft = draftBundle(shaped(bundleBlob, 'bundle', head, source), source, contents, report)
        const { package: pkg, bundle, packageProperties } = draft
        drafts.bundles.push({ ...draft, ...own({ package: pkg, bundle, packageProperties }) })
        return
      }
      case SCHEMA_DEPRECATIONS: {
        const { package: pkg, entries } = shaped(deprecationsBlob, 'deprecation', head, source)
        drafts.deprecations.push({ source, blob: own({ package: pkg, entries }) })
        return
      }
      default:
        readCustom(head, source)
    }
  }

  function readCustom(head: BlobHead, source: BlobSource): void {
    const blob = contents.add(jsonText(head.record))
    const names = cutLoose({ schema: head.schema, package: head.package, name: head.name })
    drafts.customs.push({ source, blob: { ...names, blob } })
    const reason = customNameFault('schema', head.schema) ?? customNameFault('packageName', head.package)
    if (reason === undefined) return
    const reference = `invalid custom schema meta: ${reason}`
    report({ stage: 'serve', rule: 'custom-schema-invalid', message: reference, reference, source, path: [] })
  }

  return {
    read(document, source) {
      if ('fault' in document) {
        report({ stage: 'read', ...document.fault, source, path: [] })
        return
      }
      const read = readHead(document.value, document.format)
      if ('head' in read) readBlob(read.head, source)
      else report({ stage: 'read', source, ...read.fault, reference: headReference(document, read.fault.reference) })
    },
  }
}

/** A copy whose texts are no slices of the document's: a slice keeps all of it in memory. */
function cutLoose<Value>(value: Value): Value {
  return structuredClone(value)
}

function about(head: BlobHead): { readonly package?: string; readonly channel?: string; readonly bundle?: string } {
  if (head.schema === SCHEMA_PACKAGE) return { package: head.name }
  if (head.schema === SCHEMA_CHANNEL) return { package: head.package, channel: head.name }
  return head.schema === SCHEMA_BUNDLE ? { package: head.package, bundle: head.name } : { package: head.package }
}

/** Names become paths in the reference program's cache. */
const CUSTOM_NAME = '^[a-zA-Z0-9][a-zA-Z0-9._-]*$'

function customNameFault(field: 'schema' | 'packageName', value: string): string | undefined {
  if ((value === '' && field === 'packageName') || new RegExp(CUSTOM_NAME).test(value)) return undefined
  return `invalid ${field} ${quoted(value)}: must match ${CUSTOM_NAME}`
}

/** What JSON had against the document counts first; what is found behind reading is not wrapped. */
function headReference({ format, asJson }: SourceDocument, reference: string): string {
  if (asJson !== undefined) return asJson.reference
  const wrapped = format === 'yaml' && !reference.startsWith("object '")
  return wrapped ? `error unmarshaling JSON: while decoding JSON: ${reference}` : reference
}
