// A process under measurement: started with the observer inside, asked for its figures, told to end. Receives node's arguments.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'

export interface Figures {
  /** Of all threads, since the start. */
  readonly cpuMs: number
  readonly rssMB: number
  /** The largest resident size so far. */
  readonly peakMB: number
  /** On the heap and outside it, as V8 counts. */
  readonly heldMB: number
  /** On the heap alone. */
  readonly heapMB: number
  readonly loop: {
    /** How much later than planned a timer fired: other processes of the machine add to it. */
    readonly p99Ms: number
    readonly maxMs: number
    /** The most CPU time in one turn of the loop: what the process itself held up. */
    readonly longestCpuMs: number
  }
  readonly at: number
}

export interface ObserverQuestion {
  /** `collect`: after a garbage collection. `watch-loop`: the loop's figures begin now; `rest`: they end, and cost nothing more. */
  readonly observe?: 'figures' | 'collect' | 'watch-loop' | 'rest'
  readonly profile?: 'start' | 'stop'
}

export interface ObservedProcess {
  readonly child: ChildProcess
  readonly output: () => string
  observe(question?: ObserverQuestion['observe']): Promise<Figures>
  /** The text of a .cpuprofile of the time that `work` takes. */
  profiled(work: () => Promise<unknown>): Promise<string>
  /** Sends a message of the program's own, waits for its answer. */
  ask(message: object): Promise<unknown>
  stop(): Promise<void>
}

const OBSERVER = new URL('./process-observer.ts', import.meta.url).href
const POLL_MS = 10

/** `env`: beside what this process has. */
export function startObserved(
  args: readonly string[],
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): ObservedProcess {
  const child = spawn(process.execPath, [...flags, '--import', OBSERVER, ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    serialization: 'advanced',
    env: { ...process.env, ...env },
  })
  let told = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (piece: Buffer) => {
      told = (told + piece.toString()).slice(-100_000)
    })
  }
  let turn: Promise<unknown> = Promise.resolve()
  let waiting: { resolve(answer: unknown): void; reject(reason: Error): void } | undefined
  child.on('message', (answer) => waiting?.resolve(answer))
  child.on('exit', () => waiting?.reject(new Error(`${args[0]} ended:\n${told}`)))

  /** One question at a time. */
  function ask(message: object): Promise<unknown> {
    const answer = turn.then(() => {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      waiting = { resolve, reject }
      child.send(message, (fault) => {
        if (fault !== null) reject(fault)
      })
      return promise
    })
    turn = answer.catch(() => undefined)
    return answer
  }

  return {
    child,
    output: () => told,
    ask,
    async observe(question = 'figures') {
      return ((await ask({ observe: question })) as { figures: Figures }).figures
    },
    async profiled(work) {
      await ask({ profile: 'start' } satisfies ObserverQuestion)
      await work()
      const { profile } = (await ask({ profile: 'stop' } satisfies ObserverQuestion)) as { profile: string }
      return profile
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Looks again every few milliseconds; fails where the process ends first or after `seconds`. */
export async function until<T>(
  { child, output }: Pick<ObservedProcess, 'child' | 'output'>,
  look: () => Promise<T | undefined> | T | undefined,
  seconds = 300,
): Promise<T> {
  const end = performance.now() + seconds * 1000
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (child.exitCode !== null) throw new Error(`a process ended early:\n${output()}`)
    if (performance.now() > end) throw new Error(`not within ${seconds} s:\n${output()}`)
    await pause(POLL_MS)
  }
}
