// The verb `graph`: the upgrade graph of one package as Mermaid text.
import { defineCommand, usageError } from '../command-line/command-line.ts'
import { nearestName } from '../command-line/nearest-name.ts'
import { packageGraph } from '../file-based-catalog/channel-graph.ts'
import { drawMermaid } from './mermaid.ts'
import { loadForReading, readingExitCode, type VerbSurroundings } from './verb.ts'

export const GRAPH = defineCommand({
  name: 'operator-registry graph',
  summary: 'Draws the upgrade graph of a package as Mermaid text: channels, replaces, skips, skipRange, deprecations.',
  arguments: [
    { name: 'DIR', help: 'Folder of the catalog.' },
    { name: 'PACKAGE', help: 'Name of the package.' },
  ],
  flags: {},
})

export async function graph(directory: string, name: string, surroundings: VerbSurroundings): Promise<number> {
  const catalog = await loadForReading(directory, surroundings)
  const { packages } = catalog.index
  const pkg = packages.get(name)
  if (pkg === undefined) {
    const near = nearestName(name, [...packages.keys()])
    throw usageError(
      GRAPH.name,
      `${directory}: no package ${JSON.stringify(name)}${near === undefined ? '' : `; did you mean ${near}?`}`,
    )
  }
  surroundings.stdout.write(drawMermaid(pkg.name, packageGraph(pkg)))
  return readingExitCode(catalog)
}
