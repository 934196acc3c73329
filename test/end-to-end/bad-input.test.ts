// Every row of the table of bad input: one clear line, and nothing else lost.
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { eventually } from '../fixtures/eventually.ts'
import { catalogSourceYaml, samplePackage } from '../fixtures/sample-catalogs.ts'
import { credentialsOf, secureGet } from '../fixtures/secure-request.ts'
import { serveRegistry } from '../fixtures/served-registries.ts'
import { runProgram, startStandalone } from '../fixtures/standalone-process.ts'

const LIST = '/apis/packages.operators.coreos.com/v1/packagemanifests'

async function listed(server: string, dataDir: string): Promise<readonly string[]> {
  const { body } = await secureGet(`${server}${LIST}`, credentialsOf(dataDir))
  const list = JSON.parse(body.toString()) as {
    readonly items: readonly {
      readonly metadata: { readonly name: string }
      readonly status: { readonly catalogSource: string }
    }[]
  }
  return list.items.map(({ metadata, status }) => `${status.catalogSource}/${metadata.name}`)
}

async function listenSomewhere(t: Test): Promise<{ readonly port: number; readonly server: Server }> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return { server, port: (server.address() as { port: number }).port }
}

t.test('the command line: exit 2, one line on standard error, nothing on standard output', async (t) => {
  const base = t.testdir({ none: {}, file: 'text' })
  const data = ['--data-dir', join(base, 'data')]
  const none = ['--catalogs', join(base, 'none')]
  const { port } = await listenSomewhere(t)
  const cases: readonly (readonly [readonly string[], string])[] = [
    [['--secure-prot=1'], 'olm: --secure-prot: unknown flag; did you mean --secure-port? (see npm start -- --help)'],
    [['--nope'], 'olm: --nope: unknown flag (see npm start -- --help)'],
    [['--secure-port'], 'olm: --secure-port: a value is missing (see npm start -- --help)'],
    [
      ['--secure-port=70000'],
      'olm: --secure-port: "70000" is not a whole number from 0 to 65535 (see npm start -- --help)',
    ],
    [
      ['--interval=soon'],
      'olm: --interval: "soon" is not a duration such as 30s, 5m or 1h30m (see npm start -- --help)',
    ],
    [['--interval=0s'], 'olm: --interval: "0s" is not longer than zero (see npm start -- --help)'],
    [['--interval=1ns'], 'olm: --interval: "1ns" is shorter than a millisecond (see npm start -- --help)'],
    [['--max-message-size=0'], 'olm: --max-message-size: "0" leaves room for no message (see npm start -- --help)'],
    [['--global-namespace='], 'olm: --global-namespace: "" is not the name of a namespace (see npm start -- --help)'],
    [['--bind-address=somewhere'], 'olm: --bind-address: "somewhere" is not an IP address (see npm start -- --help)'],
    [
      ['--global-namespace=A_B'],
      'olm: --global-namespace: "A_B" is not the name of a namespace (see npm start -- --help)',
    ],
    [['--log-format=xml'], 'olm: --log-format: "xml" is not one of text, json (see npm start -- --help)'],
    [['extra'], 'olm: "extra": unexpected argument (see npm start -- --help)'],
    [
      ['--data-dir', join(base, 'file')],
      `olm: ${join(base, 'file')}: EEXIST: file already exists: choose another folder with --data-dir`,
    ],
    [
      [...data, '--catalogs', join(base, 'gone')],
      `olm: ${join(base, 'gone')}: ENOENT: no such file or directory: choose another folder with --catalogs`,
    ],
    [
      [...data, '--catalogs', join(base, 'file')],
      `olm: ${join(base, 'file')}: ENOTDIR: not a directory: choose another folder with --catalogs`,
    ],
    [
      [...data, ...none, '--catalog-sources', join(base, 'gone')],
      `olm: ${join(base, 'gone')}: ENOENT: no such file or directory: choose another folder with --catalog-sources`,
    ],
    [
      [...data, ...none, '--secure-port', String(port)],
      `olm: 127.0.0.1:${port}: port in use: choose another with --secure-port`,
    ],
    [
      ['--data-dir', join(base, 'other'), ...none, '--bind-address=192.0.2.1'],
      'olm: 192.0.2.1:0: cannot listen: no interface of this machine has this address: choose another with --bind-address',
    ],
  ]
  for (const [args, line] of cases) {
    const run = runProgram('standalone/main.ts', ['--secure-port=0', ...args])
    const code = await run.ended
    t.strictSame([code, run.stdout(), run.stderr()], [2, '', `${line}\n`], args.join(' '))
  }
})

