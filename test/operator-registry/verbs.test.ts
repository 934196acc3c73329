// The verbs of a catalog author as a process: answers, forms, exit codes, and what is wrong with a command line in one line.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { parse } from 'yaml'
import { exitCodeOf } from '../../src/command-line/program.ts'
import { reasonOf } from '../../src/errors.ts'
import { loadCatalog } from '../../src/file-based-catalog/load-catalog.ts'
import { runVerb } from '../../src/operator-registry/run-verb.ts'
import { bundleBlob, channelBlob, jsonOf, packageBlob, writeFiles } from '../fixtures/small-catalog.ts'

const main = fileURLToPath(new URL('../../src/operator-registry/main.ts', import.meta.url))

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** What the program would do as a process, in this one: starting twenty processes takes a while. */
async function run(cwd: string, ...argv: readonly string[]): Promise<Ended> {
  const texts = { stdout: '', stderr: '' }
  const collect = (name: keyof typeof texts) => ({
    write: (text: string) => {
      texts[name] += text
      return true
    },
  })
  process.chdir(cwd)
  const surroundings = {
    load: loadCatalog,
    stdout: collect('stdout'),
    stderr: collect('stderr'),
    signal: AbortSignal.timeout(60_000),
  }
  try {
    return { code: await runVerb(argv, surroundings), ...texts }
  } catch (thrown) {
    return {
      code: exitCodeOf(thrown),
      stdout: texts.stdout,
      stderr: `${texts.stderr}operator-registry: ${reasonOf(thrown)}\n`,
    }
  }
}

t.test('as a process', async (t) => {
  const cwd = await folders(t.testdir())
  const ended = await new Promise((resolve) => {
    execFile(process.execPath, [main, 'validate', 'broken', '-o', 'github'], { cwd }, (error, stdout, stderr) => {
      resolve({ code: error?.code, stdout, stderr })
    })
  })
  t.strictSame(ended, await run(cwd, 'validate', 'broken', '-o', 'github'))
})

async function folders(base: string): Promise<string> {
  const entries = [{ name: 'foo.v1.0.0' }, { name: 'foo.v1.1.0', replaces: 'foo.v1.0.0', skips: ['foo.v1.0.5'] }]
  return await writeFiles(base, {
    'sound/foo.json': jsonOf(packageBlob(), channelBlob(), bundleBlob()),
    'newer/foo.json': jsonOf(packageBlob(), channelBlob({ entries }), bundleBlob(), bundleBlob('1.1.0')),
    'broken/foo.json': jsonOf(packageBlob({ defaultChannel: 'beta,1' }), channelBlob(), bundleBlob()),
    'broken/bar.json': jsonOf(
      packageBlob({ name: 'bar' }),
      channelBlob({ package: 'bar', entries: [{ name: 'bar1' }] }),
      bundleBlob('1.0.0', {
        package: 'bar',
        name: 'bar1',
        properties: [{ type: 'olm.package', value: { packageName: 'bar', version: '1.0.0' } }],
      }),
    ),
    'empty/.indexignore': '',
  })
}

t.test('validate', async (t) => {
  const cwd = await folders(t.testdir())
  t.strictSame(await run(cwd, 'validate', 'sound'), {
    code: 0,
    stdout: 'sound: valid, 1 package, 1 channel, 1 bundle\n',
    stderr: '',
  })
  t.match(await run(cwd, 'validate', 'empty'), { code: 0 })
  t.strictSame(await run(cwd, 'validate', 'broken'), {
    code: 1,
    stdout: [
      'foo.json:4:21: default channel "beta,1" does not exist',
      '    package foo, channel beta,1, rule default-channel-unknown',
      '    to mend it: set "defaultChannel" to a channel that exists, or add that channel',
      'broken: 1 fault',
      '',
    ].join('\n'),
    stderr: '',
  })
  const expected = {
    passed: false,
    error: {
      message:
        'invalid index:\n└── invalid package "foo":\n    └── invalid channel "beta,1":\n        └── channel must contain at least one bundle',
    },
    faults: [
      { rule: 'default-channel-unknown', file: 'foo.json', line: 4, column: 21, package: 'foo', channel: 'beta,1' },
    ],
  }
  const json = await run(cwd, 'validate', 'broken', '-o', 'json')
  t.match([json.code, JSON.parse(json.stdout)], [1, expected])
  const yaml = await run(cwd, 'validate', 'broken', '--output=yaml')
  t.match([yaml.code, parse(yaml.stdout)], [1, expected])
  t.strictSame(await run(cwd, 'validate', '-o', 'github', 'broken'), {
    code: 1,
    stdout:
      '::error file=broken/foo.json,line=4,col=21,title=default-channel-unknown::default channel "beta,1" does not exist%0ATo mend it: set "defaultChannel" to a channel that exists, or add that channel\n',
    stderr: '',
  })
  t.strictSame(JSON.parse((await run(cwd, 'validate', 'sound', '-o', 'json')).stdout), { passed: true, faults: [] })
})

