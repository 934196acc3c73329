// A program of several verbs: argv -> which verb, and the rest of argv for its own table of flags. Never runs one.
import { type Command, usageError } from './command-line.ts'
import { nearestName } from './nearest-name.ts'

/** `commands` by verb; a verb may be two words (`list packages`). */
export interface Program<Verb extends string> {
  readonly name: string
  readonly summary: string
  readonly commands: Readonly<Record<Verb, Command>>
}

export type Chosen<Verb extends string> =
  | { readonly kind: 'command'; readonly verb: Verb; readonly argv: readonly string[] }
  | { readonly kind: 'print'; readonly text: string }

/** The verb is the first word or words of `argv`. Throws OlmError USAGE. */
export function chooseCommand<Verb extends string>(
  program: Program<Verb>,
  argv: readonly string[],
  version: string,
): Chosen<Verb> {
  const [first, second] = argv
  if (first === '--help' || first === '-h' || first === 'help') return { kind: 'print', text: programHelp(program) }
  if (first === '--version' || first === 'version') return { kind: 'print', text: `${version}\n` }
  if (first === undefined) throw usageError(program.name, `a command is missing: ${verbsOf(program).join(', ')}`)
  for (const verb of verbsOf(program)) {
    if (verb === first) return { kind: 'command', verb, argv: argv.slice(1) }
    if (verb === `${first} ${second}`) return { kind: 'command', verb, argv: argv.slice(2) }
  }
  throw unknownVerb(program, first, second)
}

/** The text of a program's `--help`: its commands, each with the first sentence of its summary. */
export function programHelp<Verb extends string>(program: Program<Verb>): string {
  const verbs = verbsOf(program)
  const width = Math.max(...verbs.map((verb) => verb.length)) + 2
  const lines = verbs.map((verb) => `  ${verb.padEnd(width)}${firstSentence(program.commands[verb].summary)}`)
  const usage = `Usage: ${program.name} COMMAND [flags]\n\n${program.summary}\n\nCommands:\n`
  return `${usage}${lines.join('\n')}\n\n${program.name} COMMAND --help says more about each.\n`
}

function verbsOf<Verb extends string>(program: Program<Verb>): Verb[] {
  return Object.keys(program.commands) as Verb[]
}

function firstSentence(text: string): string {
  return /^.*?[.](?=\s|$)/s.exec(text)?.[0] ?? text
}

function unknownVerb<Verb extends string>(program: Program<Verb>, first: string, second: string | undefined) {
  const verbs = verbsOf(program)
  const under = verbs.filter((verb) => verb.startsWith(`${first} `))
  if (under.length > 0) {
    return usageError(
      program.name,
      `${first} needs one of: ${under.map((verb) => verb.slice(first.length + 1)).join(', ')}`,
    )
  }
  const near = nearestName(first, verbs) ?? nearestName(`${first} ${second}`, verbs)
  return usageError(program.name, `${first}: unknown command${near === undefined ? '' : `; did you mean ${near}?`}`)
}
