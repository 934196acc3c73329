// What a command says about itself, out of its table of flags: the text of `--help`, and the Markdown table of the README.
import type { Command } from './command-line.ts'
import type { FlagDefinition, FlagTable } from './flags.ts'

const WIDTH = 100
const INDENT = ' '.repeat(8)

const PLACEHOLDERS: Readonly<Record<FlagDefinition['kind'], string>> = {
  string: 'TEXT',
  boolean: '',
  integer: 'N',
  duration: 'DURATION',
  size: 'SIZE',
  list: 'A,B,…',
  repeated: 'TEXT',
  choice: '',
}

/** Flags that every command has. */
export const COMMON_FLAGS = {
  help: { kind: 'boolean', short: 'h', default: false, help: 'Print this text and end.' },
  version: { kind: 'boolean', default: false, help: 'Print the version and end.' },
} as const satisfies FlagTable

/** The text of `--help`; ends with a line feed. */
export function helpText(command: Command<FlagTable>): string {
  const groups = Map.groupBy(Object.entries(allFlags(command)), ([, flag]) => flag.group ?? 'Flags')
  const parts = [usageLine(command), ...wrap(command.summary, '')]
  if (command.arguments !== undefined) parts.push('', 'Arguments:')
  for (const { name, help } of command.arguments ?? []) parts.push(`  ${name}`, ...wrap(help, INDENT))
  for (const [group, flags] of groups) {
    parts.push('', `${group}:`)
    for (const [name, flag] of flags) parts.push(flagLine(name, flag), ...wrap(description(flag), INDENT))
  }
  return `${parts.join('\n')}\n`
}

/** The same flags as a Markdown table, without a line feed at its end. */
export function optionsTable(command: Command<FlagTable>): string {
  const rows = Object.entries(allFlags(command)).map(
    ([name, flag]) => `| \`${spelling(name, flag)}\` | ${cell(defaultText(flag))} | ${escapeCell(meaning(flag))} |`,
  )
  return ['| flag | default | meaning |', '| --- | --- | --- |', ...rows].join('\n')
}

function allFlags(command: Command<FlagTable>): FlagTable {
  return { ...command.flags, ...COMMON_FLAGS }
}

function usageLine(command: Command<FlagTable>): string {
  const names = (command.arguments ?? []).map(({ name, optional }) => (optional === true ? ` [${name}]` : ` ${name}`))
  return `Usage: ${command.name} [flags]${names.join('')}\n`
}

function spelling(name: string, flag: FlagDefinition): string {
  const value = flag.placeholder ?? (flag.kind === 'choice' ? flag.choices.join('|') : PLACEHOLDERS[flag.kind])
  // A name of one letter is written with one dash only (`-v`), as klog's is.
  const long = `${name.length === 1 ? '-' : '--'}${name}${value === '' ? '' : ` ${value}`}`
  return flag.short === undefined || flag.short === name ? long : `-${flag.short}, ${long}`
}

function flagLine(name: string, flag: FlagDefinition): string {
  return `  ${spelling(name, flag)}`
}

function description(flag: FlagDefinition): string {
  const fallback = defaultText(flag)
  return fallback === '' ? meaning(flag) : `${meaning(flag)} Default: ${fallback}.`
}

function meaning(flag: FlagDefinition): string {
  return flag.unneeded === undefined ? flag.help : `${flag.help} Accepted, not needed: ${flag.unneeded}`
}

/** Empty where there is nothing to say: no text, no items, false. */
function defaultText(flag: FlagDefinition): string {
  if (flag.kind === 'boolean') return flag.default ? 'true' : ''
  return Array.isArray(flag.default) ? flag.default.join(',') : String(flag.default)
}

function cell(text: string): string {
  return text === '' ? '' : `\`${text}\``
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|')
}

function wrap(text: string, indent: string): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    if (line !== '' && indent.length + line.length + 1 + word.length > WIDTH) {
      lines.push(indent + line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return line === '' ? lines : [...lines, indent + line]
}
