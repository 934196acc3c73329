// The verbs `list packages`, `list channels`, `list bundles`: what a catalog holds, as a table or as JSON.
import { defineCommand } from '../command-line/command-line.ts'
import type { IndexedPackage } from '../file-based-catalog/package-index.ts'
import { drawTable } from './text-table.ts'
import { loadForReading, packageNamed, readingExitCode, type VerbSurroundings } from './verb.ts'

export type Listed = 'packages' | 'channels' | 'bundles'
export type ListFormat = 'text' | 'json'

type Row = Readonly<Record<string, string | number | boolean>>

export const LIST = {
  packages: listCommand('packages', 'Lists the packages of a catalog.'),
  channels: listCommand('channels', 'Lists the channels of a catalog with their heads.'),
  bundles: listCommand('bundles', 'Lists the bundles of a catalog, channel by channel, with their upgrade edges.'),
} as const

function listCommand(what: Listed, summary: string) {
  return defineCommand({
    name: `operator-registry list ${what}`,
    summary,
    arguments: [
      { name: 'DIR', help: 'Folder of the catalog.' },
      { name: 'PACKAGE', help: 'Only of this package.', optional: true },
    ],
    flags: {
      output: { kind: 'choice', short: 'o', choices: ['text', 'json'], default: 'text', help: 'Form of the answer.' },
    },
  })
}

export async function list(
  what: Listed,
  directory: string,
  only: string | undefined,
  format: ListFormat,
  surroundings: VerbSurroundings,
): Promise<number> {
  const catalog = await loadForReading(directory, surroundings)
  const { packages } = catalog.index
  const listed = only === undefined ? packages.values() : [packageNamed(only, catalog, directory, LIST[what].name)]
  const rows = [...rowsOf(what, listed)]
  surroundings.stdout.write(format === 'json' ? `${JSON.stringify(rows, undefined, 2)}\n` : drawTable(rows))
  return readingExitCode(catalog)
}

function* rowsOf(what: Listed, packages: Iterable<IndexedPackage>): Generator<Row> {
  for (const pkg of packages) {
    if (what === 'packages') {
      const { name, defaultChannel, channels, bundles } = pkg
      const head = channels.get(defaultChannel)?.head ?? ''
      const deprecated = pkg.deprecation !== undefined
      yield { package: name, defaultChannel, head, channels: channels.size, bundles: bundles.size, deprecated }
      continue
    }
    for (const channel of pkg.channels.values()) {
      const place = { package: pkg.name, channel: channel.name }
      if (what === 'channels') {
        yield {
          ...place,
          head: channel.head,
          entries: channel.entries.size,
          deprecated: channel.deprecation !== undefined,
        }
        continue
      }
      for (const { name, replaces, skips, skipRange } of channel.entries.values()) {
        const bundle = pkg.bundles.get(name)
        const deprecated = bundle?.deprecation !== undefined
        const [version, image] = [bundle?.version ?? '', bundle?.image ?? '']
        yield { ...place, bundle: name, version, replaces, skips: skips.join(','), skipRange, deprecated, image }
      }
    }
  }
}
