// What outlives a restart: kept whole or not at all, recalled for the same catalog alone, and never in the way of anything.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { decodeClusterServiceVersion } from '../../src/api/cluster-service-version.ts'
import { systemClock } from '../../src/catalog/clock.ts'
import { createKeptReadings, type KeptLimits } from '../../src/catalog/kept-readings.ts'
import { freezeSnapshot, type Snapshot, type SnapshotPackage } from '../../src/catalog/snapshot.ts'
import { eventually } from '../fixtures/eventually.ts'
import { keptLog } from '../fixtures/kept-log.ts'
import { catalogSource, readCatalogs } from '../fixtures/read-catalogs.ts'
import { manyPackages } from '../fixtures/scripted-content.ts'
import { scriptedRegistry } from '../fixtures/scripted-registry.ts'
import { servedSnapshot } from '../fixtures/served-snapshot.ts'

const ODD = fileURLToPath(new URL('../../../shared/catalogs/odd-shared', import.meta.url))
const SOURCE = catalogSource('a', 'a.olm:50051', { uid: 'u-1' })
const READ_AT = Date.UTC(2026, 0, 1)
const IGNORED = 'what was kept of this catalog is ignored'
const CANNOT = 'the reading cannot be kept'

function onePackage(name: string, filler = ''): SnapshotPackage {
  const found = decodeClusterServiceVersion(
    JSON.stringify({
      metadata: { name: `${name}.v1`, labels: { __proto__x: '1' }, annotations: { filler, ['__proto__']: 'own' } },
      spec: {
        icon: [{ base64data: 'aGk=', mediatype: 'image/png' }],
        provider: { name: 'P', url: '' },
        links: [{ url: 'https://example.com' }],
        maintainers: [{ name: 'M', email: 'm@example.com' }],
        installModes: [{ type: 'AllNamespaces', supported: true }],
        customresourcedefinitions: { owned: [{ name: 'a.b', version: 'v1', kind: 'A', displayName: 'An "A"\n' }] },
        apiservicedefinitions: { required: [{ name: 'b', group: 'g', version: 'v1', kind: 'B' }] },
        nativeAPIs: [{ group: 'g', version: 'v', kind: 'k' }],
        relatedImages: [{ image: 'x' }],
      },
    }),
  )
  if ('reason' in found) throw new Error(found.reason)
  const entry = {
    name: `${name}.v1`,
    version: '1.0.0',
    deprecation: 'old',
    replaces: '',
    skips: ['s'],
    skipRange: '<1',
  }
  const channel = { deprecation: undefined, head: found.csv, entries: [entry] }
  return {
    name,
    deprecation: 'all of it',
    defaultChannel: 'stable',
    channels: [
      { ...channel, name: 'alpha' },
      { ...channel, name: 'stable' },
    ],
  }
}

function snapshotOf(...packages: readonly SnapshotPackage[]): Snapshot {
  const digested = packages.map((each) => ({ digest: JSON.stringify(each), package: each }))
  const leftOut = [{ package: 'z', channel: undefined, reason: 'r' }]
  return freezeSnapshot({ packages: digested, leftOut, readAt: READ_AT, bytes: 7 })
}

function opened(folder: string, limits: Partial<KeptLimits> = {}) {
  const logged = keptLog()
  return { ...createKeptReadings({ folder, clock: systemClock(), log: logged.log, limits }), logged }
}

async function keptIn(folder: string, snapshot = snapshotOf(onePackage('p'), onePackage('q')), source = SOURCE) {
  const kept = opened(folder)
  kept.keep(source, snapshot)
  await kept.close()
  return snapshot
}

