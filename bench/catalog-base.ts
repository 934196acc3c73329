// The packages that sets of any size are copied from: catalogs of ../shared where it exists, else the embedded ones, loaded
// once by our own registry. Hands on what each package's registry answers about it.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadCatalog } from '../src/file-based-catalog/load-catalog.ts'
import { createLogger } from '../src/log.ts'
import { createAnswers } from '../src/operator-registry/answers.ts'
import { bundleText } from '../src/registry/bundle-bytes.ts'
import type { Bundle, Package } from '../src/registry/messages.ts'

export interface BasePackage {
  readonly answer: Package
  readonly listed: readonly Bundle[]
  head(channelName: string): Promise<Bundle>
}

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SHARED = join(ROOT, '..', 'shared', 'catalogs')
const EMBEDDED = join(ROOT, 'src', 'standalone', 'catalogs')

/** Folders with one folder per package. `few`: those that load in a second or two. */
export function baseFolders(few: boolean): readonly string[] {
  const folder = existsSync(SHARED) ? SHARED : EMBEDDED
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const chosen = names.map(({ name }) => name).filter((name) => !few || folder === EMBEDDED || SMALL.includes(name))
  return chosen.sort().map((name) => join(folder, name))
}

const SMALL = ['marketplace', 'redhat', 'second']

/** Only packages with a manifest at the head of every channel: each is one that will be listed. */
export async function loadBase(folders: readonly string[]): Promise<readonly BasePackage[]> {
  const log = createLogger({ level: 'silent', format: 'json' })
  const signal = new AbortController().signal
  const found: BasePackage[] = []
  for (const folder of folders) {
    const { index } = await loadCatalog(folder, { signal, log })
    const answers = await createAnswers(index, async () => undefined)
    const listed: Bundle[] = []
    for await (const bundle of answers.listBundles()) listed.push(bundleText(bundle))
    const byPackage = Map.groupBy(listed, ({ packageName }) => packageName)
    for (const { name } of answers.listPackages()) {
      const answer = answers.getPackage({ name })
      const head = async (channelName: string): Promise<Bundle> =>
        bundleText(await answers.getBundleForChannel({ pkgName: name, channelName }))
      const heads = await Promise.all(answer.channels.map((channel) => head(channel.name)))
      if (heads.some(({ csvJson }) => !csvJson.includes(DESCRIPTION))) continue
      found.push({ answer, listed: byPackage.get(name) ?? [], head })
    }
  }
  return found
}

/** Where copies of a manifest are made to differ. */
export const DESCRIPTION = '"description":"'
