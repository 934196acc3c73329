// Sound catalogs at random load without fault and keep the format's invariants; each mutation is told by its rule and name.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { compareVersions, readVersion } from '../../src/file-based-catalog/semantic-version.ts'
import { headsOf } from '../../src/file-based-catalog/upgrade-graph.ts'
import { blobsOf, MUTATIONS, soundCatalog } from '../fixtures/random-catalog.ts'
import { load, loadBlobs, writeFiles } from '../fixtures/small-catalog.ts'

t.test('sound catalogs', async (t) => {
  const folder = t.testdir()
  const property = fc.asyncProperty(soundCatalog, async (packages) => {
    const { index, faults, servingFaults, error } = await loadBlobs(folder, ...blobsOf(packages))
    assert.deepEqual([faults, servingFaults, error], [[], [], undefined])
    assert.deepEqual([...index.packages.keys()], packages.map(({ name }) => name).sort())
    for (const pkg of index.packages.values()) {
      assert.ok(pkg.channels.has(pkg.defaultChannel), 'the default channel exists')
      const versions = [...pkg.bundles.values()].map(({ version }) => version)
      assert.equal(new Set(versions).size, versions.length, 'no version twice')
      for (const channel of pkg.channels.values()) checkChannel(channel, pkg.bundles)
    }
  })

  function checkChannel(
    { head, entries }: NonNullable<ReturnType<typeof channelOf>>,
    bundles: ReadonlyMap<string, { readonly version: string }>,
  ): void {
    assert.deepEqual(headsOf(entries.values()), [head], 'one head')
    const skipped = new Set([...entries.values()].flatMap(({ skips }) => skips))
    const reached = new Set<string>()
    for (let at = entries.get(head); at !== undefined && !reached.has(at.name); at = entries.get(at.replaces))
      reached.add(at.name)
    for (const name of entries.keys())
      assert.ok(reached.has(name) || skipped.has(name), 'the chain reaches what is not skipped')
    const order = [...entries.keys()].map((name) => readVersion(bundles.get(name)?.version ?? ''))
    const sorted = order
      .map((read) => ('value' in read ? read.value : undefined))
      .filter((value) => value !== undefined)
    assert.equal(sorted.length, entries.size, 'each entry has a bundle with a version')
    assert.deepEqual(sorted.toSorted(compareVersions), sorted, 'entries were written in the order of versions')
  }
  await t.resolves(fc.assert(property, { numRuns: 30 }))
})

type Loaded = Awaited<ReturnType<typeof load>>
const channelOf = (loaded: Loaded) =>
  [...loaded.index.packages.values()].flatMap((pkg) => [...pkg.channels.values()])[0]

t.test('the order of blobs and their files makes no difference', async (t) => {
  const folder = t.testdir({ one: {}, many: {} })
  /** Files of the run before must not count. */
  const emptied = (): string => `${t.testdir({ one: {}, many: {} })}/many`
  const property = fc.asyncProperty(soundCatalog, fc.array(fc.nat(), { minLength: 1 }), async (packages, picks) => {
    const blobs = blobsOf(packages)
    const shuffled = blobs
      .map((blob, at) => ({ blob, pick: picks[at % picks.length] ?? 0 }))
      .sort((a, b) => a.pick - b.pick)
    const one = await loadBlobs(`${folder}/one`, ...blobs)
    const files = Object.fromEntries(
      shuffled.map(({ blob }, at) => [`${at % 5}/catalog-${at}.yaml`, JSON.stringify(blob)]),
    )
    const many = await load(await writeFiles(emptied(), files))
    assert.deepEqual(many.faults, [])
    assert.deepEqual(shapeOf(many), shapeOf(one))
  })
  await t.resolves(fc.assert(property, { numRuns: 20 }))
})

/** Without where the heavy texts lie. */
function shapeOf({ index }: Loaded): unknown {
  return [...index.packages.values()].map((pkg) => ({
    ...pkg,
    channels: [...pkg.channels.values()].map((channel) => ({ ...channel, entries: [...channel.entries] })),
    bundles: [...pkg.bundles.values()],
  }))
}

t.test('mutations', async (t) => {
  for (const { rule, apply } of MUTATIONS) {
    let broken = 0
    const folder = t.testdir()
    const property = fc.asyncProperty(soundCatalog, fc.nat(), async (packages, pick) => {
      const mutated = structuredClone(packages)
      const victim = mutated[pick % mutated.length]
      const named = victim === undefined ? undefined : apply(victim)
      if (victim === undefined || named === undefined) return
      broken++
      const { faults, error, index } = await loadBlobs(folder, ...blobsOf(mutated))
      assert.equal(typeof error, 'string', `${rule}: the reference program refuses it`)
      const wanted = Object.entries({ rule, ...named })
      const told = faults.find((fault) => wanted.every(([key, value]) => fault[key as 'rule'] === value))
      assert.partialDeepStrictEqual(told, { rule, package: victim.name, ...named }, `${rule} is told by name`)
      assert.ok(
        faults.every((fault) => fault.package === victim.name),
        `${rule}: no other package is blamed`,
      )
      assert.deepEqual(
        [...index.packages.keys()],
        mutated
          .map(({ name }) => name)
          .filter((name) => name !== victim.name)
          .sort(),
      )
    })
    await t.resolves(fc.assert(property, { numRuns: 10 }), rule)
    t.ok(broken > 0, `${rule}: broken at least once`)
  }
})
