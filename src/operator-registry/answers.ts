// The answers of one loaded catalog to every call of the protocol: what the reference registry answers, in a fixed order.
// Its words where there is no answer are part of the protocol: clients and their tests compare them.

import { compareBytes } from '../api/byte-order.ts'
import { OlmError } from '../errors.ts'
import { readBundleBytes } from '../file-based-catalog/bundle-content.ts'
import type { ApiName, IndexedBundle, IndexedPackage, PackageIndex } from '../file-based-catalog/package-index.ts'
import { quoted } from '../file-based-catalog/quoted-text.ts'
import type { ProviderRequest } from '../registry/messages.ts'
import type { RegistryContent, ServedBundle } from '../registry/registry-content.ts'
import { channelEntries, channelEntry, listedBundle, wholeBundle } from './bundle-message.ts'
import { listCustomSchemas } from './custom-schemas.ts'
import { createProviderIndex, type PlacedEntry } from './provider-index.ts'
import { createReplacementIndex, entryReplacing, sortedEntries } from './replacement-index.ts'

/** `close` is called when nobody asks any more. */
export async function createAnswers(index: PackageIndex, close: () => Promise<void>): Promise<RegistryContent> {
  const providers = await createProviderIndex(index)
  const replacements = await createReplacementIndex(index)

  function packageOf(name: string, missing = `package ${quoted(name)} not found`): IndexedPackage {
    const pkg = index.packages.get(name)
    if (pkg === undefined) throw notFound(missing)
    return pkg
  }

  function placeOf(pkg: IndexedPackage, channelName: string, entryName?: string): PlacedEntry {
    const channel = pkg.channels.get(channelName)
    const where = `package ${quoted(pkg.name)}, channel ${quoted(channelName)}`
    if (channel === undefined) throw notFound(`${where} not found`)
    const entry = channel.entries.get(entryName ?? channel.head)
    if (entry === undefined) throw notFound(`${where}, bundle ${quoted(entryName ?? channel.head)} not found`)
    return { package: pkg, channel, entry }
  }

  async function bundleAt(place: PlacedEntry): Promise<ServedBundle> {
    const bundle = bundleOf(place)
    return wholeBundle(place, bundle, await readBundleBytes(index, place.package, bundle))
  }

  function headsProviding(request: ProviderRequest): readonly PlacedEntry[] {
    const heads = providers.heads(request)
    if (heads.length === 0) throw notFound(`no channel entries found that provide ${described(request)}`)
    return heads
  }

  return {
    listPackages: () => [...index.packages.keys()].map((name) => ({ name })),

    getPackage({ name }) {
      const pkg = packageOf(name)
      return {
        name: pkg.name,
        channels: [...pkg.channels.values()].map((channel) => ({
          name: channel.name,
          csvName: channel.head,
          deprecation: channel.deprecation === undefined ? null : { message: channel.deprecation },
        })),
        defaultChannelName: pkg.defaultChannel,
        deprecation: pkg.deprecation === undefined ? null : { message: pkg.deprecation },
      }
    },

    getBundle: async ({ pkgName, channelName, csvName }) => bundleAt(placeOf(packageOf(pkgName), channelName, csvName)),

    getBundleForChannel: async ({ pkgName, channelName }) => bundleAt(placeOf(packageOf(pkgName), channelName)),

    getChannelEntriesThatReplace({ csvName }) {
      const entries = replacements.entries(csvName)
      if (entries.length === 0) throw notFound(`no channel entries found that replace ${csvName}`)
      return entries.map((place) => channelEntry(place))
    },

    async getBundleThatReplaces({ csvName, pkgName, channelName }) {
      const { package: pkg, channel } = placeOf(packageOf(pkgName, `package ${pkgName} not found`), channelName)
      const entry = entryReplacing(channel, csvName)
      const where = `package ${quoted(pkgName)}, channel ${quoted(channelName)}`
      if (entry === undefined) throw notFound(`no entry found for ${where}`)
      return bundleAt({ package: pkg, channel, entry })
    },

    getChannelEntriesThatProvide(request) {
      const entries = providers.entries(request)
      if (entries.length === 0) throw notFound(`no channel entries found that provide ${described(request)}`)
      return entries.flatMap((place) => channelEntries(place, () => true))
    },

    getLatestChannelEntriesThatProvide: (request) =>
      headsProviding(request).flatMap((place) => channelEntries(place, (name) => place.channel.entries.has(name))),

    async getDefaultBundleThatProvides(request) {
      const place = headsProviding(request).find((head) => head.channel.name === head.package.defaultChannel)
      if (place === undefined) throw notFound(`no entry found that provides ${described(request)}`)
      return bundleAt(place)
    },

    async *listBundles() {
      for (const place of allPlaces(index)) {
        const bundle = bundleOf(place)
        const content = bundle.image === '' ? await readBundleBytes(index, place.package, bundle) : undefined
        yield listedBundle(place, bundle, content)
      }
    },

    listCustomSchemas: (request) => listCustomSchemas(index, request),
    close,
  }
}

/** By channel, then package, then bundle, in byte order: the order in which the reference registry lists bundles. */
function allPlaces(index: PackageIndex): PlacedEntry[] {
  const channels = [...index.packages.values()].flatMap((pkg) =>
    [...pkg.channels.values()].map((channel) => ({ package: pkg, channel })),
  )
  channels.sort((a, b) => compareBytes(a.channel.name, b.channel.name) || compareBytes(a.package.name, b.package.name))
  return channels.flatMap(({ package: pkg, channel }) =>
    sortedEntries(channel).map((entry) => ({ package: pkg, channel, entry })),
  )
}

function bundleOf(place: PlacedEntry): IndexedBundle {
  const bundle = place.package.bundles.get(place.entry.name)
  if (bundle === undefined)
    throw new Error(`package ${place.package.name} has an entry ${place.entry.name} without bundle`)
  return bundle
}

function described(api: ApiName): string {
  return `group:${quoted(api.group)} version:${quoted(api.version)} kind:${quoted(api.kind)}`
}

function notFound(reason: string): OlmError {
  return new OlmError('ANSWER_NOT_FOUND', { reason })
}
