// What `.indexignore` files name: patterns of gitignore, but the last pattern that fits a file decides, also where a folder
// above it fits another (as the reference program has it, and unlike git).
import ignore, { type Ignore } from 'ignore'

export interface IgnoreRules {
  /** `folder` is where the `.indexignore` lies, `""` for the top. */
  add(folder: string, text: string): void
  ignores(path: string): boolean
}

interface Pattern {
  readonly prefix: string
  readonly matcher: Ignore
  readonly keeps: boolean
}

export function createIgnoreRules(): IgnoreRules {
  const patterns: Pattern[] = []
  return {
    add(folder, text) {
      for (const line of text.split(/\r?\n/).map((written) => written.trim())) {
        if (line !== '' && !line.startsWith('#')) patterns.push(readPattern(folder, line))
      }
    },
    ignores(path) {
      const last = patterns.findLast((pattern) => fits(pattern, path))
      return last !== undefined && !last.keeps
    },
  }
}

function readPattern(folder: string, line: string): Pattern {
  const keeps = line.startsWith('!')
  const matcher = ignore({ ignorecase: false, allowRelativePaths: true }).add(keeps ? line.slice(1) : line)
  return { prefix: folder === '' ? '' : `${folder}/`, matcher, keeps }
}

function fits(pattern: Pattern, path: string): boolean {
  if (!path.startsWith(pattern.prefix)) return false
  return pattern.matcher.ignores(path.slice(pattern.prefix.length))
}
