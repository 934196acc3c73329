// Verdict and message on every catalog of two collections equal the reference program's: catalogs as their authors
// published them, and small ones with one thing wrong, both recorded.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { type Files, load, writeFiles } from '../fixtures/small-catalog.ts'

const shared = fileURLToPath(new URL('../../../shared', import.meta.url))
const skip = existsSync(shared) ? false : 'skipped: no ../shared'

t.test('the catalogs of ../shared/fbc-real', { skip }, async (t) => {
  const table = await readFile(`${shared}/golden/registry/validate.tsv`, 'utf8')
  const rows = table.trim().split('\n').slice(1)
  t.equal(rows.length, 97)
  for (const row of rows) {
    const [unit = '', , verdict, recorded = ''] = row.split('\t')
    const { error, faults } = await load(`${shared}/fbc-real/${unit}`)
    t.equal(error === undefined ? 'valid' : 'invalid', verdict, unit)
    t.equal(faults.length === 0, verdict === 'valid', `${unit}: a list of faults where there are some`)
    if (verdict === 'valid') continue
    const reason = textOf(recorded)
    const told = [error ?? '', ...faults.map(({ reference }) => reference)]
    // A recorded tree ends with the fault itself; what follows from the order of files is told by some fault of the list.
    t.ok(
      told.some((text) => text.startsWith(reason)) || faults.some(({ reference }) => reason.endsWith(reference)),
      `${unit}: the faults contain the reference's reason`,
    )
    t.ok(
      faults.every(({ line, file }) => line !== undefined && file !== ''),
      `${unit}: each fault has file and line`,
    )
  }
})

/** Messages were cut when they were recorded: then the closing quote is missing. */
function textOf(recorded: string): string {
  try {
    return JSON.parse(recorded) as string
  } catch {
    return JSON.parse(`${recorded.replace(/\\?"?$/, '')}"`) as string
  }
}

/** Verdict alone: the message depends on the order of a map there, or the two YAML readers have other words. */
const OTHER_WORDS = new Set(['many', 'bad-indent', 'directive12', 'key-list', 'key-map', 'key-null', 'dup-fold2'])

interface Case {
  readonly name: string
  readonly files: Readonly<Record<string, string | { readonly base64: string }>>
  readonly error: string | null
}

t.test('small catalogs with one thing wrong', async (t) => {
  const recorded = await readFile(new URL('../fixtures/data/catalog-verdicts.jsonl', import.meta.url), 'utf8')
  for (const line of recorded.trim().split('\n')) {
    const { name, files, error } = JSON.parse(line) as Case
    const folder = await writeFiles(t.testdir(), filesOf(files))
    const loaded = await load(folder)
    if (OTHER_WORDS.has(name)) t.equal(loaded.error === undefined, error === null, name)
    else t.equal(loaded.error, error ?? undefined, name)
    t.equal(loaded.faults.length === 0, error === null, `${name}: a list of faults where there are some`)
  }
})

function filesOf(files: Case['files']): Files {
  return Object.fromEntries(
    Object.entries(files).map(([path, content]) => [
      path,
      typeof content === 'string' ? content : Buffer.from(content.base64, 'base64'),
    ]),
  )
}
