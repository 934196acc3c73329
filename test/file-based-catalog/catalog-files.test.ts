// Which files of a folder are read: names, links, what is no file, what .indexignore names; bounded in time and memory.
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, open, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getuid, seteuid } from 'node:process'
import { pino } from 'pino'
import t from 'tap'
import {
  bundleBlob,
  channelBlob,
  jsonOf,
  load,
  packageBlob,
  packageProperty,
  writeFiles,
} from '../fixtures/small-catalog.ts'

const CATALOG = jsonOf(packageBlob(), channelBlob(), bundleBlob())

/** Root may read everything: it becomes another user meanwhile. */
async function asNobody<Result>(act: () => Promise<Result>): Promise<Result> {
  if (getuid?.() !== 0) return await act()
  seteuid?.(65_534)
  try {
    return await act()
  } finally {
    seteuid?.(0)
  }
}

t.test('an empty folder is a sound catalog', async (t) => {
  const { faults, index, error } = await load(t.testdir())
  t.strictSame([faults.length, index.packages.size, error], [0, 0, undefined])
})

t.test('a folder that is missing, is a file or cannot be read', async (t) => {
  const folder = t.testdir({ 'a.json': '', closed: {} })
  await t.rejects(load(join(folder, 'none')), { code: 'FILE_UNREADABLE', message: /none: no such file or directory$/ })
  await t.rejects(load(join(folder, 'a.json')), { code: 'FILE_UNREADABLE', message: /a\.json: is not a directory$/ })
  await chmod(join(folder, 'closed'), 0)
  const expected = { code: 'FILE_UNREADABLE', message: /permission denied/ }
  await asNobody(() => t.rejects(load(join(folder, 'closed')), expected))
})

t.test('every file counts, whatever its name, in sub-folders too', async (t) => {
  const folder = await writeFiles(t.testdir(), { 'deep/er/blobs': CATALOG, '.hidden': '{"schema":"a.b"}' })
  const { files, index, faults } = await load(folder)
  t.strictSame([files, index.packages.size, index.customBlobs.length, faults.length], [2, 1, 1, 0])
})

t.test('a README is a fault that says what to do', async (t) => {
  const folder = await writeFiles(t.testdir(), { 'catalog.json': CATALOG, 'README.md': '# Hello\n\nWords.\n' })
  const { faults } = await load(folder)
  t.match(faults, [{ rule: 'not-an-object', file: 'README.md', line: 3, remedy: /\.indexignore/ }])
})

t.test('a name with odd bytes', async (t) => {
  const folder = t.testdir()
  await writeFile(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x61, 0xff, 0xfe, 0x0a])]), CATALOG)
  const { files, index } = await load(folder)
  t.strictSame([files, index.packages.size], [1, 1])
})

t.test('a FIFO is refused at once', async (t) => {
  const folder = await writeFiles(t.testdir(), { 'catalog.json': CATALOG })
  execFileSync('mkfifo', [join(folder, 'pipe')])
  const { faults, index } = await load(folder)
  t.match(faults, [{ rule: 'file-type-refused', file: 'pipe', message: 'pipe: is neither a file nor a folder' }])
  t.equal(index.packages.size, 1)
})

t.test('an SQLite catalog is told how to go on', async (t) => {
  const database = Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(4096)])
  const folder = await writeFiles(t.testdir(), { 'catalog.json': CATALOG, 'index.db': database })
  const { faults, index } = await load(folder)
  t.match(faults, [{ rule: 'sqlite-catalog', file: 'index.db', line: 1, remedy: /opm migrate/ }])
  t.equal(index.packages.size, 1)
  await t.rejects(load(join(folder, 'index.db')), {
    code: 'FILE_UNREADABLE',
    message: /index\.db: is an SQLite catalog.*opm migrate/,
  })
})

t.test('what the format does not name is logged once (R113)', async (t) => {
  const lines: string[] = []
  const log = pino({ base: null }, { write: (line: string) => lines.push(line) })
  const property = { type: 'acme.colour', value: 'red' }
  const bundle = bundleBlob('1.0.0', { properties: [packageProperty(), property, property] })
  const blobs = [
    packageBlob(),
    channelBlob(),
    bundle,
    { schema: 'acme.thing', package: 'foo' },
    { schema: 'acme.thing' },
  ]
  const { index } = await load(await writeFiles(t.testdir(), { 'catalog.json': jsonOf(...blobs) }), { log })
  t.equal(index.customBlobs.length, 2)
  t.equal(lines.length, 1)
  t.match(JSON.parse(lines[0] ?? ''), { schemas: { 'acme.thing': 2 }, properties: { 'acme.colour': 2 } })
})

