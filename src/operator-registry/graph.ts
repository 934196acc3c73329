// The verb `graph`: the upgrade graph of one package as Mermaid text.
import { defineCommand } from '../command-line/command-line.ts'
import { packageGraph } from '../file-based-catalog/channel-graph.ts'
import { drawMermaid } from './mermaid.ts'
import { loadForReading, packageNamed, readingExitCode, type VerbSurroundings } from './verb.ts'

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
  const pkg = packageNamed(name, catalog, directory, GRAPH.name)
  surroundings.stdout.write(drawMermaid(pkg.name, packageGraph(pkg)))
  return readingExitCode(catalog)
}
