// All documents that are made once, at the start: discovery, version, OpenAPI, the index at `/`. They answer whatever
// state the catalogs are in.
import { discoveryDocuments } from './discovery.ts'
import type { Documents } from './document-answer.ts'
import { ENDPOINTS, type HealthCheck } from './health.ts'
import { type ReadyDocument, readyDocument } from './ready-document.ts'
import type { ResourceDefinition } from './resource.ts'

/** The answer of `/version`, as clients of an API server read it. */
export interface VersionInfo {
  readonly major: string
  readonly minor: string
  /** Such as `v0.1.0`. */
  readonly gitVersion: string
  readonly gitCommit: string
  readonly gitTreeState: string
  /** RFC 3339. */
  readonly buildDate: string
  readonly goVersion: string
  readonly compiler: string
  readonly platform: string
}

export interface DocumentParts {
  readonly definitions: readonly ResourceDefinition[]
  readonly checks: readonly HealthCheck[]
  readonly version: VersionInfo
  /** Told to clients of discovery. */
  readonly port: number
  readonly special: Documents['special']
  /** An object for a path that is nobody else's. */
  readonly further: (path: string) => object | undefined
}

export function createDocuments({ definitions, checks, version, port, special, further }: DocumentParts): Documents {
  const { plain, aggregated } = discoveryDocuments(definitions, port)
  const documents = new Map(plain).set('/version', indented(version))
  const paths = [...documents.keys(), ...special.keys(), ...healthPaths(checks)].sort()
  return {
    plain: documents.set('/', indented({ paths })),
    aggregated,
    special,
    further(path) {
      const object = further(path)
      return object === undefined ? undefined : indented(object)
    },
  }
}

function healthPaths(checks: readonly HealthCheck[]): string[] {
  return ENDPOINTS.flatMap((endpoint) => [
    `/${endpoint}`,
    ...checks.filter((check) => check.endpoints.includes(endpoint)).map((check) => `/${endpoint}/${check.name}`),
  ])
}

/** Indented always, as the API server has it for these two. */
function indented(value: unknown): ReadyDocument {
  return readyDocument({ contentType: 'application/json', bytes: Buffer.from(JSON.stringify(value, undefined, 2)) })
}
