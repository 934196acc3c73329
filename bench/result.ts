// What a run hands on: rows of figures with the machine and the date, as one JSON file and as one table for people.
import { cpus, loadavg, totalmem } from 'node:os'
import process from 'node:process'

export interface Row {
  readonly group: string
  readonly name: string
  readonly unit: string
  readonly value: number
  /** The same figure of bare node:https in the same run, and ours as a share of it: 1 is the limit. */
  readonly limit?: number
  readonly ratio?: number
  /** CPU time per answer of the limit as a share of ours: what other processes of the machine do not add to. */
  readonly cpuRatio?: number
  /** Of one answer of ours. */
  readonly cpuMs?: number
  readonly nginx?: number
  readonly peer?: number
  readonly goal?: Goal
}

/** Of the ratio where there is one, else of the value. */
export interface Goal {
  readonly atLeast?: number
  readonly atMost?: number
}

export interface Machine {
  readonly cores: number
  readonly model: string
  readonly memoryGB: number
  readonly node: string
  readonly system: string
  /** Of the minute before. */
  readonly load: number
}

export interface BenchResult {
  readonly date: string
  readonly seconds: number
  readonly quick: boolean
  readonly base: string
  readonly machine: Machine
  readonly loadAtEnd: number
  readonly rows: readonly Row[]
}

export function thisMachine(): Machine {
  return {
    cores: cpus().length,
    model: cpus()[0]?.model.trim() ?? '',
    memoryGB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    system: `${process.platform} ${process.arch}`,
    load: round(loadavg()[0] ?? 0),
  }
}

/** Undefined where the row has no goal. */
export function reached({ goal, ratio, value }: Row): boolean | undefined {
  if (goal === undefined) return undefined
  const figure = ratio ?? value
  return figure >= (goal.atLeast ?? Number.NEGATIVE_INFINITY) && figure <= (goal.atMost ?? Number.POSITIVE_INFINITY)
}

/** Markdown. */
export function resultTable(result: BenchResult): string {
  const { machine, rows } = result
  const lines = [
    `${result.date.slice(0, 16).replace('T', ' ')} UTC, ${machine.cores} cores (${machine.model}), ${machine.memoryGB} GB, Node.js ${machine.node}, ${machine.system}; ` +
      `load ${machine.load} at the start, ${result.loadAtEnd} at the end; ${Math.round(result.seconds)} s${result.quick ? ', --quick' : ''}; packages of ${result.base}.`,
  ]
  for (const [group, own] of Map.groupBy(rows, (row) => row.group)) {
    const compared = own.some(({ ratio }) => ratio !== undefined)
    lines.push('', `### ${group}`, '')
    lines.push(
      compared ? COMPARED : PLAIN,
      compared ? '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |' : '| --- | --- | --- | --- |',
    )
    for (const row of own) lines.push(compared ? comparedLine(row) : plainLine(row))
  }
  return `${lines.join('\n')}\n`
}

const COMPARED = '| | ours | limit | ratio | CPU, ms | ratio of CPU | nginx | peer | goal | reached |'
const PLAIN = '| | figure | goal | reached |'

function comparedLine(row: Row): string {
  const { name, unit, value, limit, ratio, cpuMs, cpuRatio, nginx, peer } = row
  const cells = [
    name,
    `${text(value)} ${unit}`,
    text(limit),
    text(ratio),
    text(cpuMs),
    text(cpuRatio),
    text(nginx),
    text(peer),
  ]
  return `| ${[...cells, goalText(row.goal), reachedText(row)].join(' | ')} |`
}

function plainLine(row: Row): string {
  return `| ${row.name} | ${text(row.value)} ${row.unit} | ${goalText(row.goal)} | ${reachedText(row)} |`
}

function goalText(goal: Goal | undefined): string {
  if (goal === undefined) return ''
  return goal.atLeast === undefined ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`
}

function reachedText(row: Row): string {
  const well = reached(row)
  return well === undefined ? '' : well ? 'yes' : '**no**'
}

function text(value: number | undefined): string {
  return value === undefined ? '' : String(round(value))
}

/** Three digits that count. */
export function round(value: number): number {
  return Number.isFinite(value) ? Number(value.toPrecision(Math.abs(value) >= 1000 ? 4 : 3)) : value
}
