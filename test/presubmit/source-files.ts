// The repository's own files as the house rules see them: paths, texts, imports.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..')

export interface SourceFile {
  /** From the repository's root, `/` as separator. */
  readonly path: string
  readonly text: string
  /** Module specifiers as written, of imports, re-exports and dynamic imports alike. */
  readonly imports: readonly string[]
}

const IMPORT = /(?:\bfrom\s+|\bimport\s*\(\s*|^\s*import\s+)'([^']+)'/gm
const FOLDERS_OF_DATA = /(^|\/)(node_modules|catalogs|data)(\/|$)/

/** All TypeScript files below a folder of the repository. */
export function typeScriptFiles(folder: string): readonly SourceFile[] {
  return filesBelow(folder)
    .filter((path) => path.endsWith('.ts') && !FOLDERS_OF_DATA.test(dirname(path)))
    .map((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8')
      return { path, text, imports: [...text.matchAll(IMPORT)].map(([, specifier]) => specifier ?? '') }
    })
}

/** All files below a folder, in byte order. */
export function filesBelow(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.join(folder, entry.parentPath.slice(join(ROOT, folder).length), entry.name))
    .sort()
}

/** The room of a path below `src/`: its folder, or the file itself where it lies directly in `src/`. */
export function roomOf(path: string): string {
  return path.split('/')[1] ?? ''
}

/** What an import of this file points at: a path below `src/`, or the name of a package. */
export function targetOf(file: SourceFile, specifier: string): string {
  return specifier.startsWith('.') ? posix.join(posix.dirname(file.path), specifier) : packageOf(specifier)
}

function packageOf(specifier: string): string {
  const [scope = '', name = ''] = specifier.split('/')
  return scope.startsWith('@') ? `${scope}/${name}` : scope
}
