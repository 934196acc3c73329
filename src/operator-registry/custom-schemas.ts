// The experimental call: blobs of a schema that is not of the catalog format, as their authors published them.

import { OlmError } from '../errors.ts'
import { readText } from '../file-based-catalog/content-store.ts'
import type { CustomBlob, PackageIndex } from '../file-based-catalog/package-index.ts'
import { quoted } from '../file-based-catalog/quoted-text.ts'
import type { ExperimentalListPackageCustomSchemasRequest } from '../registry/messages.ts'
import type { JsonObject } from '../registry/registry-content.ts'

const ASKABLE = /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/

/** Blobs of exactly this schema and package; without a package, those that belong to none. */
export async function* listCustomSchemas(
  index: PackageIndex,
  request: ExperimentalListPackageCustomSchemasRequest,
): AsyncGenerator<JsonObject> {
  if (request.schema === '') throw new OlmError('ANSWER_INVALID_ARGUMENT', { reason: 'schema is required' })
  const reason = whyNotAskable('schema', request.schema) ?? whyNotAskable('packageName', request.packageName)
  if (reason !== undefined) {
    throw new OlmError('ANSWER_INVALID_ARGUMENT', { reason: `invalid custom schema query: ${reason}` })
  }
  for (const blob of index.customBlobs) {
    if (blob.schema !== request.schema || blob.package !== request.packageName) continue
    const value: unknown = JSON.parse(await readText(index.contents, blob.blob))
    if (typeof value === 'object' && value !== null) yield value as JsonObject
  }
}

/** Blobs that no call can ask for: the reference registry refuses to serve a catalog that holds one. */
export function unaskable(blobs: readonly CustomBlob[]): readonly CustomBlob[] {
  return blobs.filter((blob) => !ASKABLE.test(blob.schema) || (blob.package !== '' && !ASKABLE.test(blob.package)))
}

function whyNotAskable(name: string, value: string): string | undefined {
  if (value === '' || ASKABLE.test(value)) return undefined
  return `invalid ${name} ${quoted(value)}: must match ${ASKABLE.source}`
}
