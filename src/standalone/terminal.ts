// What a person at the terminal sees while catalogs load: a bar below the lines where the stream is a terminal, plain
// lines where it is not. Writes to the stream it is given; takes no signals.
import { MultiBar, type SingleBar } from 'cli-progress'

/** A stream that may be a terminal. */
export type Screen = NodeJS.WritableStream & { readonly isTTY?: boolean }

export interface Terminal {
  /** A line that stays. */
  line(text: string): void
  /** From now on this one is waited for. */
  begin(name: string): void
  /** It is not waited for any more. */
  end(name: string): void
  /** Takes the bar away. */
  close(): void
}

export function createTerminal(screen: Screen): Terminal {
  return screen.isTTY === true ? createBar(screen) : createLines(screen)
}

function createLines(screen: Screen): Terminal {
  const waiting = new Set<string>()
  const line = (text: string) => void screen.write(`${text}\n`)
  return {
    line,
    begin(name) {
      if (!waiting.has(name)) line(`${name}: loading`)
      waiting.add(name)
    },
    end: (name) => void waiting.delete(name),
    close: () => {},
  }
}

function createBar(screen: Screen): Terminal {
  const waiting = new Set<string>()
  let seen = 0
  let bars: MultiBar | undefined
  let bar: SingleBar | undefined

  function show(): void {
    if (waiting.size === 0) {
      close()
      return
    }
    const payload = { names: namesOf(waiting) }
    bars ??= new MultiBar({
      stream: screen,
      format: 'loading catalogs [{bar}] {value}/{total} {names}',
      barsize: 24,
      clearOnComplete: true,
      hideCursor: true,
      linewrap: true,
      gracefulExit: false,
    })
    bar ??= bars.create(seen, 0, payload)
    bar.setTotal(seen)
    bar.update(seen - waiting.size, payload)
    bars.update()
  }

  function close(): void {
    bars?.stop()
    bars = undefined
    bar = undefined
    seen = 0
  }

  return {
    line(text) {
      if (bars === undefined) screen.write(`${text}\n`)
      else {
        bars.log(`${text}\n`)
        bars.update()
      }
    },
    begin(name) {
      if (!waiting.has(name)) seen++
      waiting.add(name)
      show()
    },
    end(name) {
      if (waiting.delete(name)) show()
    },
    close() {
      waiting.clear()
      close()
    },
  }
}

const MOST_NAMES = 3

function namesOf(waiting: ReadonlySet<string>): string {
  const more = waiting.size > MOST_NAMES ? ` and ${waiting.size - MOST_NAMES} more` : ''
  return `${[...waiting].slice(0, MOST_NAMES).join(', ')}${more}`
}
