// The parent's side of registries-process.ts.
import { fileURLToPath } from 'node:url'
import { type ObservedProcess, startObserved } from './observed-process.ts'

export interface RegistriesQuestion {
  readonly set?: { readonly packages: number; readonly catalogs: number }
  readonly change?: { readonly each: number; readonly catalogs: number }
  readonly counts?: true
}

export interface Registries {
  readonly process: ObservedProcess
  /** Other registries than before, with so many packages together; their addresses. */
  open(packages: number): Promise<readonly string[]>
  /** Those of the latest set. */
  addresses(): readonly string[]
  /** That many packages of each of the first catalogs, by default all, get another manifest. */
  change(each: number, catalogs?: number): Promise<void>
  /** How many ListBundles and GetBundleForChannel have been answered. */
  counts(): Promise<{ readonly lists: number; readonly heads: number }>
  stop(): Promise<void>
}

export const CATALOGS = 4

/** `folders`: catalogs whose packages are copied. */
export function startRegistries(folders: readonly string[]): Registries {
  const process = startObserved([fileURLToPath(new URL('./registries-process.ts', import.meta.url)), ...folders])
  const ask = (question: RegistriesQuestion) => process.ask(question)
  let addresses: readonly string[] = []
  return {
    process,
    addresses: () => addresses,
    async open(packages) {
      const answer = await ask({ set: { packages, catalogs: CATALOGS } })
      addresses = (answer as { addresses: readonly string[] }).addresses
      return addresses
    },
    change: async (each, catalogs = CATALOGS) => void (await ask({ change: { each, catalogs } })),
    counts: async () => (await ask({ counts: true })) as { lists: number; heads: number },
    stop: () => process.stop(),
  }
}
