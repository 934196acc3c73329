import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { CatalogSet } from '../../src/catalog/catalog-sources.ts'
import { directorySources } from '../../src/catalog/directory-sources.ts'
import { eventually } from '../fixtures/eventually.ts'
import { keptLog } from '../fixtures/kept-log.ts'

/** The time within which a change takes effect. */
const BOUND = 2000

function text(name: string, address = '127.0.0.1:50051'): string {
  return `apiVersion: operators.coreos.com/v1alpha1
kind: CatalogSource
metadata: { name: ${name}, namespace: olm }
spec: { address: "${address}" }
`
}

async function watched(test: Test, files: Readonly<Record<string, string>>) {
  const directory = test.testdir(files)
  const logged = keptLog()
  const stop = new AbortController()
  test.teardown(() => stop.abort())
  let set: CatalogSet = new Map()
  await directorySources(directory, logged.log).start(stop.signal, (next) => {
    set = next
  })
  return {
    directory,
    logged,
    keys: () => [...set.keys()].sort(),
    address: (key: string) => set.get(key)?.source.address,
  }
}

t.test('files are read, others are not; a bad one costs no other', async (t) => {
  const { keys, logged } = await watched(t, {
    'a.yaml': text('a'),
    'b.YML': text('b'),
    'c.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [] }),
    'd.yaml': 'x: [',
    'notes.txt': 'x: [',
    '.hidden.yaml': text('hidden'),
  })
  t.strictSame(keys(), ['olm/a', 'olm/b'])
  t.match(logged.said('file with a fault, skipped'), [{ file: 'd.yaml', reason: /^line 1: not YAML: / }])
})

t.test('a file that is added, changed, renamed or removed takes effect within two seconds', async (t) => {
  const { directory, keys, address } = await watched(t, { 'a.yaml': text('a') })
  await writeFile(join(directory, 'b.yaml'), text('b'))
  await eventually('b is there', () => keys().includes('olm/b'), BOUND)
  await writeFile(join(directory, 'a.yaml'), text('a', '127.0.0.1:1'))
  await eventually('a is changed', () => address('olm/a') === '127.0.0.1:1', BOUND)
  await rename(join(directory, 'b.yaml'), join(directory, 'c.yaml'))
  await rm(join(directory, 'a.yaml'))
  await eventually('a is gone', () => keys().join() === 'olm/b', BOUND)
})

t.test('a file that breaks keeps what it held; mended, it is read', async (t) => {
  const { directory, keys, logged } = await watched(t, { 'a.yaml': text('a'), 'b.yaml': '{' })
  t.strictSame(keys(), ['olm/a'])
  await writeFile(join(directory, 'a.yaml'), `${text('a')}oops`)
  await eventually('it is said', () => logged.said('what it held before counts').length === 1, BOUND)
  t.strictSame(keys(), ['olm/a'])
  await writeFile(join(directory, 'b.yaml'), text('b'))
  await writeFile(join(directory, 'a.yaml'), text('z'))
  await eventually('both are mended', () => keys().join() === 'olm/b,olm/z', BOUND)
  t.equal(logged.said('file mended').length, 2)
})

t.test('of equal keys the first by file name wins, the other is reported once', async (t) => {
  const files = { 'b.yaml': text('same', '127.0.0.1:2'), 'a.yaml': text('same', '127.0.0.1:1') }
  const { directory, address, logged } = await watched(t, files)
  t.equal(address('olm/same'), '127.0.0.1:1')
  t.match(logged.said('named before: ignored'), [{ file: 'b.yaml', line: 1, catalog: 'olm/same', first: 'a.yaml' }])
  await rm(join(directory, 'a.yaml'))
  await eventually('the other takes its place', () => address('olm/same') === '127.0.0.1:2', BOUND)
  t.equal(logged.said('named before: ignored').length, 1)
})

t.test('links swapped as kubelet does it', async (t) => {
  const { directory, address } = await watched(t, {})
  for (const [version, port] of [
    ['v1', 1],
    ['v2', 2],
  ] as const) {
    await mkdir(join(directory, `..${version}`))
    await writeFile(join(directory, `..${version}`, 'a.yaml'), text('a', `127.0.0.1:${port}`))
  }
  await symlink('..v1', join(directory, '..data'))
  await symlink('..data/a.yaml', join(directory, 'a.yaml'))
  await eventually('the first', () => address('olm/a') === '127.0.0.1:1', BOUND)
  await symlink('..v2', join(directory, '..data_tmp'))
  await rename(join(directory, '..data_tmp'), join(directory, '..data'))
  await eventually('the second', () => address('olm/a') === '127.0.0.1:2', BOUND)
})

t.test('a directory that is not there is a failure with its name', async (t) => {
  const { log } = keptLog()
  const started = directorySources(join(t.testdir({}), 'none'), log).start(new AbortController().signal, () => {})
  await t.rejects(started, { code: 'FILE_UNREADABLE', message: /none: / })
})
