// The one logger. A program makes it, each room receives a child of it as an argument.
import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger } from 'pino'

export interface LogOptions {
  readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** `text`: one line for people; `json`: one JSON object a line. */
  readonly format: 'text' | 'json'
}

/** Writes to `destination`, by default standard error: standard output belongs to a program's answers. */
export function createLogger(options: LogOptions, destination: DestinationStream = pino.destination(2)): Logger {
  const stream = options.format === 'json' ? destination : { write: (line: string) => destination.write(toText(line)) }
  return pino({ level: options.level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream)
}

/** `2026-01-02T03:04:05.678Z INFO  [catalog] message key=value …` */
function toText(line: string): string {
  const { level, time, msg, room, ...facts } = JSON.parse(line) as Record<string, unknown>
  const name = (pino.levels.labels[Number(level)] ?? 'info').toUpperCase().padEnd(5)
  const tail = Object.entries(facts).map(
    ([key, value]) => ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return `${String(time)} ${name} ${room === undefined ? '' : `[${String(room)}] `}${String(msg ?? '')}${tail.join('')}\n`
}
