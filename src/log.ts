// The one logger. A program makes it, each room receives a child of it as an argument.
import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger } from 'pino'

export interface LogOptions {
  readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** `text`: one line for people; `json`: one JSON object a line. */
  readonly format: 'text' | 'json'
  /** By which the level can be changed later, of all children too. */
  readonly levels?: LevelCycle
}

export interface LevelCycle {
  /** Of a program's logger; its children follow. */
  take(logger: Logger): void
  /** info, debug, trace, and from there info again; what it is now. */
  next(): string
}

const CYCLE: readonly string[] = ['info', 'debug', 'trace']

export function createLevelCycle(): LevelCycle {
  // A child keeps a level of its own, so each is to be told; one that nobody uses any more is not kept alive for it.
  const loggers = new Set<WeakRef<Logger>>()
  let level = 'info'
  return {
    take(logger) {
      loggers.add(new WeakRef(logger))
      level = logger.level
    },
    next() {
      const index = CYCLE.indexOf(level)
      level = CYCLE[(index + 1) % CYCLE.length] ?? 'info'
      for (const kept of loggers) {
        const logger = kept.deref()
        if (logger === undefined) loggers.delete(kept)
        else logger.level = level
      }
      return level
    },
  }
}

/** Writes to `destination`, by default standard error: standard output belongs to a program's answers. */
export function createLogger(options: LogOptions, destination: DestinationStream = pino.destination(2)): Logger {
  const stream = options.format === 'json' ? destination : { write: (line: string) => destination.write(toText(line)) }
  const { level, levels } = options
  const onChild = (child: Logger) => levels?.take(child)
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, onChild }, stream)
  levels?.take(logger)
  return logger
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