function files(folder: string): readonly string[] {
  return readdirSync(folder).sort()
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

t.test('what was kept comes back, to the last member', async (t) => {
  const folder = join(t.testdir(), 'made')
  const snapshot = await keptIn(folder)
  const { recall, logged, close } = opened(folder)
  const found = await recall(SOURCE)
  t.same(plain(found?.packages), plain(snapshot.packages))
  t.same(found?.leftOut, snapshot.leftOut)
  t.match(found, { readAt: READ_AT, bytes: 7 })
  t.not(found?.hash, snapshot.hash, 'the first reading counts as news')
  const [alpha, stable] = found?.packages[0]?.channels ?? []
  t.equal(alpha?.head, stable?.head, 'channels share their head')
  t.equal(Object.getPrototypeOf(alpha?.head.annotations), null)
  t.same(logged.lines, [])
  await close()
})

t.test('real catalogs come back as they were', { skip: !existsSync(ODD) && 'skipped: no ../shared' }, async (t) => {
  const { snapshot } = await servedSnapshot(ODD)
  const folder = t.testdir()
  await keptIn(folder, snapshot)
  const kept = opened(folder)
  const found = await kept.recall(SOURCE)
  t.ok(snapshot.packages.length > 40)
  t.same(plain(found?.packages), plain(snapshot.packages))
  await kept.close()
})

t.test('only for the same namespace, name, uid and address', async (t) => {
  const folder = t.testdir()
  await keptIn(folder)
  const others = [
    [catalogSource('a', 'a.olm:50051', { uid: 'u-2' }), 'kept of another object of this name'],
    [catalogSource('a', 'a.olm:50051'), 'kept of another object of this name'],
    [catalogSource('a', 'b.olm:50051', { uid: 'u-1' }), 'kept of another address, a.olm:50051'],
  ] as const
  for (const [source, reason] of others) {
    const { recall, logged } = opened(folder)
    t.equal(await recall(source), undefined)
    t.match(logged.said(IGNORED), [{ reason }])
    t.equal(logged.lines.length, 1, 'one line')
  }
  const { recall, logged } = opened(folder)
  t.equal(await recall(catalogSource('b', 'a.olm:50051', { uid: 'u-1' })), undefined)
  t.equal(await recall(catalogSource('a', 'a.olm:50051', { uid: 'u-1', namespace: 'other' })), undefined)
  t.equal(await recall(catalogSource('a', undefined, { uid: 'u-1' })), undefined)
  t.same(logged.lines, [], 'nothing was kept of those')
  const swapped = files(folder).map((name) => name.replace(/^\w{32}/, '0'.repeat(32)))
  t.equal(swapped.length, 2)
})

t.test('a file of another catalog under this one’s name, and one of another format', async (t) => {
  const folder = t.testdir()
  await keptIn(folder)
  const header = join(folder, files(folder).find((name) => name.endsWith('.reading')) ?? '')
  const text = readFileSync(header, 'utf8')
  writeFileSync(header, text.replace('olm-kept-reading/1', 'olm-kept-reading/0'))
  const older = opened(folder)
  t.equal(await older.recall(SOURCE), undefined)
  t.match(older.logged.said(IGNORED), [{ reason: /its format is olm-kept-reading\/0/ }])
  writeFileSync(header, 'something else entirely')
  const foreign = opened(folder)
  t.equal(await foreign.recall(SOURCE), undefined)
  t.match(foreign.logged.said(IGNORED), [{ reason: 'damaged' }])
})

t.test('damage anywhere: ignored with one line, never half believed', async (t) => {
  const folder = t.testdir()
  const snapshot = await keptIn(folder)
  const whole = new Map(files(folder).map((name) => [name, readFileSync(join(folder, name))]))
  const damage = fc.record({
    name: fc.constantFrom(...whole.keys()),
    at: fc.double({ min: 0, max: 0.999999, noNaN: true }),
    how: fc.constantFrom('flip', 'cut', 'insert', 'gone'),
  })
  await fc.assert(
    fc.asyncProperty(damage, async ({ name, at, how }) => {
      for (const [file, bytes] of whole) writeFileSync(join(folder, file), bytes)
      const bytes = Buffer.from(whole.get(name) ?? '')
      const place = Math.floor(at * bytes.length)
      if (how === 'flip') bytes[place] = (bytes[place] ?? 0) ^ 1
      const changed =
        how === 'cut'
          ? bytes.subarray(0, place)
          : how === 'insert'
            ? Buffer.concat([bytes.subarray(0, place), Buffer.from('x'), bytes.subarray(place)])
            : bytes
      if (how === 'gone') writeFileSync(join(folder, name), '')
      else writeFileSync(join(folder, name), changed)
      const { recall, logged } = opened(folder)
      const found = await recall(SOURCE)
      const believed = found !== undefined
      // The line's end after the header is worth nothing.
      if (believed) t.same(plain(found.packages), plain(snapshot.packages))
      else if (logged.said(IGNORED).length !== 1) throw new Error(`${logged.lines.length} lines`)
    }),
    { numRuns: 150 },
  )
})

t.test('a digest that fits and a content that does not: nothing is believed unseen', async (t) => {
  const folder = t.testdir()
  const bad = { ...onePackage('p'), defaultChannel: 7 as unknown as string }
  await keptIn(folder, snapshotOf(bad))
  const first = opened(folder)
  t.equal(await first.recall(SOURCE), undefined)
  t.match(first.logged.said(IGNORED), [{ reason: /defaultChannel must be string/ }])
  await keptIn(folder, snapshotOf(onePackage('../p')))
  const second = opened(folder)
  t.equal(await second.recall(SOURCE), undefined)
  t.equal(second.logged.said(IGNORED).length, 1)
})

t.test('too large, or too much together: not kept, said once, and what was kept before stays', async (t) => {
  const folder = t.testdir()
  const large = onePackage('p', 'x'.repeat(5000))
  const one = opened(folder, { mostBytes: 4000 })
  one.keep(SOURCE, snapshotOf(large))
  await eventually('said', () => one.logged.said(CANNOT).length === 1)
  one.keep(SOURCE, snapshotOf(large))
  await one.close()
  t.match(one.logged.said(CANNOT), [{ reason: 'it has more than 4000 bytes' }])
  t.same(files(folder), [], 'nothing is left of the attempt')

  const both = opened(folder, { mostTotalBytes: 9000 })
  both.keep(SOURCE, snapshotOf(large))
  await eventually('kept', () => files(folder).some((name) => name.endsWith('.reading')))
  both.keep(catalogSource('b', 'b:1'), snapshotOf(large))
  await both.close()
  t.equal(both.logged.said(CANNOT).length, 1)
  t.ok(await opened(folder).recall(SOURCE))
})

t.test('a folder that cannot be used costs a line', async (t) => {
  const file = join(t.testdir({ file: 'x' }), 'file')
  const { recall, keep, forget, only, close, logged } = opened(file)
  t.equal(await recall(SOURCE), undefined)
  keep(SOURCE, snapshotOf(onePackage('p')))
  forget('olm/a')
  only([])
  await close()
  t.match(logged.lines, [{ reason: /not a directory|already exists/ }])
  t.equal(logged.lines.length, 1)
})

t.test('what is left over goes; what is not ours stays', async (t) => {
  const folder = t.testdir()
  await keptIn(folder)
  await keptIn(folder, snapshotOf(onePackage('p')), catalogSource('b', 'b:1', { uid: 'u-b' }))
  const [stem = ''] = (files(folder)[0] ?? '').split('.')
  writeFileSync(join(folder, `${stem}.tmp`), 'half')
  writeFileSync(join(folder, `${stem}.${'0'.repeat(64)}.packages`), 'orphan')
  writeFileSync(join(folder, 'precious.txt'), 'mine')
  mkdirSync(join(folder, 'lost+found'))
  const { only, close } = opened(folder)
  only(['olm/a', 'olm/b'])
  await close()
  t.equal(files(folder).length, 6, files(folder).join())
  const later = opened(folder)
  later.only(['olm/a'])
  await later.close()
  t.equal(files(folder).length, 4, files(folder).join())
  t.ok(await opened(folder).recall(SOURCE))
  const last = opened(folder)
  last.forget('olm/a')
  await last.close()
  t.same(files(folder), ['lost+found', 'precious.txt'])
})

t.test('one content after another: one file of packages', async (t) => {
  const folder = t.testdir()
  const kept = opened(folder)
  for (let index = 0; index < 20; index++) {
    kept.keep(SOURCE, { ...snapshotOf(onePackage(`p${index}`)), readAt: READ_AT + index })
    if (index % 5 === 0) await eventually('written', () => existsSync(folder) && files(folder).length >= 2)
  }
  await kept.close()
  t.equal(files(folder).length, 2)
  const found = await opened(folder).recall(SOURCE)
  t.match(found, { readAt: READ_AT + 19, packages: [{ name: 'p19' }] })
})

async function livesIn(t: Test, folder: string, address: string, uid = 'u-1') {
  const logged = keptLog()
  const kept = createKeptReadings({ folder, clock: systemClock(), log: logged.log })
  const recalled: Snapshot[] = []
  const source = catalogSource('a', address, { uid })
  const limits = { callDeadlineMs: 2000, listDeadlineMs: 2000 }
  const life = await readCatalogs(t, [source], {
    kept,
    limits,
    interval: 200,
    events: { recalled: (_key, snapshot) => void recalled.push(snapshot) },
  })
  return { ...life, recalled, close: () => life.catalogs.close().then(kept.close) }
}

t.test('a restart without a registry, then with another content, then without the catalog', async (t) => {
  const folder = t.testdir()
  const registry = await scriptedRegistry({ packages: manyPackages(5) })
  t.teardown(() => registry.close())
  const first = await livesIn(t, folder, registry.address)
  await eventually('read', () => first.listed('olm/a')?.length === 5)
  await first.close()
  await registry.close()

  const second = await livesIn(t, folder, registry.address)
  await eventually('recalled', () => second.recalled.length === 1)
  t.equal(second.listed('olm/a')?.length, 5)
  await eventually('tried', () => second.catalogs.state('olm/a')?.failure)
  t.equal(second.listed('olm/a')?.length, 5, 'it stands after failures too')
  const again = await scriptedRegistry({ packages: manyPackages(3), port: registry.port })
  t.teardown(() => again.close())
  await eventually('read again', () => second.listed('olm/a')?.length === 3, 30_000)
  t.match(second.logged.said('packages are gone'), [{ gone: 2 }])
  second.sources.set([])
  await eventually('forgotten', () => files(folder).length === 0)
  await second.close()
})

t.test('another object under the name: nothing of the old one is shown', async (t) => {
  const folder = t.testdir()
  const registry = await scriptedRegistry({ packages: manyPackages(5) })
  t.teardown(() => registry.close())
  const first = await livesIn(t, folder, registry.address)
  await eventually('read', () => first.listed('olm/a')?.length === 5)
  await first.close()
  await registry.close()
  const second = await livesIn(t, folder, registry.address, 'u-2')
  await eventually('tried', () => second.catalogs.state('olm/a')?.failure)
  t.equal(second.listed('olm/a'), undefined)
  t.same(second.recalled, [])
  await second.close()
})
