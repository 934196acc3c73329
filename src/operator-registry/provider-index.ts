// Which bundles provide an API: built once per catalog, so that such a question does not walk every bundle.
import { compareBytes } from '../api/byte-order.ts'
import type {
  ApiName,
  IndexedChannel,
  IndexedEntry,
  IndexedPackage,
  PackageIndex,
} from '../file-based-catalog/package-index.ts'
import { createTurns } from './turns.ts'

/** An entry of a channel with what it belongs to. */
export interface PlacedEntry {
  readonly package: IndexedPackage
  readonly channel: IndexedChannel
  readonly entry: IndexedEntry
}

export interface ProviderIndex {
  /** Every entry of every channel whose bundle provides the API: by package, channel and bundle, each in byte order. */
  entries(api: ApiName): readonly PlacedEntry[]
  /** Of those, the heads of their channels. */
  heads(api: ApiName): readonly PlacedEntry[]
}

export async function createProviderIndex(index: PackageIndex): Promise<ProviderIndex> {
  const turn = createTurns()
  /** Packages in byte order, as the index has them, each with its providing bundles. */
  const providers = new Map<string, Map<IndexedPackage, Set<string>>>()
  for (const pkg of index.packages.values()) {
    await turn()
    for (const bundle of pkg.bundles.values()) {
      for (const api of bundle.providedApis) {
        const key = keyOf(api)
        const packages = providers.get(key) ?? new Map<IndexedPackage, Set<string>>()
        const bundles = packages.get(pkg) ?? new Set<string>()
        providers.set(key, packages.set(pkg, bundles.add(bundle.name)))
      }
    }
  }

  return {
    entries(api) {
      const found: PlacedEntry[] = []
      for (const [pkg, bundles] of providers.get(keyOf(api)) ?? []) {
        const names = [...bundles].sort(compareBytes)
        for (const channel of pkg.channels.values()) {
          for (const name of names) {
            const entry = channel.entries.get(name)
            if (entry !== undefined) found.push({ package: pkg, channel, entry })
          }
        }
      }
      return found
    },
    heads(api) {
      const found: PlacedEntry[] = []
      for (const [pkg, bundles] of providers.get(keyOf(api)) ?? []) {
        for (const channel of pkg.channels.values()) {
          const entry = bundles.has(channel.head) ? channel.entries.get(channel.head) : undefined
          if (entry !== undefined) found.push({ package: pkg, channel, entry })
        }
      }
      return found
    },
  }
}

/** Texts of an API name may hold any character, so the parts are told apart by one that JSON escapes. */
function keyOf(api: ApiName): string {
  return JSON.stringify([api.group, api.version, api.kind])
}
