// What mutations begin with: our own small catalog, and where there is ../shared, heads of real and odd packages.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { manifest, manyPackages } from '../fixtures/scripted-content.ts'
import { bundleBlob, channelBlob, packageBlob } from '../fixtures/small-catalog.ts'

const ODD = fileURLToPath(new URL('../../../shared/catalogs/odd-shared', import.meta.url))
/** Larger ones make slow runs and find no more. */
const LARGEST = 200_000

export interface FuzzSeeds {
  /** ClusterServiceVersions. */
  readonly manifests: readonly unknown[]
  /** Lists of blobs, each one catalog. */
  readonly catalogs: readonly (readonly unknown[])[]
}

export function fuzzSeeds(): FuzzSeeds {
  const manifests: unknown[] = [manifest('foo', '1.0.0', 'mark')]
  const catalogs: (readonly unknown[])[] = [[packageBlob(), channelBlob(), bundleBlob()]]
  if (!existsSync(ODD)) return { manifests, catalogs }
  for (const name of readdirSync(ODD).sort()) {
    for (const file of readdirSync(join(ODD, name)).filter((one) => one.endsWith('.json'))) {
      const text = readFileSync(join(ODD, name, file), 'utf8')
      if (text.length > LARGEST) continue
      const blobs = documentsOf(text)
      catalogs.push(blobs)
      manifests.push(...blobs.flatMap(manifestsIn))
    }
  }
  return { manifests, catalogs }
}

/** JSON documents one after the other, each beginning a line with a brace. */
function documentsOf(text: string): readonly unknown[] {
  const parts = text.split(/\n(?=\{)/).filter((part) => part.trim() !== '')
  return parts.flatMap((part) => {
    try {
      return [JSON.parse(part) as unknown]
    } catch {
      return []
    }
  })
}

function manifestsIn(blob: unknown): readonly unknown[] {
  const { properties = [] } = blob as { properties?: readonly { type?: string; value?: { data?: string } }[] }
  return properties.flatMap(({ type, value }) => {
    if (type !== 'olm.bundle.object' || typeof value?.data !== 'string') return []
    const object = JSON.parse(Buffer.from(value.data, 'base64').toString()) as { kind?: string }
    return object.kind === 'ClusterServiceVersion' ? [object] : []
  })
}

export const SCRIPTED = manyPackages(3, 'seed')
