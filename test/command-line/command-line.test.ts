import fc from 'fast-check'
import t from 'tap'
import { defineCommand, parseCommand } from '../../src/command-line/command-line.ts'
import type { Options } from '../../src/command-line/flags.ts'
import { helpText, optionsTable } from '../../src/command-line/help-text.ts'
import { OlmError } from '../../src/errors.ts'

const SAMPLE = defineCommand({
  name: 'sample serve',
  summary: 'Serves a folder.',
  arguments: [
    { name: 'DIR', help: 'The folder.' },
    { name: 'OTHER', help: 'Another folder.', optional: true },
  ],
  flags: {
    port: { kind: 'integer', short: 'p', default: 50051, min: 0, max: 65535, help: 'Where to listen.' },
    interval: { kind: 'duration', default: '5m', help: 'How often to read.' },
    'data-dir': {
      kind: 'string',
      default: '.olm',
      help: 'Where files go.',
      check: (value) => (value === '' ? 'is empty' : undefined),
    },
    'allowed-names': { kind: 'list', default: ['a'], help: 'Who may.' },
    'sni-key': { kind: 'repeated', default: [], help: 'Pairs.' },
    limit: { kind: 'size', default: '64Mi', help: 'How much.' },
    debug: { kind: 'boolean', default: false, help: 'Say more.' },
    cache: { kind: 'boolean', default: true, help: 'Keep it.', unneeded: 'everything is kept in memory.' },
    format: { kind: 'choice', choices: ['text', 'json'], default: 'text', help: 'Form of a line.', group: 'Logging' },
    v: { kind: 'integer', short: 'v', default: 0, help: 'More detail.', group: 'Logging' },
  },
})

function run(...argv: string[]) {
  const parsed = parseCommand(SAMPLE, argv, '1.2.3')
  if (parsed.kind !== 'run') throw new Error('nothing to run')
  return parsed
}

function optionsOf(...argv: string[]) {
  return run('somewhere', ...argv).options
}

function refusal(...argv: string[]): string {
  try {
    parseCommand(SAMPLE, argv, '1.2.3')
  } catch (thrown) {
    if (thrown instanceof OlmError && thrown.code === 'USAGE') return thrown.message
    throw thrown
  }
  return 'no refusal'
}

t.test('defaults, typed and frozen', async (t) => {
  const options: Options<typeof SAMPLE.flags> = optionsOf()
  const format: 'text' | 'json' = options.format
  t.equal(format, 'text')
  t.strictSame(
    { ...options },
    {
      port: 50051,
      interval: 300_000,
      dataDir: '.olm',
      allowedNames: ['a'],
      sniKey: [],
      limit: 67_108_864,
      debug: false,
      cache: true,
      format: 'text',
      v: 0,
    },
  )
  t.ok(Object.isFrozen(options))
  t.equal(run('x').given.size, 0)
})

t.test('every spelling of a value', async (t) => {
  for (const argv of [['--port=1'], ['--port', '1'], ['-p', '1'], ['-p=1'], ['-p1'], ['--port=2', '-p=1']]) {
    t.equal(optionsOf(...argv).port, 1, argv.join(' '))
  }
  for (const argv of [['-v=4'], ['-v', '4'], ['--v=4'], ['--v', '4'], ['-v4']])
    t.equal(optionsOf(...argv).v, 4, argv.join(' '))
  t.equal(optionsOf('--debug').debug, true)
  t.equal(optionsOf('--debug=true').debug, true)
  t.equal(optionsOf('--debug=false', '--cache=0').debug, false)
  t.equal(optionsOf('--cache=F').cache, false)
  t.equal(optionsOf('--interval', '1h30m').interval, 5_400_000)
  t.equal(optionsOf('--interval=250ms').interval, 250)
  t.equal(optionsOf('--interval=0').interval, 0)
  t.equal(optionsOf('--limit=10').limit, 10)
  t.equal(optionsOf('--limit=2Ki').limit, 2048)
  t.equal(optionsOf('--limit=1Gi').limit, 1_073_741_824)
  t.equal(optionsOf('--data-dir=a=b').dataDir, 'a=b')
  t.equal(optionsOf('--data-dir', '-x').dataDir, '-x', 'what follows a flag that takes a value is its value')
})

