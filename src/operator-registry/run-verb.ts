// From the command line to the verb that it asks for, and its exit code. The serving end is loaded only where it is needed.
import { type Command, parseCommand } from '../command-line/command-line.ts'
import type { FlagTable } from '../command-line/flags.ts'
import { chooseCommand } from '../command-line/sub-commands.ts'
import { VERSION } from '../command-line/version.ts'
import { createLogger } from '../log.ts'
import { DIFF, type DiffFormat, diff } from './diff.ts'
import { describeFaults, type ReportFormat } from './fault-report.ts'
import { GRAPH, graph } from './graph.ts'
import { LIST, type ListFormat, list } from './list.ts'
import { PROGRAM } from './options.ts'
import type { ServeSurroundings } from './serve.ts'
import { SERVE } from './serve-command.ts'
import { VALIDATE, validate } from './validate.ts'
import type { VerbSurroundings } from './verb.ts'

export type ProgramSurroundings = Omit<VerbSurroundings, 'log'> & Pick<ServeSurroundings, 'environment'>

/** Throws OlmError USAGE for what the command line has wrong. */
export async function runVerb(argv: readonly string[], surroundings: ProgramSurroundings): Promise<number> {
  const { stdout } = surroundings
  const chosen = chooseCommand(PROGRAM, argv, VERSION)
  if (chosen.kind === 'print') return print(chosen.text, stdout)
  const quiet = { ...surroundings, log: createLogger({ level: 'warn', format: 'text' }) }

  /** Reads a verb's own command line; what `--help` asks for is printed instead of running. */
  async function run<Table extends FlagTable>(
    command: Command<Table>,
    act: (parsed: Parsed<Table>) => Promise<number>,
  ): Promise<number> {
    const parsed = parseCommand(command, chosen.kind === 'command' ? chosen.argv : [], VERSION)
    return parsed.kind === 'print' ? print(parsed.text, stdout) : await act(parsed)
  }

  switch (chosen.verb) {
    case 'serve':
      return await run(SERVE, async ({ arguments: [directory = ''], options, given }) => {
        const { serve } = await import('./serve.ts')
        const log = createLogger({ level: options.debug ? 'debug' : 'info', format: 'text' })
        return await serve(directory, options, given, { ...surroundings, log, describeFaults })
      })
    case 'validate':
      return await run(VALIDATE, ({ arguments: [directory = ''], options }) =>
        validate(directory, options.output as ReportFormat, quiet),
      )
    case 'list packages':
    case 'list channels':
    case 'list bundles': {
      const what = chosen.verb.slice('list '.length) as keyof typeof LIST
      return await run(LIST[what], ({ arguments: [directory = '', only], options }) =>
        list(what, directory, only, options.output as ListFormat, quiet),
      )
    }
    case 'graph':
      return await run(GRAPH, ({ arguments: [directory = '', name = ''] }) => graph(directory, name, quiet))
    case 'diff':
      return await run(DIFF, ({ arguments: [before = '', after = ''], options }) =>
        diff(before, after, options.output as DiffFormat, quiet),
      )
  }
}

type Parsed<Table extends FlagTable> = Extract<ReturnType<typeof parseCommand<Table>>, { readonly kind: 'run' }>

function print(text: string, stdout: ProgramSurroundings['stdout']): number {
  stdout.write(text)
  return 0
}
