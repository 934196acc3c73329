// A package index as lines of JSON, one per package and one per custom blob, and back: what a cache file holds beside the
// packed texts. Lines, so that neither writing nor reading makes one text of a whole catalog.
import type {
  CustomBlob,
  IndexedBundle,
  IndexedChannel,
  IndexedEntry,
  IndexedPackage,
} from '../file-based-catalog/package-index.ts'
import { createTurns } from './turns.ts'

export interface IndexParts {
  readonly packages: ReadonlyMap<string, IndexedPackage>
  readonly customBlobs: readonly CustomBlob[]
}

type PackageLine = Omit<IndexedPackage, 'channels' | 'bundles'> & {
  readonly channels: readonly ChannelLine[]
  readonly bundles: readonly IndexedBundle[]
}

type ChannelLine = Omit<IndexedChannel, 'entries'> & { readonly entries: readonly IndexedEntry[] }

type Line = { readonly package: PackageLine } | { readonly blob: CustomBlob }

export function* indexLines(parts: IndexParts): Generator<string> {
  for (const pkg of parts.packages.values()) {
    const channels = [...pkg.channels.values()].map((channel) => ({
      ...channel,
      entries: [...channel.entries.values()],
    }))
    const line: Line = { package: { ...pkg, channels, bundles: [...pkg.bundles.values()] } }
    yield `${JSON.stringify(line)}\n`
  }
  for (const blob of parts.customBlobs) yield `${JSON.stringify({ blob } satisfies Line)}\n`
}

/** Takes only lines whose digest was checked: they are as `indexLines` of this version wrote them. */
export async function indexOfLines(lines: Iterable<string>): Promise<IndexParts> {
  const turn = createTurns()
  const packages = new Map<string, IndexedPackage>()
  const customBlobs: CustomBlob[] = []
  for (const text of lines) {
    await turn()
    const line = JSON.parse(text) as Line
    if ('blob' in line) customBlobs.push(line.blob)
    else packages.set(line.package.name, packageOfLine(line.package))
  }
  return { packages, customBlobs }
}

/** JSON leaves out what is undefined: it is put back. */
function packageOfLine(line: PackageLine): IndexedPackage {
  return {
    ...line,
    deprecation: line.deprecation,
    icon: line.icon,
    channels: new Map(
      line.channels.map((channel) => [
        channel.name,
        {
          ...channel,
          deprecation: channel.deprecation,
          entries: new Map(channel.entries.map((entry) => [entry.name, entry])),
        },
      ]),
    ),
    bundles: new Map(
      line.bundles.map((bundle) => [
        bundle.name,
        { ...bundle, deprecation: bundle.deprecation, content: bundle.content },
      ]),
    ),
  }
}