t.test('help and version', async (t) => {
  for (const main of ['standalone/main.ts', 'package-server/main.ts', 'operator-registry/main.ts']) {
    const version = runProgram(main, ['--version'])
    t.equal(await version.ended, 0, main)
    t.match(version.stdout(), /^\d+\.\d+\.\d+\n$/, main)
    const help = runProgram(main, ['--help'])
    t.equal(await help.ended, 0, main)
    t.match(help.stdout(), /^Usage: /, main)
    t.equal(help.stderr(), '', main)
  }
})

t.test(
  'CatalogSource files: a bad one is skipped by name, line and reason, the others are served; mended, it is served',
  async (t) => {
    const base = t.testdir({ none: {}, catalog: { 'a.json': samplePackage({ name: 'a' }) }, sources: {} })
    const address = await serveRegistry(t, join(base, 'catalog'))
    const sources = join(base, 'sources')
    const file = (name: string, text: string) => writeFileSync(join(sources, name), text)
    file('a-good.yaml', catalogSourceYaml('good', address))
    file('b-twice.yaml', catalogSourceYaml('good', '127.0.0.1:1'))
    file('c-not-yaml.yaml', 'kind: CatalogSource\n  metadata: [\n')
    file('d-no-name.yaml', catalogSourceYaml('x', address).replace('  name: x\n', ''))
    file('e-no-namespace.yaml', catalogSourceYaml('x', address).replace('  namespace: olm\n', ''))
    file('f-bad-address.yaml', catalogSourceYaml('bad-address', 'http://example.com/'))
    file(
      'g-list.json',
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'List',
        items: ['one', 'two'].map((name) => ({
          apiVersion: 'operators.coreos.com/v1alpha1',
          kind: 'CatalogSource',
          metadata: { name, namespace: 'olm' },
          spec: { sourceType: 'grpc', address },
        })),
      }),
    )
    file('notes.txt', 'not a CatalogSource')
    const data = join(base, 'data')
    const server = await startStandalone(data, '--catalogs', join(base, 'none'), '--catalog-sources', sources)
    t.teardown(() => server.stop())
    const see = (wanted: string) =>
      eventually(wanted, async () => (await listed(server.server, data)).join(' ') === wanted, 10_000)
    await see('good/a one/a two/a')
    const says = server.stderr()
    for (const [name, line, reason] of [
      ['c-not-yaml.yaml', 1, 'not YAML'],
      ['d-no-name.yaml', 3, 'name'],
      ['e-no-namespace.yaml', 3, 'namespace'],
      ['f-bad-address.yaml', 9, 'address'],
    ] as const) {
      t.match(says, new RegExp(`${name.replaceAll('.', '\\.')}.*line ${line}: .*${reason}`), name)
    }
    t.match(says, /b-twice\.yaml/, 'the second of one name is reported')
    t.notMatch(says, /notes\.txt/)
    file('d-no-name.yaml', catalogSourceYaml('mended', address))
    await see('good/a mended/a one/a two/a')
    rmSync(join(sources, 'a-good.yaml'))
    rmSync(join(sources, 'b-twice.yaml'))
    await see('mended/a one/a two/a')
  },
)

