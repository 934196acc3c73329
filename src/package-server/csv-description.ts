// What a channel shows of its head's ClusterServiceVersion: `currentCSVDesc`, section 3 of the rule book. Pure.
import type { ClusterServiceVersion } from '../api/cluster-service-version.ts'
import type { CsvDescription } from '../api/package-manifest.ts'

/** Empty members are left out, but version, provider and the two definitions, which clients read without asking. */
export function csvDescription(csv: ClusterServiceVersion): CsvDescription {
  return Object.freeze({
    ...text('displayName', csv.displayName),
    version: csv.version,
    provider: csv.provider,
    ...(Object.keys(csv.annotations).length === 0 ? {} : { annotations: csv.annotations }),
    ...list('keywords', csv.keywords),
    ...list('links', csv.links),
    ...list('maintainers', csv.maintainers),
    ...text('maturity', csv.maturity),
    ...text('description', csv.description),
    ...list('installModes', csv.installModes),
    customresourcedefinitions: csv.customResourceDefinitions,
    apiservicedefinitions: csv.apiServiceDefinitions,
    ...list('nativeApis', csv.nativeApis),
    ...text('minKubeVersion', csv.minKubeVersion),
    ...list('relatedImages', csv.relatedImages),
  })
}

function text<K extends string>(name: K, value: string): { readonly [N in K]?: string } {
  return value === '' ? {} : named(name, value)
}

function list<K extends string, T>(name: K, value: readonly T[]): { readonly [N in K]?: readonly T[] } {
  return value.length === 0 ? {} : named(name, value)
}

function named<K extends string, T>(name: K, value: T): { readonly [N in K]?: T } {
  return { [name]: value } as { readonly [N in K]?: T }
}
