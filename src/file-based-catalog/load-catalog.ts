// From a folder of file-based catalog files to a package index and the list of all its faults. Files are read one document
// at a time, in byte order of their paths.
import type { Logger } from '../log.ts'
import { createBlobReader } from './blob-reading.ts'
import { buildIndex } from './build-index.ts'
import { type CatalogFile, listCatalogFiles, plainReason, type RefusedEntry } from './catalog-files.ts'
import { buildTree } from './catalog-tree.ts'
import { createContentWriter } from './content-store.ts'
import { applyDeprecations } from './deprecation-rules.ts'
import { readDocuments } from './documents.ts'
import { emptyDrafts } from './drafts.ts'
import type { Fault } from './fault.ts'
import { openFileWindow } from './file-window.ts'
import { addDefaultChannels, checkMissingBundles } from './missing-bundles.ts'
import type { PackageIndex } from './package-index.ts'
import { createPlaceCache, placeOf } from './place.ts'
import type { Problem, Report } from './problem.ts'
import { referenceError, referenceLines } from './reference-error.ts'
import { RULES } from './rules.ts'
import { unknownContent } from './unknown-content.ts'
import { checkWhole } from './whole-rules.ts'

export interface CatalogLimits {
  /** Bytes of one YAML or JSON document. */
  readonly documentBytes: number
  /** Files read in all. */
  readonly files: number
}

export interface LoadOptions {
  readonly signal: AbortSignal
  readonly limits?: Partial<CatalogLimits>
  readonly log: Logger
}

export interface LoadedCatalog {
  /** Holds the packages that no fault concerns: with `faults` empty, the whole catalog; otherwise what `--lenient` serves. */
  readonly index: PackageIndex
  readonly faults: readonly Fault[]
  /** Faults that the reference program's `validate` does not tell, while its `serve` refuses the catalog for them. */
  readonly servingFaults: readonly Fault[]
  /** The reference program's error message, the first it would have met; undefined where its `validate` accepts. */
  readonly error: string | undefined
  readonly files: number
  readonly bytes: number
}

export type LoadCatalog = (directory: string, options: LoadOptions) => Promise<LoadedCatalog>

/** Where none are given. */
export const DEFAULT_LIMITS: CatalogLimits = { documentBytes: 128 * 1024 * 1024, files: 100_000 }

/** Throws OlmError FILE_UNREADABLE where the folder itself cannot be read; everything else is a fault. */
export const loadCatalog: LoadCatalog = async (directory, { signal, limits, log }) => {
  const bounds = { ...DEFAULT_LIMITS, ...limits }
  const problems: Problem[] = []
  const report: Report = (problem) => problems.push(problem)
  const drafts = emptyDrafts()
  const contents = createContentWriter()
  const reader = createBlobReader(drafts, contents, report)

  const { files, refused } = await listCatalogFiles(directory, { signal, maxFiles: bounds.files })
  let bytes = 0
  for (const entry of refused) report(refusal(entry))
  for (const file of files) {
    bytes += await readFile(file, bounds.documentBytes, reader, report, signal)
  }

  const tree = buildTree(drafts, report)
  checkMissingBundles(tree, report)
  addDefaultChannels(tree)
  applyDeprecations(tree, drafts.deprecations, report)
  checkWhole(tree, report)

  const index = buildIndex(tree, drafts.customs, contents.finish(), problems)
  const served = problems.filter(({ implied }) => implied !== true)
  const faults = await placeAll(served.filter(({ stage }) => stage !== 'serve'))
  const servingFaults = await placeAll(served.filter(({ stage }) => stage === 'serve'))
  const unknown = unknownContent(index)
  if (unknown !== undefined)
    log.info({ directory, ...unknown }, 'kept as published: schemas and properties that the format does not name')
  log.debug({ directory, files: files.length, bytes, faults: faults.length }, 'catalog read')
  return { index, faults, servingFaults, error: referenceError(problems), files: files.length, bytes }
}

/** Hands back the bytes read. */
async function readFile(
  file: CatalogFile,
  documentBytes: number,
  reader: ReturnType<typeof createBlobReader>,
  report: Report,
  signal: AbortSignal,
): Promise<number> {
  try {
    const window = await openFileWindow(file.location, documentBytes)
    try {
      for await (const document of readDocuments(window)) {
        signal.throwIfAborted()
        const { format, offset, length } = document
        reader.read(document, { file, extent: { format, offset, length } })
      }
      return window.offset()
    } finally {
      await window.close()
    }
  } catch (thrown) {
    if (signal.aborted) throw thrown
    const reason = plainReason(thrown)
    const reference = `open ${file.path}: ${reason}`
    report(refusal({ path: file.path, rule: 'file-unreadable', reason, reference }))
    return 0
  }
}

function refusal(entry: RefusedEntry): Problem {
  const file = { path: entry.path, location: Buffer.alloc(0) }
  return {
    stage: 'read',
    rule: entry.rule,
    message: `${entry.path}: ${entry.reason}`,
    reference: entry.reference,
    source: { file, extent: { format: 'yaml', offset: 0, length: 0 } },
    path: [],
  }
}

async function placeAll(problems: readonly Problem[]): Promise<readonly Fault[]> {
  const cache = createPlaceCache()
  const faults: Fault[] = []
  for (const problem of problems) {
    const { line, column } = await placeOf(problem, cache)
    faults.push({
      rule: problem.rule,
      message: problem.message,
      remedy: RULES[problem.rule],
      file: problem.source?.file.path ?? '',
      line,
      column,
      package: problem.package,
      channel: problem.channel,
      bundle: problem.bundle,
      reference: referenceLines(problem).join('\n'),
    })
  }
  return faults
}
