// Faults as a person, a program or a code-review page reads them. Pure; every form holds every fault.
import { stringify } from 'yaml'
import type { Fault } from '../file-based-catalog/fault.ts'

export type ReportFormat = 'text' | 'json' | 'yaml' | 'github'

export interface Verdict {
  /** As the user wrote it. */
  readonly directory: string
  /** The reference program's message; undefined where it accepts the catalog. */
  readonly error: string | undefined
  readonly faults: readonly Fault[]
  /** What keeps a catalog from being served, though it is valid. */
  readonly warnings: readonly Fault[]
  /** One line for the end: what the catalog holds. */
  readonly summary: string
}

export function reportVerdict(verdict: Verdict, format: ReportFormat): string {
  switch (format) {
    case 'text':
      return `${describeFaults(verdict.faults)}${describeFaults(verdict.warnings, 'warning: ')}${verdict.summary}\n`
    case 'json':
      return `${JSON.stringify(structured(verdict), undefined, 2)}\n`
    case 'yaml':
      return stringify(structured(verdict), { lineWidth: 0, aliasDuplicateObjects: false })
    case 'github':
      return [
        ...verdict.faults.map((fault) => annotation('error', verdict.directory, fault)),
        ...verdict.warnings.map((fault) => annotation('warning', verdict.directory, fault)),
      ].join('')
  }
}

/** `file:line:column: message`, then what it concerns and how to mend it. */
export function describeFaults(faults: readonly Fault[], prefix = ''): string {
  return faults.map((fault) => `${placeOf(fault)}${prefix}${oneLine(fault.message)}\n${details(fault)}`).join('')
}

function placeOf({ file, line, column }: Fault): string {
  if (file === '') return ''
  const place = line === undefined ? '' : `:${line}${column === undefined ? '' : `:${column}`}`
  return `${oneLine(file)}${place}: `
}

function details(fault: Fault): string {
  const concerned = (['package', 'channel', 'bundle'] as const)
    .filter((kind) => (fault[kind] ?? '') !== '')
    .map((kind) => `${kind} ${fault[kind]}`)
  const what = [...concerned, `rule ${fault.rule}`].join(', ')
  return `    ${oneLine(what)}\n    to mend it: ${fault.remedy}\n`
}

/** `passed` and `error` as the reference program has them; then what it does not tell. */
function structured({ error, faults, warnings }: Verdict) {
  return {
    passed: error === undefined && faults.length === 0,
    ...(error === undefined ? {} : { error: { message: error } }),
    faults: faults.map(shown),
    ...(warnings.length === 0 ? {} : { warnings: warnings.map(shown) }),
  }
}

function shown({ rule, message, remedy, reference, file, line, column, ...concerned }: Fault) {
  const named = Object.entries({ file, line, column, ...concerned }).filter(
    ([, value]) => value !== undefined && value !== '',
  )
  return { rule, message, ...Object.fromEntries(named), remedy, reference }
}

/** A workflow command: GitHub shows it beside the line of the file. */
function annotation(level: 'error' | 'warning', directory: string, fault: Fault): string {
  const file = fault.file === '' ? directory : `${directory.replace(/\/+$/, '')}/${fault.file}`
  const properties = [
    `file=${property(file.replace(/^\.\//, ''))}`,
    ...(fault.line === undefined ? [] : [`line=${fault.line}`]),
    ...(fault.column === undefined ? [] : [`col=${fault.column}`]),
    `title=${property(fault.rule)}`,
  ]
  return `::${level} ${properties.join(',')}::${escapeData(`${fault.message}\nTo mend it: ${fault.remedy}`)}\n`
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

/** Breaks become blanks, and what would move a terminal is shown escaped: texts come from the catalog. */
function oneLine(text: string): string {
  return text
    .replace(/\s*[\r\n]+\s*/g, ' ')
    .replace(/\p{Cc}/gu, (control) => `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`)
}
