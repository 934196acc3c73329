import {
  chmod,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { getuid, seteuid } from 'node:process'
import { type Logger, pino } from 'pino'
import t, { type Test } from 'tap'
import { createAnswers } from '../../src/operator-registry/answers.ts'
import { type CachePolicy, holdThroughCache } from '../../src/operator-registry/cache.ts'
import { digestFolder } from '../../src/operator-registry/folder-digest.ts'
import type { HeldCatalog, Holding } from '../../src/operator-registry/held-catalog.ts'
import { loadIntoFileHere } from '../../src/operator-registry/load-into-file.ts'
import { type CountingLoader, indexOf, loaderOf } from '../fixtures/catalog-index.ts'

const signal = new AbortController().signal

/** A catalog folder, a cache folder, and a way to hold the one through the other. */
async function place(t: Test) {
  const folder = t.testdir({ catalog: { 'a.yaml': 'a', sub: { 'b.json': '{}' } }, cache: {} })
  const catalog = join(folder, 'catalog')
  const cache = join(folder, 'cache')
  const lines: Record<string, unknown>[] = []
  const log = pino({ base: null, timestamp: false }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const loader = loaderOf(() => indexOf('alpha', 'beta'))
  const hold = async (policy: Partial<CachePolicy> = {}): Promise<HeldCatalog> => {
    const whole: CachePolicy = { directory: cache, integrity: 'off', mustWrite: false, ...policy }
    const held = await holdThroughCache(catalog, whole, holdingOf(loader, log))
    t.teardown(() => held.close())
    return held
  }
  const files = async (): Promise<string[]> => (await readdir(join(cache, 'olm-registry.v1'))).sort()
  const file = async (): Promise<string> => join(cache, 'olm-registry.v1', (await files())[0] ?? '')
  return { catalog, cache, folder, lines, loader, hold, files, file }
}

function holdingOf({ load }: CountingLoader, log: Logger): Holding {
  return { load, intoFile: loadIntoFileHere(load), temporaryFolder: undefined, log, signal, now: Date.now }
}

async function answersOf(held: HeldCatalog): Promise<unknown> {
  const answers = await createAnswers(held.index, async () => undefined)
  const bundles: unknown[] = []
  for await (const bundle of answers.listBundles()) bundles.push(bundle)
  const blobs: unknown[] = []
  for await (const blob of answers.listCustomSchemas({ schema: 'test.schema', packageName: 'alpha' })) blobs.push(blob)
  return {
    bundles,
    blobs,
    package: answers.getPackage({ name: 'alpha' }),
    head: await answers.getBundleForChannel({ pkgName: 'alpha', channelName: 'beta' }),
    providers: answers.getChannelEntriesThatProvide({
      group: 'test.example',
      version: 'v1',
      kind: 'Thing',
      plural: '',
    }),
  }
}

t.test('a cold start fills the cache, a warm one loads nothing and answers the same (R095)', async (t) => {
  const { hold, loader, files, file } = await place(t)
  const cold = await hold()
  t.equal(cold.from, 'files')
  t.equal((await files()).length, 1)
  t.equal((await stat(await file())).mode & 0o777, 0o660, 'the group may all that the owner may')
  const warm = await hold({ integrity: 'explicit' })
  t.equal(warm.from, 'cache')
  t.equal(loader.loads, 1)
  t.match(warm, { files: 1, bytes: 100, faults: [] })
  const fresh = { ...cold, index: indexOf('alpha', 'beta') }
  t.same(await answersOf(warm), await answersOf(fresh))
  t.same(await answersOf(cold), await answersOf(fresh), 'what was just written is read from the file too')
})

t.test('a change of any byte, name or link of the folder is another catalog', async (t) => {
  const { catalog, hold, loader, files } = await place(t)
  await hold()
  const changes: (() => Promise<unknown>)[] = [
    () => writeFile(join(catalog, 'a.yaml'), 'b'),
    () => rename(join(catalog, 'a.yaml'), join(catalog, 'c.yaml')),
    () => mkdir(join(catalog, 'more')).then(() => writeFile(join(catalog, 'more', 'x'), '')),
    () => rm(join(catalog, 'sub'), { recursive: true }),
    // A folder of a volume as the kubelet lays it: the link stays the same, what it leads to does not.
    () =>
      mkdir(join(catalog, '..1', 'sub'), { recursive: true })
        .then(() => writeFile(join(catalog, '..1', 'sub', 'x'), 'old'))
        .then(() => symlink('..1', join(catalog, '..data')))
        .then(() => symlink('..data/sub', join(catalog, 'sub'))),
    () => writeFile(join(catalog, '..1', 'sub', 'x'), 'new'),
  ]
  for (const change of changes) {
    await change()
    t.equal((await hold()).from, 'files')
    t.equal((await files()).length, 1, 'the file of the catalog before is gone')
    t.equal((await hold()).from, 'cache')
  }
  t.equal(loader.loads, 1 + changes.length)
  await writeFile(join(catalog, '..other'), 'of kubelet')
  t.equal((await hold()).from, 'cache')
})

t.test('a cache of another catalog: refused with both digests and the path, or rebuilt (R098)', async (t) => {
  const { catalog, cache, hold, files, lines } = await place(t)
  await hold()
  const [before = ''] = await files()
  await writeFile(join(catalog, 'a.yaml'), 'changed')
  for (const integrity of ['explicit', 'implied'] as const) {
    const refused = hold({ integrity })
    await t.rejects(refused, { code: 'CACHE_INTEGRITY' })
    const { message } = await refused.catch((thrown) => thrown)
    t.match(message, before.replace('.catalog', ''))
    t.match(message, cache)
    t.match(message, /computed digest of \S+ is [0-9a-f]{64}/)
  }
  t.same(await files(), [before], 'a refused cache is left alone')
  lines.length = 0
  t.equal((await hold()).from, 'files')
  t.match(lines, [{ msg: /no cache of this catalog/, existing: before.replace('.catalog', ''), cache }])
})

t.test('damaged in any way: never served, refused or rebuilt', async (t) => {
  const { catalog, hold, file, loader, folder } = await place(t)
  await hold()
  const good = join(folder, 'good')
  const path = await file()
  await cp(path, good)
  const bytes = await readFile(good)
  const spoilt: Record<string, (file: string) => Promise<unknown>> = {
    'cut to nothing': (file) => truncate(file, 0),
    'cut in the magic': (file) => truncate(file, 10),
    'cut to the magic and no more than a trailer': (file) => truncate(file, 23 + 72),
    'cut by a byte': (file) => truncate(file, bytes.length - 1),
    'cut in the middle': (file) => truncate(file, Math.floor(bytes.length / 2)),
    'of an older version': (file) =>
      writeFile(file, Buffer.concat([Buffer.from('olm-registry-catalog-0\n'), bytes.subarray(23)])),
    'a bit of a text': (file) => writeFile(file, flipped(bytes, 40)),
    'a bit of the index': (file) => writeFile(file, flipped(bytes, bytes.length - 200)),
    'a bit of the trailer': (file) => writeFile(file, flipped(bytes, bytes.length - 1)),
    'of another catalog under this name': async (file) => {
      const away = join(folder, 'away')
      await rm(away, { recursive: true, force: true })
      await mkdir(away)
      await writeFile(join(away, 'x'), 'x')
      const log = pino({ level: 'silent' })
      const loader = loaderOf(() => indexOf('alien'))
      const policy: CachePolicy = { directory: join(folder, 'other'), integrity: 'off', mustWrite: false }
      const held = await holdThroughCache(away, policy, holdingOf(loader, log))
      await held.close()
      const [name = ''] = await readdir(join(folder, 'other', 'olm-registry.v1'))
      await cp(join(folder, 'other', 'olm-registry.v1', name), file)
    },
  }
  for (const [what, spoil] of Object.entries(spoilt)) {
    await cp(good, path)
    await spoil(path)
    await t.rejects(hold({ integrity: 'explicit' }), { code: 'CACHE_UNUSABLE', message: path }, what)
    const implied = hold({ integrity: 'implied' })
    await t.rejects(implied, { code: 'CACHE_UNUSABLE' }, what)
    // Only a whole file's digest is one: the end of a file that was cut short is any bytes.
    const { message } = await implied.catch((thrown) => thrown)
    t.equal(/was made of/.test(message), what.startsWith('of another catalog'), `${what}: ${message}`)
    const before = loader.loads
    const held = await hold()
    t.equal(held.from, 'files', what)
    t.equal(loader.loads, before + 1, what)
    t.same([...held.index.packages.keys()], ['alpha', 'beta'], what)
    t.equal((await hold()).from, 'cache', `${what}: rebuilt`)
  }
  t.ok(await stat(catalog))
})

t.test('the cache of the reference registry counts as none, unless integrity is asked for (R096)', async (t) => {
  const { cache, hold, lines } = await place(t)
  await mkdir(join(cache, 'pogreb.v1', 'db'), { recursive: true })
  await writeFile(join(cache, 'pogreb.v1', 'digest'), '1234')
  await t.rejects(hold({ integrity: 'explicit' }), { code: 'CACHE_INTEGRITY', message: /pogreb\.v1/ })
  lines.length = 0
  t.equal((await hold({ integrity: 'implied' })).from, 'files')
  t.match(lines, [{ level: 40, existing: /pogreb\.v1/ }], 'one warning')
  t.equal((await hold({ integrity: 'implied' })).from, 'cache')
  t.equal((await readFile(join(cache, 'pogreb.v1', 'digest'))).toString(), '1234')
})

t.test('no cache at all: refused only where integrity was asked for by name', async (t) => {
  const { hold, cache } = await place(t)
  await t.rejects(hold({ integrity: 'explicit' }), { code: 'CACHE_INTEGRITY', message: /reports digest as none/ })
  await rm(cache, { recursive: true })
  t.equal((await hold({ integrity: 'implied' })).from, 'files')
  t.equal((await hold({ integrity: 'implied' })).from, 'cache')
})

t.test('what a killed writer left behind is swept, what a living one writes is not', async (t) => {
  const { catalog, hold, file, files } = await place(t)
  await hold()
  const path = await file()
  await writeFile(`${path}.1.tmp`, 'half')
  await writeFile(`${path}.2.tmp`, 'half')
  t.equal((await hold()).from, 'cache', 'neither is in the way')
  await writeFile(join(catalog, 'a.yaml'), 'changed')
  const old = new Date(Date.now() - 3_600_000)
  await utimes(`${path}.1.tmp`, old, old)
  await hold()
  t.same((await files()).map((name) => name.replace(/^[0-9a-f]{64}/, '')).sort(), ['.catalog', '.catalog.2.tmp'])
})

t.test('a folder that changes while it is loaded is not cached under what it was before', async (t) => {
  const { catalog, cache, files } = await place(t)
  const loader = loaderOf(() => indexOf('alpha'))
  const holding = holdingOf(loader, pino({ level: 'silent' }))
  const intoFile: Holding['intoFile'] = async (...args) => {
    await writeFile(join(catalog, 'a.yaml'), 'changed')
    return await holding.intoFile(...args)
  }
  const policy: CachePolicy = { directory: cache, integrity: 'off', mustWrite: false }
  const held = await holdThroughCache(catalog, policy, { ...holding, intoFile })
  t.same([...held.index.packages.keys()], ['alpha'], 'it is served all the same')
  t.same(await files(), [])
  await held.close()
})

t.test('several programs may fill one cache at once', async (t) => {
  const { hold, files, loader } = await place(t)
  const all = await Promise.all(Array.from({ length: 5 }, () => hold()))
  t.equal(all.length, 5)
  t.ok(loader.loads >= 1)
  t.equal((await files()).length, 1)
  for (const held of all) t.same(await answersOf(held), await answersOf(all[0] ?? held))
  t.equal((await hold({ integrity: 'explicit' })).from, 'cache')
})

t.test('what loading tells as a fault is no failure before it; a name of odd bytes is a name', async (t) => {
  const { catalog, hold, files } = await place(t)
  await writeFile(Buffer.concat([Buffer.from(`${catalog}/a`), Buffer.from([0xff, 0x0a])]), '{}')
  await hold()
  t.equal((await hold()).from, 'cache')
  const [before] = await files()
  await symlink('nothing', join(catalog, 'dangling'))
  await symlink('loop', join(catalog, 'loop'))
  await writeFile(join(catalog, 'closed'), '')
  await chmod(join(catalog, 'closed'), 0)
  t.equal((await asNobody(() => digestFolder(catalog, signal))).length, 64)
  t.not(`${await digestFolder(catalog, signal)}.catalog`, before)
})

t.test('a catalog with faults is never cached', async (t) => {
  const { catalog, cache } = await place(t)
  const fault = {
    rule: 'syntax' as const,
    message: 'm',
    remedy: '',
    file: 'a.yaml',
    line: 1,
    column: 1,
    reference: 'x',
  }
  const loader = loaderOf(
    () => indexOf('alpha'),
    () => [{ ...fault, package: undefined, channel: undefined, bundle: undefined }],
  )
  const policy: CachePolicy = { directory: cache, integrity: 'off', mustWrite: true }
  const context = holdingOf(loader, pino({ level: 'silent' }))
  const held = await holdThroughCache(catalog, policy, context)
  t.equal(held.faults.length, 1)
  t.same(await readdir(join(cache, 'olm-registry.v1')), [])
  t.equal(((await answersOf(held)) as { bundles: unknown[] }).bundles.length, 4, 'what is sound of it is there')
  await held.close()
})

t.test('a cache folder that another user owns, as in a container with an arbitrary user number (R099)', async (t) => {
  const { cache, hold, lines } = await place(t)
  await chmod(cache, 0o550)
  const [held, refused] = await asNobody(async () => [
    await hold(),
    await hold({ mustWrite: true }).catch((thrown: unknown) => thrown),
  ])
  t.match(held, { from: 'files' })
  const reason = /user \d+ tries, \S+ is of user \d+ and group \d+ with mode 0550$/
  t.match(
    lines.filter(({ msg }) => /doing without/.test(String(msg))),
    [{ reason }],
  )
  t.match(refused, { code: 'CACHE_UNWRITABLE', message: cache })
  await chmod(cache, 0o770)
})

t.test('a cache path that is a file', async (t) => {
  const { hold, folder, lines } = await place(t)
  const directory = join(folder, 'catalog', 'a.yaml')
  await t.rejects(hold({ directory, integrity: 'implied' }), { code: 'CACHE_UNUSABLE', message: /ENOTDIR/ })
  t.equal((await hold({ directory })).from, 'files')
  t.match(lines.at(-1), { msg: /doing without/ })
  await t.rejects(hold({ directory, mustWrite: true }), {
    code: 'CACHE_UNWRITABLE',
    message: /user \d+ tries, .*a\.yaml/,
  })
})

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

/** Root may write anywhere: its rights are given up for as long as `run` takes. */
async function asNobody<T>(run: () => Promise<T>): Promise<T> {
  const root = getuid?.() === 0
  if (root) seteuid?.(65534)
  try {
    return await run()
  } finally {
    if (root) seteuid?.(0)
  }
}