t.test('a catalog folder with a broken file: left out with file, line and reason; the others are served', async (t) => {
  const base = t.testdir({
    catalogs: {
      good: { 'a.json': samplePackage({ name: 'a' }) },
    },
  })
  mkdirSync(join(base, 'catalogs/broken/sub'), { recursive: true })
  writeFileSync(
    join(base, 'catalogs/broken/sub/b.yaml'),
    'schema: olm.package\nname: b\n---\nschema: olm.channel\n  package: [\n',
  )
  mkdirSync(join(base, 'catalogs/dangling'))
  writeFileSync(
    join(base, 'catalogs/dangling/c.json'),
    samplePackage({ name: 'c' }).replace('"defaultChannel":"stable"', '"defaultChannel":"gone"'),
  )
  mkdirSync(join(base, 'catalogs/Not A Name'))
  writeFileSync(join(base, 'catalogs/Not A Name/d.json'), samplePackage({ name: 'd' }))
  const data = join(base, 'data')
  const server = await startStandalone(data, '--catalogs', join(base, 'catalogs'))
  t.teardown(() => server.stop())
  await eventually('the good one', async () => (await listed(server.server, data)).join(' ') === 'good/a')
  await eventually('every refusal', () => (server.stderr().match(/left out: /g)?.length ?? 0) >= 3)
  t.match(server.stderr(), /^olm\/broken: left out: sub\/b\.yaml:\d+/m)
  t.match(server.stderr(), /^olm\/dangling: left out: c\.json:1/m)
  t.match(server.stderr(), /^olm\/Not A Name: left out: .*lower-case/m)
})

t.test('a registry that answers garbage, nothing, or half a stream: the last good list stays', async (t) => {
  const base = t.testdir({ none: {}, catalog: { 'a.json': samplePackage({ name: 'a' }) }, sources: {} })
  const data = join(base, 'data')
  const address = await serveRegistry(t, join(base, 'catalog'))
  const { server: garbage, port } = await listenSomewhere(t)
  garbage.on('connection', (socket) => {
    socket.on('error', () => {})
    socket.end('this is no HTTP/2\r\n\r\n')
  })
  writeFileSync(join(base, 'sources/one.yaml'), catalogSourceYaml('one', address))
  writeFileSync(join(base, 'sources/two.yaml'), catalogSourceYaml('two', `127.0.0.1:${port}`))
  const server = await startStandalone(
    data,
    '--catalogs',
    join(base, 'none'),
    '--catalog-sources',
    join(base, 'sources'),
  )
  t.teardown(() => server.stop())
  const see = (wanted: string) =>
    eventually(wanted, async () => (await listed(server.server, data)).join(' ') === wanted, 10_000)
  await see('one/a')
  await eventually('the reason', () => /olm\/two.*catalog not read|catalog not read.*olm\/two/.test(server.stderr()))
  writeFileSync(join(base, 'sources/one.yaml'), catalogSourceYaml('one', `127.0.0.1:${port}`))
  await eventually('the reason of the other', () =>
    /last good reading is kept.*olm\/one|olm\/one.*last good reading is kept/.test(server.stderr()),
  )
  t.strictSame(await listed(server.server, data), ['one/a'])
  const answer = await secureGet(`${server.server}${LIST}`, credentialsOf(data))
  t.match(String(answer.headers.warning), /299 - "catalog olm\/one: shown as read/)
})

t.test(
  'a data folder that cannot be written',
  { skip: process.getuid?.() === 0 ? 'skipped: the administrator may write everywhere' : false },
  async (t) => {
    const base = t.testdir({ closed: {} })
    chmodSync(join(base, 'closed'), 0o500)
    const run = runProgram('standalone/main.ts', ['--secure-port=0', '--data-dir', join(base, 'closed')])
    t.equal(await run.ended, 2)
    t.match(run.stderr(), /^olm: .*EACCES: permission denied: choose another folder with --data-dir\n$/)
  },
)
