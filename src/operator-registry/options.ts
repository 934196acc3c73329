// Every verb of the program, with its flags, defaults, help and checks.
import type { Program } from '../command-line/sub-commands.ts'
import { DIFF } from './diff.ts'
import { GRAPH } from './graph.ts'
import { LIST } from './list.ts'
import { SERVE } from './serve-command.ts'
import { VALIDATE } from './validate.ts'

export const PROGRAM = {
  name: 'operator-registry',
  summary: 'Serves and checks folders of file-based catalogs, in place of opm.',
  commands: {
    serve: SERVE,
    validate: VALIDATE,
    'list packages': LIST.packages,
    'list channels': LIST.channels,
    'list bundles': LIST.bundles,
    graph: GRAPH,
    diff: DIFF,
  },
} as const satisfies Program<string>
