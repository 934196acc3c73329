import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { loadCatalog } from '../../src/file-based-catalog/load-catalog.ts'
import { type FolderNews, type ServedCatalog, serveCatalogs } from '../../src/standalone/served-catalogs.ts'
import { eventually } from '../fixtures/eventually.ts'

const log = pino({ level: 'silent' })

/** A catalog of one package with one channel and one bundle. */
function catalog(name: string): string {
  return [
    { schema: 'olm.package', name, defaultChannel: 'stable' },
    { schema: 'olm.channel', package: name, name: 'stable', entries: [{ name: `${name}.v1.0.0` }] },
    {
      schema: 'olm.bundle',
      package: name,
      name: `${name}.v1.0.0`,
      image: `example.com/${name}:v1`,
      properties: [{ type: 'olm.package', value: { packageName: name, version: '1.0.0' } }],
    },
  ]
    .map((blob) => JSON.stringify(blob))
    .join('\n')
}

async function serve(t: Test, directory: string, follow: boolean) {
  const news: FolderNews[] = []
  let catalogs: readonly ServedCatalog[] = []
  const served = await serveCatalogs({
    directory,
    follow,
    load: loadCatalog,
    log,
    onNews: (item) => news.push(item),
    onChange: (list) => {
      catalogs = list
    },
  })
  t.teardown(() => served.close())
  await served.first
  return { news, names: () => catalogs.map(({ name }) => name), catalogs: () => catalogs }
}

t.test('each sub-folder one catalog; a broken one costs only itself', async (t) => {
  const directory = t.testdir({
    one: { 'a.json': catalog('a') },
    two: { deep: { 'b.json': catalog('b') }, 'c.json': catalog('c') },
    broken: { 'x.yaml': 'schema: olm.package\nname: x\n---\n: : :\n' },
    '.git': { config: 'x' },
    'README.md': 'not a folder',
  })
  const { news, names, catalogs } = await serve(t, directory, false)
  t.strictSame(names(), ['one', 'two'])
  t.not(catalogs()[0]?.address, catalogs()[1]?.address)
  t.match(catalogs()[0]?.address, /^127\.0\.0\.1:\d+$/)
  const counts = news.flatMap((item) => (item.kind === 'served' ? [`${item.name} ${item.packages}`] : []))
  t.strictSame(counts.sort(), ['one 1', 'two 2'])
  const leftOut = news.find((item) => item.kind === 'left out')
  t.match(leftOut, { name: 'broken', reasons: [/^x\.yaml:\d+/] })
})

t.test('followed: added, changed, broken, mended, removed', async (t) => {
  const directory = t.testdir({ one: { 'a.json': catalog('a') } })
  const { news, names, catalogs } = await serve(t, directory, true)
  const within = performance.now()
  await cp(join(directory, 'one'), join(directory, 'two'), { recursive: true })
  await eventually("list.includes('two')", () => names().includes('two'))
  t.ok(performance.now() - within < 2000, 'an added one within two seconds')

  const before = catalogs().find(({ name }) => name === 'two')
  await writeFile(join(directory, 'two/b.json'), catalog('b'))
  await eventually(
    'two?.edition !== before?.edition',
    () => catalogs().find(({ name }) => name === 'two')?.edition !== before?.edition,
  )
  t.match(news.at(-1), { kind: 'served', name: 'two', packages: 2 })
  t.equal(catalogs().find(({ name }) => name === 'two')?.address, before?.address, 'at its old address')

  await writeFile(join(directory, 'two/c.json'), '{"schema": ')
  await eventually("!list.includes('two')", () => !names().includes('two'))
  t.match(news.at(-1), { kind: 'left out', name: 'two', reasons: [/^c\.json:1/] })
  await rm(join(directory, 'two/c.json'))
  await eventually("list.includes('two')", () => names().includes('two'))

  await rm(join(directory, 'one'), { recursive: true })
  await eventually("!list.includes('one')", () => !names().includes('one'))
  await eventually('the news of it', () => news.some(({ kind, name }) => kind === 'removed' && name === 'one'))
  t.notOk(
    news.some(({ kind, name }) => kind === 'left out' && name === 'one'),
    'and no other',
  )

  await mkdir(join(directory, 'empty'))
  await eventually('seen', () => news.some(({ name }) => name === 'empty'))
  await writeFile(join(directory, 'empty/a.json'), catalog('a'))
  await eventually("item?.kind === 'served'", () => news.findLast(({ name }) => name === 'empty')?.kind === 'served')
})

t.test('a folder that is none', async (t) => {
  const directory = join(t.testdir({}), 'none')
  await t.rejects(serve(t, directory, true), {
    code: 'FILE_UNREADABLE',
    message: `${directory}: ENOENT: no such file or directory`,
  })
})
