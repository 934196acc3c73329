// The verb `diff`: what changed between two catalogs, as text or JSON.
import { defineCommand } from '../command-line/command-line.ts'
import { type CatalogDiff, diffCatalogs, type Move, type PackageDiff } from '../file-based-catalog/catalog-diff.ts'
import { loadForReading, readingExitCode, type VerbSurroundings } from './verb.ts'

export type DiffFormat = 'text' | 'json'

export const DIFF = defineCommand({
  name: 'operator-registry diff',
  summary:
    'Tells what changed from one catalog to another: packages, channels, bundles added and removed, heads moved.',
  arguments: [
    { name: 'OLD', help: 'Folder of the catalog as it was.' },
    { name: 'NEW', help: 'Folder of the catalog as it is.' },
  ],
  flags: {
    output: { kind: 'choice', short: 'o', choices: ['text', 'json'], default: 'text', help: 'Form of the answer.' },
  },
})

export async function diff(
  before: string,
  after: string,
  format: DiffFormat,
  surroundings: VerbSurroundings,
): Promise<number> {
  const old = await loadForReading(before, surroundings)
  const now = await loadForReading(after, surroundings)
  const difference = diffCatalogs(old.index, now.index)
  surroundings.stdout.write(format === 'json' ? `${JSON.stringify(difference, undefined, 2)}\n` : drawDiff(difference))
  return readingExitCode(old, now)
}

function drawDiff({ packagesAdded, packagesRemoved, packagesChanged }: CatalogDiff): string {
  const lines = [
    ...packagesAdded.map((name) => `+ package ${name}`),
    ...packagesRemoved.map((name) => `- package ${name}`),
    ...packagesChanged.flatMap(drawPackage),
  ]
  return lines.length === 0 ? 'no difference\n' : `${lines.join('\n')}\n`
}

function drawPackage(changed: PackageDiff): readonly string[] {
  return [
    `  package ${changed.package}`,
    ...(changed.defaultChannel === undefined ? [] : [`    default channel ${arrow(changed.defaultChannel)}`]),
    ...changed.channelsAdded.map((name) => `  + channel ${name}`),
    ...changed.channelsRemoved.map((name) => `  - channel ${name}`),
    ...changed.headsMoved.map((move) => `    head of ${move.channel} ${arrow(move)}`),
    ...changed.bundlesAdded.map((name) => `  + bundle ${name}`),
    ...changed.bundlesRemoved.map((name) => `  - bundle ${name}`),
  ]
}

function arrow({ from, to }: Move): string {
  return `${from === '' ? '(none)' : from} -> ${to === '' ? '(none)' : to}`
}
