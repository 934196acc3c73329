import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { contentStore, createContentWriter, unpack } from '../../src/file-based-catalog/content-store.ts'
import type { IndexedBundle, IndexedPackage, PackageIndex } from '../../src/file-based-catalog/package-index.ts'
import { openCatalogFile, writeCatalogFile } from '../../src/operator-registry/catalog-file.ts'
import { indexOf } from '../fixtures/catalog-index.ts'

const signal = new AbortController().signal
const DIGEST = 'ab'.repeat(32)
const facts = { digest: DIGEST, files: 3, bytes: 4 }

/** Plain objects, as reading makes them. */
const record = <Model>(model: { readonly [Key in keyof Model]: fc.Arbitrary<Model[Key]> }) =>
  fc.record(model, { noNullPrototype: true })
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '__proto__', 'a\nb', '\u2028', '\0'),
)
const heavy = fc.option(fc.oneof(text, fc.string({ minLength: 1000, maxLength: 5000 })), { nil: undefined })
const typed = record({ type: text, value: text })
const api = record({ group: text, version: text, kind: text })
const bundle = record({
  name: text,
  version: text,
  release: text,
  image: text,
  properties: fc.array(typed, { maxLength: 3 }),
  providedApis: fc.array(api, { maxLength: 2 }),
  requiredApis: fc.array(api, { maxLength: 2 }),
  dependencies: fc.array(typed, { maxLength: 2 }),
  deprecation: fc.option(text, { nil: undefined }),
  heavy,
})
const entry = record({ name: text, replaces: text, skips: fc.array(text, { maxLength: 3 }), skipRange: text })
const channel = record({
  name: text,
  head: text,
  deprecation: fc.option(text, { nil: undefined }),
  entries: fc.array(entry, { maxLength: 3 }),
})
const pkg = record({
  name: text,
  description: text,
  defaultChannel: text,
  deprecation: fc.option(text, { nil: undefined }),
  icon: heavy,
  channels: fc.array(channel, { maxLength: 3 }),
  bundles: fc.array(bundle, { maxLength: 3 }),
})
const catalog = record({
  packages: fc.array(pkg, { maxLength: 4 }),
  blobs: fc.array(record({ schema: text, package: text, name: text, heavy: text }), { maxLength: 3 }),
})

t.test('whatever a catalog holds comes back from its file', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'olm-test-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const path = join(folder, 'catalog')
  await fc.assert(
    fc.asyncProperty(catalog, async (drawn) => {
      const index = indexFrom(drawn)
      await rm(path, { force: true })
      await writeCatalogFile(path, index, facts)
      const opened = await openCatalogFile(path, DIGEST, signal)
      try {
        t.same(opened.facts, facts)
        t.strictSame(await plain(opened.index), await plain(index))
      } finally {
        await opened.close()
      }
    }),
    { numRuns: 60 },
  )
  t.same(await readdir(folder), ['catalog'], 'nothing else is left')
})

t.test('cut anywhere, or with any byte changed, it is refused', async (t) => {
  const path = join(t.testdir({}), 'catalog')
  await writeCatalogFile(path, indexOf('alpha'), facts)
  const whole = await readFile(path)
  const refused = async (what: string): Promise<void> => {
    const opened = await openCatalogFile(path, DIGEST, signal).catch((thrown: unknown) => thrown)
    if (!(opened instanceof Error && 'code' in opened && opened.code === 'CACHE_UNUSABLE')) t.fail(what)
  }
  for (let length = 0; length < whole.length; length += 13) {
    await writeFile(path, whole)
    await truncate(path, length)
    await refused(`cut to ${length} bytes`)
  }
  for (let place = 0; place < whole.length; place += 7) {
    const spoilt = Buffer.from(whole)
    spoilt[place] = (spoilt[place] ?? 0) ^ 0x20
    await writeFile(path, spoilt)
    await refused(`byte ${place} changed`)
  }
  await writeFile(path, Buffer.concat([whole, Buffer.from([0])]))
  await refused('a byte more')
  await writeFile(path, whole)
  await t.rejects(openCatalogFile(path, '00'.repeat(32), signal), { code: 'CACHE_UNUSABLE', message: /digest abab/ })
  await (await openCatalogFile(path, DIGEST, signal)).close()
  t.pass(`${whole.length} bytes`)
})

type Drawn = typeof catalog extends fc.Arbitrary<infer Value> ? Value : never

function indexFrom(drawn: Drawn): PackageIndex {
  const writer = createContentWriter()
  const range = (content: string | undefined) => (content === undefined ? undefined : writer.add(content))
  const byName = <Value extends { readonly name: string }>(values: readonly Value[]): Map<string, Value> =>
    new Map(values.map((value) => [value.name, value]))
  const packages = drawn.packages.map(({ icon, channels, bundles, ...rest }): IndexedPackage => {
    const indexed = bundles.map(
      ({ heavy: content, ...facts }): IndexedBundle => ({ ...facts, content: range(content) }),
    )
    const withEntries = channels.map(({ entries, ...facts }) => ({ ...facts, entries: byName(entries) }))
    return { ...rest, icon: range(icon), channels: byName(withEntries), bundles: byName(indexed) }
  })
  const customBlobs = drawn.blobs.map(({ heavy: content, ...facts }) => ({ ...facts, blob: writer.add(content) }))
  return { packages: byName(packages), customBlobs, contents: contentStore(writer.finish()) }
}

/** With the texts in place of the ranges, which are not the same in a file as in memory. */
async function plain({ packages, customBlobs, contents }: PackageIndex): Promise<unknown> {
  const read = async (range: IndexedBundle['content']) =>
    range === undefined ? undefined : unpack(await contents.read(range)).toString()
  const shown: unknown[] = []
  for (const one of packages.values()) {
    const bundles: unknown[] = []
    for (const each of one.bundles.values()) bundles.push({ ...each, content: await read(each.content) })
    const channels = [...one.channels.values()].map((each) => ({ ...each, entries: [...each.entries.values()] }))
    shown.push({ ...one, icon: await read(one.icon), channels, bundles })
  }
  for (const blob of customBlobs) shown.push({ ...blob, blob: await read(blob.blob) })
  return shown
}