t.test('a file that cannot be read', async (t) => {
  const folder = await writeFiles(t.testdir(), { 'catalog.json': CATALOG, closed: '' })
  await chmod(join(folder, 'closed'), 0)
  const { faults } = await asNobody(() => load(folder))
  t.match(faults, [{ rule: 'file-unreadable', file: 'closed', reference: 'open closed: permission denied' }])
})

t.test('links', async (t) => {
  const folder = t.testdir({ outside: { 'secret.json': '{"schema":"a.b"}' }, catalog: { sub: {} }, fresh: {} })
  const catalog = join(folder, 'catalog')
  await writeFile(join(catalog, 'sub', 'catalog.json'), CATALOG)
  await symlink('../outside/secret.json', join(catalog, 'out'))
  await symlink('loop', join(catalog, 'loop'))
  await symlink('nothing', join(catalog, 'dangling'))
  await symlink('sub', join(catalog, 'folder'))
  await symlink('../..', join(catalog, 'sub', 'up'))
  await symlink('..', join(catalog, 'sub', 'top'))
  const { faults, index } = await load(catalog)
  t.strictSame(
    faults.map(({ file, message }) => [file, message]),
    [
      ['dangling', 'dangling: no such file or directory'],
      ['folder', 'folder: is a directory'],
      ['loop', 'loop: too many levels of symbolic links'],
      ['out', 'out: is a link to something outside of the folder'],
      ['sub/top', 'sub/top: is a directory'],
      ['sub/up', 'sub/up: is a link to something outside of the folder'],
    ],
  )
  t.strictSame([index.packages.size, index.customBlobs.length], [1, 0])

  await t.test('to a file of the folder', async (t) => {
    const fresh = join(folder, 'fresh')
    await writeFile(join(fresh, 'real'), CATALOG)
    await symlink('real', join(fresh, 'same'))
    await writeFile(join(fresh, '.indexignore'), 'real\n')
    t.equal((await load(fresh)).index.packages.size, 1)
  })

  await t.test('the folder itself may be one', async (t) => {
    await symlink('fresh', join(folder, 'link'))
    t.equal((await load(join(folder, 'link'))).index.packages.size, 1)
  })
})

t.test('a volume as the kubelet swaps it', async (t) => {
  const folder = t.testdir({ '..2026_01': { nested: {} }, '..2026_02': { 'catalog.json': CATALOG, nested: {} } })
  await writeFile(join(folder, '..2026_01', 'catalog.json'), '{"schema":"old"}')
  await writeFile(join(folder, '..2026_02', 'nested', 'more.json'), '{"schema":"new"}')
  await symlink('..2026_01', join(folder, '..data'))
  for (const name of ['catalog.json', 'nested']) await symlink(`..data/${name}`, join(folder, name))
  t.strictSame(
    (await load(folder)).index.customBlobs.map(({ schema }) => schema),
    ['old'],
  )
  await symlink('..2026_02', join(folder, '..data_tmp'))
  await rename(join(folder, '..data_tmp'), join(folder, '..data'))
  const { index, faults } = await load(folder)
  t.strictSame([index.customBlobs.map(({ schema }) => schema), index.packages.size, faults], [['new'], 1, []])
})

t.test('more files than allowed', async (t) => {
  const folder = await writeFiles(t.testdir(), { a: '', b: '', c: '' })
  await t.rejects(load(folder, { limits: { files: 2 } }), { code: 'FILE_UNREADABLE', message: /more than 2 files/ })
})

t.test('a document larger than allowed costs that file, not the memory', async (t) => {
  const folder = await writeFiles(t.testdir(), { 'catalog.json': CATALOG })
  await mkdir(join(folder, 'large'))
  // A file of 1 GiB that takes no room on the disk: one text without an end.
  const file = await open(join(folder, 'large', 'hole.json'), 'w')
  await file.write('{"schema":"')
  await file.truncate(1024 ** 3)
  await file.close()
  const before = process.memoryUsage.rss()
  const { faults, index } = await load(folder, { limits: { documentBytes: 4 * 1024 * 1024 } })
  t.match(faults, [{ rule: 'document-too-large', file: 'large/hole.json', line: 1 }])
  t.equal(index.packages.size, 1)
  t.ok(process.memoryUsage.rss() - before < 100e6, 'at most 100 MB more')
})

t.test('loading stops when told', async (t) => {
  const folder = await writeFiles(t.testdir(), { 'catalog.json': CATALOG })
  await t.rejects(load(folder, { signal: AbortSignal.abort() }), { name: 'AbortError' })
})