t.test('list', async (t) => {
  const cwd = await folders(t.testdir())
  t.strictSame(await run(cwd, 'list', 'packages', 'newer'), {
    code: 0,
    stdout:
      'PACKAGE  DEFAULT CHANNEL  HEAD        CHANNELS  BUNDLES  DEPRECATED\nfoo      stable           foo.v1.1.0  1         2        no\n',
    stderr: '',
  })
  t.match(await run(cwd, 'list', 'channels', 'newer'), {
    code: 0,
    stdout: /^foo {6}stable {3}foo\.v1\.1\.0 {2}2 {8}no$/m,
  })
  const { stdout } = await run(cwd, 'list', 'bundles', 'newer', 'foo', '-o', 'json')
  t.match(JSON.parse(stdout), [
    { bundle: 'foo.v1.0.0', version: '1.0.0', replaces: '' },
    { bundle: 'foo.v1.1.0', version: '1.1.0', replaces: 'foo.v1.0.0', skips: 'foo.v1.0.5' },
  ])
  for (const what of ['packages', 'channels', 'bundles'])
    t.match(await run(cwd, 'list', what, 'newer', 'fooo'), {
      code: 2,
      stdout: '',
      stderr: /newer: no package "fooo"; did you mean foo\?/,
    })
  t.match(await run(cwd, 'list', 'packages', 'broken'), {
    code: 1,
    stdout: /^bar /m,
    stderr:
      /^operator-registry: broken: 1 fault, packages with faults are left out: operator-registry validate broken lists them\n$/,
  })
})

t.test('graph', async (t) => {
  const cwd = await folders(t.testdir())
  const { code, stdout } = await run(cwd, 'graph', 'newer', 'foo')
  t.equal(code, 0)
  t.equal(
    stdout,
    [
      '---',
      'title: "foo"',
      '---',
      'flowchart LR',
      '  subgraph c0["stable (default)"]',
      '    c0n0["foo.v1.0.0"]',
      '    c0n1["foo.v1.1.0"]:::head',
      '    c0n2["foo.v1.0.5"]:::missing',
      '    c0n0 --> c0n1',
      '    c0n2 -. skips .-> c0n1',
      '  end',
      '  classDef head stroke-width:3px',
      '  classDef deprecated fill:#f9d0c4,stroke:#b22222,stroke-dasharray:4',
      '  classDef missing stroke-dasharray:2,color:#777777',
      '',
    ].join('\n'),
  )
  t.match(await run(cwd, 'graph', 'newer', 'fooo'), { code: 2, stderr: /newer: no package "fooo"; did you mean foo\?/ })
})

t.test('diff', async (t) => {
  const cwd = await folders(t.testdir())
  t.strictSame(await run(cwd, 'diff', 'sound', 'newer'), {
    code: 0,
    stdout: '  package foo\n    head of stable foo.v1.0.0 -> foo.v1.1.0\n  + bundle foo.v1.1.0\n',
    stderr: '',
  })
  t.match(await run(cwd, 'diff', 'sound', 'sound'), { code: 0, stdout: 'no difference\n' })
  const { stdout } = await run(cwd, 'diff', 'newer', 'empty', '--output', 'json')
  t.match(JSON.parse(stdout), { packagesRemoved: ['foo'], packagesAdded: [], packagesChanged: [] })
})

t.test('what is wrong with a command line is one line, and exit code 2', async (t) => {
  const cwd = await folders(t.testdir())
  const table: readonly (readonly [argv: readonly string[], message: RegExp])[] = [
    [[], /a command is missing/],
    [['validat', 'sound'], /unknown command; did you mean validate\?/],
    [['list', 'things'], /list needs one of: packages, channels, bundles/],
    [['validate'], /DIR/],
    [['validate', 'sound', '--outptu', 'json'], /--outptu/],
    [['validate', 'sound', '-o', 'xml'], /xml/],
    [['validate', 'nothing'], /nothing: no such file or directory/],
    [['validate', 'sound/foo.json'], /sound\/foo\.json: is not a directory/],
    [['diff', 'sound'], /NEW/],
  ]
  for (const [argv, message] of table) {
    const ended = await run(cwd, ...argv)
    t.equal(ended.code, 2, argv.join(' '))
    t.match(ended.stderr, message, argv.join(' '))
    t.equal(ended.stderr.trimEnd().split('\n').length, 1, `${argv.join(' ')}: one line`)
    t.equal(ended.stdout, '')
  }
  for (const argv of [['--help'], ['validate', '--help'], ['--version'], ['list', 'bundles', '--help']]) {
    t.match(await run(cwd, ...argv), { code: 0, stdout: /./, stderr: '' }, argv.join(' '))
  }
})
