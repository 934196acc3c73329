// What every verb but `serve` is handed: how to load a catalog, where its answer goes. A verb hands back its exit code.
import type { Writable } from 'node:stream'
import { usageError } from '../command-line/command-line.ts'
import { nearestName } from '../command-line/nearest-name.ts'
import type { LoadCatalog, LoadedCatalog } from '../file-based-catalog/load-catalog.ts'
import type { IndexedPackage } from '../file-based-catalog/package-index.ts'
import type { Logger } from '../log.ts'

export interface VerbSurroundings {
  readonly load: LoadCatalog
  readonly log: Logger
  readonly stdout: Pick<Writable, 'write'>
  readonly stderr: Pick<Writable, 'write'>
  readonly signal: AbortSignal
}

/** Loads what a verb only looks at: faults are told in one line, and the sound packages looked at all the same. */
export async function loadForReading(directory: string, surroundings: VerbSurroundings): Promise<LoadedCatalog> {
  const catalog = await surroundings.load(directory, surroundings)
  const count = catalog.faults.length
  if (count > 0) {
    const faults = count === 1 ? '1 fault' : `${count} faults`
    surroundings.stderr.write(
      `operator-registry: ${directory}: ${faults}, packages with faults are left out: operator-registry validate ${directory} lists them\n`,
    )
  }
  return catalog
}

/** Fails with USAGE where the catalog has no such package, with the name that was meant if one is near. */
export function packageNamed(name: string, { index }: LoadedCatalog, directory: string, verb: string): IndexedPackage {
  const pkg = index.packages.get(name)
  if (pkg !== undefined) return pkg
  const near = nearestName(name, [...index.packages.keys()])
  const meant = near === undefined ? '' : `; did you mean ${near}?`
  throw usageError(verb, `${directory}: no package ${JSON.stringify(name)}${meant}`)
}

/** 1 where something was left out. */
export function readingExitCode(...catalogs: readonly LoadedCatalog[]): number {
  return catalogs.some(({ faults }) => faults.length > 0) ? 1 : 0
}
