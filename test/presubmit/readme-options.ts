// The tables of options in README.md, made from the programs' own tables of flags. Run as a program it writes them:
// `npm run readme:options`.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from '../../src/command-line/command-line.ts'
import { optionsTable } from '../../src/command-line/help-text.ts'
import { PROGRAM } from '../../src/operator-registry/options.ts'
import { PACKAGE_SERVER } from '../../src/package-server/options.ts'
import { STANDALONE } from '../../src/standalone/options.ts'
import { ROOT } from './source-files.ts'

export const README = join(ROOT, 'README.md')

/** Every command there is, by the name that stands in the README's marker: `<!-- options: standalone -->` … `<!-- /options -->`. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  standalone: STANDALONE,
  'package-server': PACKAGE_SERVER,
  ...Object.fromEntries(Object.values(PROGRAM.commands).map((command) => [command.name, command])),
}

/** Commands whose options the README must show; of the others it may. */
const SHOWN = ['standalone', 'package-server', 'operator-registry serve']

/** The same text with every table between markers made anew. Throws where a program has no place in it. */
export function withOptions(readme: string): string {
  let text = readme
  for (const [name, command] of Object.entries(COMMANDS)) {
    const place = new RegExp(`(<!-- options: ${name} -->\n)[\\s\\S]*?(<!-- /options -->)`)
    if (place.test(text)) {
      text = text.replace(place, (_, open: string, close: string) => `${open}${optionsTable(command)}\n${close}`)
    } else if (SHOWN.includes(name)) throw new Error(`README.md has no place for the options of ${name}`)
  }
  return text
}

if (import.meta.main) writeFileSync(README, withOptions(readFileSync(README, 'utf8')))
