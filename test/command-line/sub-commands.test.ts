import t from 'tap'
import { defineCommand } from '../../src/command-line/command-line.ts'
import { chooseCommand, programHelp } from '../../src/command-line/sub-commands.ts'
import { OlmError } from '../../src/errors.ts'

function command(name: string, summary: string) {
  return defineCommand({ name, summary, flags: {} })
}

const PROGRAM = {
  name: 'sample',
  summary: 'Does two things.',
  commands: {
    serve: command('sample serve', 'Serves a folder. For ever.'),
    'list packages': command('sample list packages', 'Lists packages.'),
    'list bundles': command('sample list bundles', 'Lists bundles.'),
  },
}

function refusal(...argv: string[]): string {
  try {
    chooseCommand(PROGRAM, argv, '1')
  } catch (thrown) {
    if (thrown instanceof OlmError && thrown.code === 'USAGE') return thrown.message
    throw thrown
  }
  return 'no refusal'
}

t.test('a verb of one word or two, and what is left for it', async (t) => {
  t.strictSame(chooseCommand(PROGRAM, ['serve', 'DIR', '-p', '1'], '1'), {
    kind: 'command',
    verb: 'serve',
    argv: ['DIR', '-p', '1'],
  })
  t.strictSame(chooseCommand(PROGRAM, ['list', 'bundles', 'DIR'], '1'), {
    kind: 'command',
    verb: 'list bundles',
    argv: ['DIR'],
  })
})

t.test('help and version of the program', async (t) => {
  for (const word of ['--help', '-h', 'help']) {
    t.strictSame(chooseCommand(PROGRAM, [word], '1'), { kind: 'print', text: programHelp(PROGRAM) })
  }
  t.strictSame(chooseCommand(PROGRAM, ['--version'], '1.2.3'), { kind: 'print', text: '1.2.3\n' })
  t.matchSnapshot(programHelp(PROGRAM))
})

t.test('refusals', async (t) => {
  t.equal(refusal(), 'a command is missing: serve, list packages, list bundles (see sample --help)')
  t.equal(refusal('sevre'), 'sevre: unknown command; did you mean serve? (see sample --help)')
  t.equal(refusal('list'), 'list needs one of: packages, bundles (see sample --help)')
  t.equal(refusal('list', 'package'), 'list needs one of: packages, bundles (see sample --help)')
  t.equal(refusal('--port'), '--port: unknown command (see sample --help)')
})
