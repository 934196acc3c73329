// Discovery: the definitions of the served resources in, the documents of /api, /apis, group and version out, also
// aggregated (KEP-3352). All are made once, at the start: they answer whatever state the catalogs are in.
import { jsonBytes } from './json-bytes.ts'
import { type ReadyDocument, readyDocument } from './ready-document.ts'
import type { ResourceDefinition } from './resource.ts'

export interface DiscoveryDocuments {
  /** By path. */
  readonly plain: ReadonlyMap<string, ReadyDocument>
  /** Of `/api` and `/apis`, by `path version`. */
  readonly aggregated: ReadonlyMap<string, ReadyDocument>
}

export type AggregatedVersion = 'v2' | 'v2beta1'

export function discoveryDocuments(definitions: readonly ResourceDefinition[], port: number): DiscoveryDocuments {
  const groups = [...new Set(definitions.map((one) => one.group))]
  const serverAddressByClientCIDRs = [{ clientCIDR: '0.0.0.0/0', serverAddress: `:${port}` }]
  const plain = new Map<string, ReadyDocument>([
    ['/api', plainDocument({ kind: 'APIVersions', versions: [], serverAddressByClientCIDRs })],
    [
      '/apis',
      plainDocument({
        kind: 'APIGroupList',
        groups: groups.map((group) => ({ ...groupVersions(definitions, group), serverAddressByClientCIDRs })),
      }),
    ],
  ])
  for (const group of groups) {
    plain.set(
      `/apis/${group}`,
      plainDocument({ kind: 'APIGroup', apiVersion: 'v1', ...groupVersions(definitions, group) }),
    )
    for (const version of versionsOf(definitions, group)) {
      plain.set(`/apis/${group}/${version}`, plainDocument(resourceList(definitions, group, version)))
    }
  }
  const aggregated = new Map<string, ReadyDocument>()
  for (const version of ['v2', 'v2beta1'] as const) {
    aggregated.set(`/api ${version}`, aggregatedDocument(version, []))
    aggregated.set(
      `/apis ${version}`,
      aggregatedDocument(
        version,
        groups.map((group) => groupDiscovery(definitions, group)),
      ),
    )
  }
  return { plain, aggregated }
}

function versionsOf(definitions: readonly ResourceDefinition[], group: string): string[] {
  return [...new Set(definitions.filter((one) => one.group === group).map((one) => one.version))]
}

function groupVersions(definitions: readonly ResourceDefinition[], group: string) {
  const versions = versionsOf(definitions, group).map((version) => ({ groupVersion: `${group}/${version}`, version }))
  return { name: group, versions, preferredVersion: versions[0] }
}

function ofVersion(definitions: readonly ResourceDefinition[], group: string, version: string) {
  return definitions.filter((one) => one.group === group && one.version === version)
}

function resourceList(definitions: readonly ResourceDefinition[], group: string, version: string) {
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: `${group}/${version}`,
    resources: ofVersion(definitions, group, version).flatMap((one) => [
      {
        name: one.plural,
        singularName: one.singular,
        namespaced: true,
        kind: one.kind,
        verbs: one.verbs,
        ...(one.shortNames.length === 0 ? {} : { shortNames: one.shortNames }),
      },
      ...one.subresources.map((sub) => ({
        name: `${one.plural}/${sub.name}`,
        singularName: '',
        namespaced: true,
        kind: one.kind,
        verbs: sub.verbs,
      })),
    ]),
  }
}

function groupDiscovery(definitions: readonly ResourceDefinition[], group: string) {
  return {
    metadata: { name: group },
    versions: versionsOf(definitions, group).map((version) => ({
      version,
      resources: ofVersion(definitions, group, version).map((one) => {
        const responseKind = { group: '', version: '', kind: one.kind }
        return {
          resource: one.plural,
          responseKind,
          scope: 'Namespaced',
          singularResource: one.singular,
          verbs: one.verbs,
          ...(one.shortNames.length === 0 ? {} : { shortNames: one.shortNames }),
          ...subresourcesOf(one.subresources.map((sub) => ({ subresource: sub.name, responseKind, verbs: sub.verbs }))),
        }
      }),
      freshness: 'Current',
    })),
  }
}

function subresourcesOf(subresources: readonly unknown[]) {
  return subresources.length === 0 ? {} : { subresources }
}

function plainDocument(value: unknown): ReadyDocument {
  return readyDocument({ contentType: 'application/json', bytes: jsonBytes(value) })
}

/** Cacheable by anybody: its tag says whether it still holds. */
function aggregatedDocument(version: AggregatedVersion, items: readonly unknown[]): ReadyDocument {
  const bytes = jsonBytes({
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items,
  })
  const contentType = `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`
  return readyDocument({ contentType, bytes, tagged: true, cacheControl: 'public' })
}
