// argv -> frozen, typed options, or an OlmError USAGE in one line. Spellings are those of Go's programs (pflag):
// `--flag=value`, `--flag value`, `--bool`, `--bool=false`, `-v=4`, `-v 4`, `-v4`, repeated flags, lists with commas.
import { parseArgs } from 'node:util'
import { OlmError } from '../errors.ts'
import {
  defaultValue,
  type FlagDefinition,
  type FlagTable,
  type FlagValue,
  memberName,
  type Options,
  readValue,
} from './flags.ts'
import { COMMON_FLAGS, helpText } from './help-text.ts'
import { nearestName } from './nearest-name.ts'

export interface ArgumentDefinition {
  /** As `--help` shows it: `DIR`. */
  readonly name: string
  readonly help: string
  readonly optional?: boolean
}

/** One thing a person can run: a program, or one verb of it. */
export interface Command<Table extends FlagTable = FlagTable> {
  /** As a person types it: `package-server`, `operator-registry serve`. */
  readonly name: string
  /** A sentence or two. */
  readonly summary: string
  /** What is given without a flag, in order; the optional ones last. None by default. */
  readonly arguments?: readonly ArgumentDefinition[]
  readonly flags: Table
}

/** `run`: go on with these. `print`: `--help` or `--version` was asked; write the text to standard output and end well. */
export type Parsed<Table extends FlagTable> =
  | {
      readonly kind: 'run'
      readonly options: Options<Table>
      /** Exactly as many as are defined, less the optional ones that were not given. */
      readonly arguments: readonly string[]
      /** Names of the flags that stood on the command line, without dashes. */
      readonly given: ReadonlySet<string>
    }
  | { readonly kind: 'print'; readonly text: string }

/** Keeps the table's exact type, from which the type of the options follows. */
export function defineCommand<const Table extends FlagTable>(command: Command<Table>): Command<Table> {
  return command
}

/** `argv` without the program itself. Throws OlmError USAGE. */
export function parseCommand<Table extends FlagTable>(
  command: Command<Table>,
  argv: readonly string[],
  version: string,
): Parsed<Table> {
  const table: FlagTable = { ...command.flags, ...COMMON_FLAGS }
  const { values, positionals } = readFlags(command.name, table, argv)
  if (values.get('help') === true) return { kind: 'print', text: helpText(command) }
  if (values.get('version') === true) return { kind: 'print', text: `${version}\n` }
  checkArguments(command, positionals)
  const options: Record<string, FlagValue> = {}
  for (const [name, flag] of Object.entries(command.flags)) {
    options[memberName(name)] = values.get(name) ?? defaultValue(flag)
  }
  return {
    kind: 'run',
    options: Object.freeze(options) as Options<Table>,
    arguments: positionals,
    given: new Set(values.keys()),
  }
}

/** One line that says what was wrong with the command line. */
export function usageError(command: string, reason: string): OlmError {
  return new OlmError('USAGE', { reason: `${reason} (see ${command} --help)` })
}

function readFlags(command: string, table: FlagTable, argv: readonly string[]) {
  const shorts = new Map(Object.entries(table).map(([name, flag]) => [flag.short ?? '', name]))
  const { tokens } = parseArgs({
    args: argv.map((argument) => longSpelling(argument, shorts, table)),
    options: Object.fromEntries(Object.entries(table).map(([name, flag]) => [name, parseArgsOption(flag)])),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const values = new Map<string, FlagValue>()
  const positionals: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const flag = Object.hasOwn(table, token.name) ? table[token.name] : undefined
    if (flag === undefined) throw unknownFlag(command, token.rawName, table)
    const text = token.value ?? (flag.kind === 'boolean' ? 'true' : undefined)
    if (text === undefined) throw usageError(command, `${token.rawName}: a value is missing`)
    const read = readValue(flag, text)
    if ('reason' in read) throw usageError(command, `${token.rawName}: ${JSON.stringify(text)} ${read.reason}`)
    values.set(token.name, addTo(values.get(token.name), read.value))
  }
  return { values, positionals }
}

/** A list grows with every use; of everything else the last use counts. */
function addTo(before: FlagValue | undefined, value: FlagValue): FlagValue {
  if (!Array.isArray(value)) return value
  return Object.freeze([...(Array.isArray(before) ? before : []), ...value])
}

function parseArgsOption(flag: FlagDefinition) {
  const type = flag.kind === 'boolean' ? ('boolean' as const) : ('string' as const)
  return flag.short === undefined ? { type, multiple: true } : { type, multiple: true, short: flag.short }
}

/** `-p=1` as `--port=1`: parseArgs would take the equals sign as part of the value. */
function longSpelling(argument: string, shorts: ReadonlyMap<string, string>, table: FlagTable): string {
  const [, letter, value] = /^-([^-=])(=.*)$/s.exec(argument) ?? []
  if (letter === undefined || value === undefined) return argument
  const name = shorts.get(letter) ?? (Object.hasOwn(table, letter) ? letter : undefined)
  return name === undefined ? argument : `--${name}${value}`
}

function unknownFlag(command: string, written: string, table: FlagTable): OlmError {
  const near = nearestName(written.replace(/^-+/, ''), Object.keys(table))
  return usageError(command, `${written}: unknown flag${near === undefined ? '' : `; did you mean --${near}?`}`)
}

function checkArguments(command: Command, given: readonly string[]): void {
  const wanted = command.arguments ?? []
  const missing = wanted.slice(given.length).find(({ optional }) => optional !== true)
  if (missing !== undefined) throw usageError(command.name, `${missing.name} is missing`)
  const extra = given[wanted.length]
  if (extra !== undefined) throw usageError(command.name, `${JSON.stringify(extra)}: unexpected argument`)
}
