// A registry's content of any number of packages: those of a base again and again, each copy under a name and with a
// manifest of its own. Made while it is asked, so that ten thousand packages cost no more memory than the base.
import type { RegistryContent } from '../src/registry/registry-content.ts'
import { type BasePackage, DESCRIPTION } from './catalog-base.ts'

export interface CopiedPackage {
  readonly name: string
  readonly base: BasePackage
}

/** `count` packages, dealt out to `catalogs` catalogs in turn. */
export function dealPackages(base: readonly BasePackage[], count: number, catalogs: number): CopiedPackage[][] {
  const dealt: CopiedPackage[][] = Array.from({ length: catalogs }, () => [])
  for (let index = 0; index < count; index++) {
    const one = base[index % base.length]
    if (one === undefined) throw new Error('there is no package to copy')
    dealt[index % catalogs]?.push({
      name: `${one.answer.name.slice(0, 200)}-${Math.floor(index / base.length)}-${index}`,
      base: one,
    })
  }
  return dealt
}

/** Packages whose place in the list is below `changed` have another manifest in each `edition`. */
export function multipliedContent(
  packages: readonly CopiedPackage[],
  { edition, changed }: { readonly edition: number; readonly changed: number },
): RegistryContent {
  const places = new Map(packages.map((one, place) => [one.name, { ...one, place }]))
  const find = (name: string) => {
    const found = places.get(name)
    if (found === undefined) throw new Error(`no package ${name}`)
    return found
  }
  const unasked = (): never => {
    throw new Error('not a question of the package-server')
  }
  return {
    listPackages: () => packages.map(({ name }) => ({ name })),
    getPackage: ({ name }) => ({ ...find(name).base.answer, name }),
    async getBundleForChannel({ pkgName, channelName }) {
      const { base, place } = find(pkgName)
      const bundle = await base.head(channelName)
      const mark = `${DESCRIPTION}${pkgName}${place < changed ? `, edition ${edition}` : ''}: `
      return { ...bundle, packageName: pkgName, csvJson: bundle.csvJson.replace(DESCRIPTION, () => mark) }
    },
    async *listBundles() {
      for (const { name, base } of packages) for (const bundle of base.listed) yield { ...bundle, packageName: name }
    },
    getBundle: unasked,
    getChannelEntriesThatReplace: unasked,
    getBundleThatReplaces: unasked,
    getChannelEntriesThatProvide: unasked,
    getLatestChannelEntriesThatProvide: unasked,
    getDefaultBundleThatProvides: unasked,
    listCustomSchemas: unasked,
    close: async () => undefined,
  }
}