t.test('lists: repeated, by commas, quoted', async (t) => {
  t.strictSame(optionsOf('--allowed-names=a,b', '--allowed-names', 'c').allowedNames, ['a', 'b', 'c'])
  t.strictSame(optionsOf('--allowed-names="x, y",z').allowedNames, ['x, y', 'z'])
  t.strictSame(optionsOf('--allowed-names=').allowedNames, [])
  t.strictSame(optionsOf('--allowed-names=a,,b').allowedNames, ['a', '', 'b'])
  t.strictSame(optionsOf('--sni-key=a.crt,a.key', '--sni-key=b.crt,b.key').sniKey, ['a.crt,a.key', 'b.crt,b.key'])
})

t.test('arguments, and what was given', async (t) => {
  t.strictSame(run('a', '--debug', 'b').arguments, ['a', 'b'])
  t.strictSame(run('--', '--debug').arguments, ['--debug'])
  t.strictSame([...run('a', '-p', '1', '--debug').given].sort(), ['debug', 'port'])
})

t.test('refusals: one line that names the flag, the reason and the way out', async (t) => {
  const hint = ' (see sample serve --help)'
  const cases: readonly (readonly [readonly string[], string])[] = [
    [['d', '--prot=1'], '--prot: unknown flag; did you mean --port?'],
    [['d', '--xyzzy'], '--xyzzy: unknown flag'],
    [['d', '-x'], '-x: unknown flag'],
    [['d', '--__proto__'], '--__proto__: unknown flag'],
    [['d', '--constructor=1'], '--constructor: unknown flag'],
    [['d', '--no-debug'], '--no-debug: unknown flag'],
    [['d', '--port'], '--port: a value is missing'],
    [['d', '--port=abc'], '--port: "abc" is not a whole number from 0 to 65535'],
    [['d', '--port=70000'], '--port: "70000" is not a whole number from 0 to 65535'],
    [['d', '--port=1e3'], '--port: "1e3" is not a whole number from 0 to 65535'],
    [['d', '--port='], '--port: "" is not a whole number from 0 to 65535'],
    [['d', '-p=x'], '--port: "x" is not a whole number from 0 to 65535'],
    [['d', '--interval=5'], '--interval: "5" is not a duration such as 30s, 5m or 1h30m'],
    [['d', '--interval=5 m'], '--interval: "5 m" is not a duration such as 30s, 5m or 1h30m'],
    [['d', '--limit=10MB'], '--limit: "10MB" is not a size such as 512Ki, 64Mi or 1Gi'],
    [['d', '--debug=maybe'], '--debug: "maybe" is neither true nor false'],
    [['d', '--format=xml'], '--format: "xml" is not one of text, json'],
    [['d', '--data-dir='], '--data-dir: "" is empty'],
    [['d', '--data-dir=a\nb', '--nope'], '--nope: unknown flag'],
    [['d', '--format=a\nb'], '--format: "a\\nb" is not one of text, json'],
    [[], 'DIR is missing'],
    [['a', 'b', 'c'], '"c": unexpected argument'],
  ]
  for (const [argv, reason] of cases) t.equal(refusal(...argv), reason + hint, argv.join(' '))
})

t.test('help and version win over everything but a wrong flag', async (t) => {
  t.strictSame(parseCommand(SAMPLE, ['--version'], '1.2.3'), { kind: 'print', text: '1.2.3\n' })
  t.strictSame(parseCommand(SAMPLE, ['-h', '--port=1'], '1.2.3'), { kind: 'print', text: helpText(SAMPLE) })
  t.match(refusal('--help', '--nope'), '--nope: unknown flag')
  t.matchSnapshot(helpText(SAMPLE), 'help')
  t.matchSnapshot(optionsTable(SAMPLE), 'table')
})

t.test('whatever is typed ends in options or in one line', async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '--port',
      '-p',
      '-p=',
      '--allowed-names=',
      '--debug',
      '--',
      '-',
      '--=',
      '-=',
      '-v',
      'DIR',
      '--data-dir',
    ),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (argv) => {
      try {
        parseCommand(SAMPLE, argv, '1')
      } catch (thrown) {
        if (!(thrown instanceof OlmError) || thrown.code !== 'USAGE' || /\n/.test(thrown.message)) throw thrown
      }
    }),
    { numRuns: 2000 },
  )
})
