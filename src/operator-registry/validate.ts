// The verb `validate`: every fault of a catalog. Exit code 0: none, 1: some; a folder that cannot be read fails.
import { defineCommand } from '../command-line/command-line.ts'
import type { PackageIndex } from '../file-based-catalog/package-index.ts'
import { type ReportFormat, reportVerdict } from './fault-report.ts'
import type { VerbSurroundings } from './verb.ts'

export const VALIDATE = defineCommand({
  name: 'operator-registry validate',
  summary: 'Lists all faults of a folder of file-based catalogs. Accepts exactly what opm accepts.',
  arguments: [{ name: 'DIR', help: 'Folder of the catalog.' }],
  flags: {
    output: {
      kind: 'choice',
      short: 'o',
      choices: ['text', 'json', 'yaml', 'github'],
      default: 'text',
      help: 'Form of the answer; github: annotations of a workflow.',
    },
  },
})

export async function validate(
  directory: string,
  format: ReportFormat,
  { load, log, signal, stdout }: VerbSurroundings,
): Promise<number> {
  const { index, faults, servingFaults, error } = await load(directory, { signal, log })
  const passed = error === undefined && faults.length === 0
  const summary = passed
    ? `${directory}: valid, ${contentOf(index)}`
    : `${directory}: ${countOf(faults.length, 'fault')}`
  stdout.write(reportVerdict({ directory, error, faults, warnings: servingFaults, summary }, format))
  return passed ? 0 : 1
}

function contentOf({ packages }: PackageIndex): string {
  const all = [...packages.values()]
  const channels = all.reduce((sum, pkg) => sum + pkg.channels.size, 0)
  const bundles = all.reduce((sum, pkg) => sum + pkg.bundles.size, 0)
  return [countOf(all.length, 'package'), countOf(channels, 'channel'), countOf(bundles, 'bundle')].join(', ')
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
