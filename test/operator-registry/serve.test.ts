// The verb `serve` as a process: what it says, with which code it leaves, what it leaves behind.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { catalogText } from '../fixtures/catalog-text.ts'
import { eventually } from '../fixtures/eventually.ts'
import { rawRegistry } from '../fixtures/raw-registry.ts'
import { type Run, runProgram } from '../fixtures/standalone-process.ts'

const MAIN = 'operator-registry/main.ts'

interface Served extends Run {
  readonly address: string
}

/** Every run writes its own termination log, so that the machine's is left alone. */
async function place(t: Test, files: Record<string, string>) {
  const folder = t.testdir({ catalog: files, cache: {}, 'termination-log': '' })
  const [catalog, cache, log] = ['catalog', 'cache', 'termination-log'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const started = (...flags: readonly string[]): Run => {
    const run = runProgram(MAIN, ['serve', catalog, '-p', '0', '--bind-address=127.0.0.1', '-t', log, ...flags])
    t.teardown(() => run.child.kill('SIGKILL'))
    return run
  }
  const served = async (...flags: readonly string[]): Promise<Served> => {
    const run = started(...flags)
    const address = await eventually('the port', () => /port open address=(\S+)/.exec(run.stderr())?.[1], 20_000)
    return { ...run, address: address ?? '' }
  }
  /** Exit code, last line of standard error, and the termination log, which must be that line. */
  const ending = async (run: Run) => {
    const code = await run.ended
    const last = run.stderr().trimEnd().split('\n').at(-1) ?? ''
    t.equal(
      `operator-registry: ${(await readFile(log, 'utf8')).trimEnd()}`,
      last,
      'the termination log has the last line',
    )
    return { code, last }
  }
  return { folder, catalog, cache, started, served, ending }
}

const serving = (run: Run): Promise<boolean> =>
  eventually(
    'content',
    () => {
      if (run.child.exitCode !== null) throw new Error(`ended instead: ${run.stderr()}`)
      return run.stderr().includes('serving catalog')
    },
    20_000,
  )

t.test('serves, and ends by SIGTERM within two seconds with 0', async (t) => {
  const { served } = await place(t, { 'a.json': catalogText('alpha', { versions: ['1.0.0', '1.1.0'] }) })
  const run = await served()
  await serving(run)
  const registry = rawRegistry(run.address)
  t.teardown(() => registry.close())
  t.match(await registry.ask('Check'), { status: 'SERVING' })
  t.match(await registry.list('ListPackages'), [{ name: 'alpha' }])
  const bundle = await registry.ask('GetBundleForChannel', { pkgName: 'alpha', channelName: 'stable' })
  t.match(bundle, { csvName: 'alpha.v1.1.0', csvJson: /"kind":"ClusterServiceVersion"/, object: { length: 1 } })
  const asked = Date.now()
  run.child.kill('SIGTERM')
  t.equal(await run.ended, 0)
  t.ok(Date.now() - asked < 2000)
  t.equal(run.stdout(), '', 'standard output is for answers')
})

t.test('usage: one line, code 2', async (t) => {
  const { started, folder, catalog } = await place(t, { 'a.json': catalogText('alpha') })
  for (const [flags, line] of [
    [['--prot=1'], /--prot: unknown flag; did you mean --port\?/],
    [['--cache-enforce-integrity'], /--cache-dir must be specified with --cache-enforce-integrity/],
  ] as const) {
    const run = started(...flags)
    t.equal(await run.ended, 2)
    t.match(run.stderr(), line)
    t.equal(run.stderr().trimEnd().split('\n').length, 1)
  }
  const missing = runProgram(MAIN, ['serve', join(folder, 'none'), '-p', '0', '--bind-address=127.0.0.1', '-t', ''])
  t.equal(await missing.ended, 2)
  t.match(missing.stderr().trimEnd().split('\n').at(-1), /^operator-registry: \S+none: /)
  t.ok(catalog)
})

t.test('a port in use: code 2, and the way out (R105)', async (t) => {
  const { started, ending } = await place(t, { 'a.json': catalogText('alpha') })
  const taken = createServer().listen(0, '127.0.0.1')
  t.teardown(() => taken.close())
  await eventually('the port to be taken', () => taken.listening)
  const { port } = taken.address() as { port: number }
  const { code, last } = await ending(started(`--port=${port}`))
  t.equal(code, 2)
  t.match(last, `operator-registry: 127.0.0.1:${port}: port in use: choose another with --port`)
})

t.test('a catalog with faults: all of them, then code 1; with --lenient the rest is served (R111)', async (t) => {
  const broken = catalogText('broken', { versions: ['1.0.0', '1.1.0'] }).replace('"replaces"', '"noReplaces"')
  const { served, started, ending } = await place(t, {
    'a.json': catalogText('alpha'),
    'b.json': broken,
    'c.txt': 'words',
  })
  const run = started()
  const { code, last } = await ending(run)
  t.equal(code, 1)
  t.match(run.stderr(), /^c\.txt/m, 'one fault by its file')
  t.match(run.stderr(), /multiple channel heads/, 'the other by its rule')
  t.match(last, /catalog: \d faults: /)
  const lenient = await served('--lenient')
  await serving(lenient)
  const registry = rawRegistry(lenient.address)
  t.teardown(() => registry.close())
  t.match(await registry.list('ListPackages'), [{ name: 'alpha' }])
  t.match(lenient.stderr(), /WARN .*left out: .*multiple channel heads/)
})

t.test('the cache: filled, used, refused when it is of another catalog (4), not writable (3)', async (t) => {
  const { catalog, cache, served, started, ending } = await place(t, { 'a.json': catalogText('alpha') })
  t.equal(await started('--cache-dir', cache, '--cache-only').ended, 0)
  t.equal((await readdir(join(cache, 'olm-registry.v1'))).length, 1)
  const warm = await served('--cache-dir', cache, '--cache-enforce-integrity')
  await serving(warm)
  t.match(warm.stderr(), /from=cache/)
  await writeFile(join(catalog, 'b.json'), catalogText('beta'))
  const refused = await ending(started('--cache-dir', cache))
  t.equal(refused.code, 4)
  t.match(refused.last, /integrity check failed: cache \S+: cache reports digest as [0-9a-f]{64}, but computed digest/)
  const rebuilt = await served('--cache-dir', cache, '--cache-enforce-integrity=false')
  await serving(rebuilt)
  t.match(rebuilt.stderr(), /packages=2 .*from=files/)
  const unwritable = await ending(started('--cache-dir', join(catalog, 'a.json'), '--cache-only'))
  t.equal(unwritable.code, 3)
  t.match(unwritable.last, /cannot be written: .*user \d+ tries/)
})

t.test('metrics and health over HTTP on a port of their own', async (t) => {
  const { served, catalog } = await place(t, {})
  await writeFile(join(catalog, 'a.json'), catalogText('alpha', { versions: ['1.0.0', '1.1.0'] }))
  const run = await served('--metrics-address', '127.0.0.1:0')
  const port = /over HTTP port=(\d+)/.exec(run.stderr())?.[1]
  const get = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`)
    return { status: answer.status, text: await answer.text() }
  }
  t.match(await get('/livez'), { status: 200, text: 'ok' })
  await serving(run)
  t.match(await get('/readyz?verbose'), { status: 200, text: /\[\+\]catalog-loaded ok/ })
  t.match(await get('/other'), { status: 404 })
  const registry = rawRegistry(run.address)
  t.teardown(() => registry.close())
  await registry.list('ListBundles')
  await t.rejects(registry.ask('GetPackage', { name: 'none' }))
  const { text } = await get('/metrics')
  for (const line of [
    'operator_registry_packages 1',
    'operator_registry_channels 1',
    'operator_registry_bundles 2',
    'operator_registry_calls_total{method="ListBundles",code="OK"} 1',
    'operator_registry_calls_total{method="GetPackage",code="UNKNOWN"} 1',
    'operator_registry_loads_total{outcome="served",from="files"} 1',
    'operator_registry_call_duration_seconds_count{method="ListBundles"} 1',
  ]) {
    t.ok(text.split('\n').includes(line), line)
  }
  t.match(text, /^process_resident_memory_bytes \d+$/m)
  t.match(text, /^operator_registry_load_duration_seconds \d+\.\d+$/m)
})

t.test('a catalog of the old kind: refused, with the way out', async (t) => {
  const { started, ending } = await place(t, { 'index.db': 'SQLite format 3\0…' })
  const { code, last } = await ending(started())
  t.equal(code, 1)
  t.match(last, /index\.db is an SQLite database: .*turn it into files with "opm migrate IMAGE DIR" and serve DIR$/)
})

t.test('nowhere to write at all: served from memory, and said so (R102)', async (t) => {
  const { catalog, folder } = await place(t, { 'a.json': catalogText('alpha') })
  const run = runProgram(
    MAIN,
    ['serve', catalog, '-p', '0', '--bind-address=127.0.0.1', '-t', join(folder, 'none', 'log')],
    {
      TMPDIR: join(folder, 'none'),
    },
  )
  t.teardown(() => run.child.kill('SIGKILL'))
  await serving(run)
  t.match(run.stderr(), /WARN .*the catalog is held in memory .*ENOENT/)
  run.child.kill('SIGINT')
  t.equal(await run.ended, 0)
})

t.test('SIGTERM while loading: code 143, and nothing is left behind', async (t) => {
  const { catalog, cache, served, ending } = await place(t, {})
  await writeFile(join(catalog, 'a.json'), catalogText('alpha', { padding: 10_000_000 }))
  const run = await served('--cache-dir', cache)
  t.match(await rawHealth(t, run.address), { status: 'NOT_SERVING' })
  run.child.kill('SIGTERM')
  const { code, last } = await ending(run)
  t.equal(code, 143)
  t.match(last, /stopped by a signal while loading \S+catalog/)
  t.same(await readdir(join(cache, 'olm-registry.v1')).catch(() => []), [])
})

t.test('out of memory: code 5, and no stack trace (R105)', async (t) => {
  const { catalog, folder } = await place(t, {})
  const names = Array.from({ length: 900_000 }, (_, place) => `"${place}":{}`)
  await writeFile(join(catalog, 'a.json'), `{"schema":"test.large",${names.join(',')}}`)
  const log = join(folder, 'termination-log')
  const run = runProgram(MAIN, ['serve', catalog, '-p', '0', '--bind-address=127.0.0.1', '-t', log], {
    NODE_OPTIONS: '--max-old-space-size=64',
  })
  t.teardown(() => run.child.kill('SIGKILL'))
  t.equal(await run.ended, 5)
  t.match(run.stderr().trimEnd().split('\n').at(-1), /out of memory while loading \(\d+ MB heap\)/)
  t.equal(run.stderr().trimEnd().split('\n').length, 2, run.stderr())
})

async function rawHealth(t: Test, address: string) {
  const registry = rawRegistry(address)
  t.teardown(() => registry.close())
  return await registry.ask('Check')
}
