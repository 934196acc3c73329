import t from 'tap'
import type { CatalogSource } from '../../src/api/catalog-source.ts'
import { freezeSnapshot, type Snapshot } from '../../src/catalog/snapshot.ts'
import type { CatalogFacts } from '../../src/package-server/catalog-facts.ts'
import { createOfferedCatalogs } from '../../src/package-server/offered-catalogs.ts'
import type { OfferedManifest } from '../../src/package-server/package-manifest-resource.ts'

const SOURCE: CatalogSource = {
  namespace: 'olm',
  name: 'a',
  uid: undefined,
  creationTimestamp: undefined,
  labels: {},
  displayName: 'A',
  publisher: '',
  priority: 0,
  address: 'a:1',
}

function snapshot(readAt: number, ...digests: readonly string[]): Snapshot {
  const packages = digests.map((digest) => ({
    digest,
    package: { name: digest, deprecation: undefined, defaultChannel: '', channels: [] },
  }))
  return freezeSnapshot({ packages, leftOut: [{ package: 'x', channel: undefined, reason: 'why' }], readAt, bytes: 1 })
}

function setUp() {
  const clock = { time: 1000, now: () => clock.time }
  const replaced: string[] = []
  const listed: string[] = []
  const statuses = new Map<string, CatalogFacts>()
  /** Held back until released: manifests take their time. */
  let gate: Promise<void> | undefined
  let turn = 0
  const catalogs = createOfferedCatalogs({
    manifests: {
      async replace(source: CatalogSource, manifests: Iterable<OfferedManifest>) {
        const mine = ++turn
        for (const { manifest } of manifests) replaced.push(manifest.metadata.name)
        replaced.push(source.displayName)
        await gate
        return mine === turn
      },
      remove: (key: string) => void replaced.push(`-${key}`),
    },
    statuses: {
      set: (facts: CatalogFacts) => void statuses.set(facts.source.name, facts),
      remove: (key: string) => void statuses.delete(key.split('/')[1] ?? ''),
    },
    globalNamespace: 'olm',
    clock,
    news: { listed: (source, reading) => void listed.push(`${source.name}@${reading.readAt}`) },
  })
  return { clock, catalogs, replaced, listed, statuses, hold: (until: Promise<void> | undefined) => (gate = until) }
}

t.test('a reading is shown once; the same content again only moves its time', async (t) => {
  const { catalogs, replaced, listed, statuses } = setUp()
  await catalogs.setSnapshot('olm/a', snapshot(1, 'p'))
  t.strictSame(listed, [], 'of a catalog that nobody has told of')
  await catalogs.setSource(SOURCE)
  t.match(statuses.get('a'), { connection: { state: 'IDLE' }, reading: undefined, failure: undefined })
  await catalogs.setSnapshot('olm/a', snapshot(2, 'p'))
  await catalogs.setSnapshot('olm/a', snapshot(3, 'p'))
  t.strictSame(replaced, ['A'])
  t.strictSame(listed, ['a@2', 'a@3'])
  t.match(statuses.get('a'), { reading: { readAt: 3, packages: 0, leftOut: [{ package: 'x' }] } })
  await catalogs.setSnapshot('olm/a', snapshot(4, 'p', 'q'))
  t.strictSame(replaced, ['A', 'A'])
})

t.test('a failure changes what is said, and a reading takes it back', async (t) => {
  const { catalogs, clock, statuses, replaced } = setUp()
  await catalogs.setSource(SOURCE)
  await catalogs.setSnapshot('olm/a', snapshot(1, 'p'))
  catalogs.setFailure('olm/a', 'one')
  clock.time = 2000
  catalogs.setFailure('olm/a', 'two')
  t.match(statuses.get('a'), { reading: { readAt: 1 }, failure: { since: 1000, reason: 'two' } })
  t.strictSame(replaced, ['A'], 'the last good list stays')
  await catalogs.setSnapshot('olm/a', snapshot(2, 'p'))
  t.equal(statuses.get('a')?.failure, undefined)
})

t.test('names and labels change without a reading; an address changes nothing that is shown', async (t) => {
  const { catalogs, replaced, statuses } = setUp()
  await catalogs.setSource(SOURCE)
  await catalogs.setSnapshot('olm/a', snapshot(1, 'p'))
  await catalogs.setSource({ ...SOURCE, address: 'b:2' })
  t.strictSame(replaced, ['A'])
  await catalogs.setSource({ ...SOURCE, displayName: 'B' })
  t.strictSame(replaced, ['A', 'B'])
  await catalogs.setSource({ ...SOURCE, address: undefined })
  t.equal(statuses.get('a')?.connection.state, 'NO_ADDRESS')
  catalogs.removeSource('olm/a')
  t.strictSame(replaced.at(-1), '-olm/a')
  t.equal(statuses.size, 0)
})

t.test('a change of the source while a reading is being made: both count', async (t) => {
  const { catalogs, listed, statuses, hold } = setUp()
  await catalogs.setSource(SOURCE)
  let release = () => {}
  hold(
    new Promise((resolve) => {
      release = resolve
    }),
  )
  const reading = catalogs.setSnapshot('olm/a', snapshot(1, 'p'))
  const source = catalogs.setSource({ ...SOURCE, displayName: 'B' })
  release()
  await Promise.all([reading, source])
  t.strictSame(listed, ['a@1'], 'said once')
  t.match(statuses.get('a'), { source: { displayName: 'B' }, reading: { readAt: 1 } })
})

t.test('settled: everything that a namespace sees was tried once, or 30 seconds are over', async (t) => {
  const { catalogs, clock } = setUp()
  t.equal(catalogs.settled('olm'), false, 'nobody has told which catalogs there are')
  await catalogs.setSource(SOURCE)
  await catalogs.setSource({ ...SOURCE, namespace: 'team', name: 'b' })
  await catalogs.setSource({ ...SOURCE, namespace: 'olm', name: 'c', address: undefined })
  catalogs.sourcesSynced()
  t.equal(catalogs.settled('olm'), false)
  catalogs.setFailure('olm/a', 'gone')
  t.equal(catalogs.settled('olm'), true, 'nothing to dial is nothing to wait for')
  t.equal(catalogs.settled('other'), true)
  t.equal(catalogs.settled('team'), false)
  t.equal(catalogs.settled(), false)
  clock.time += 30_000
  t.equal(catalogs.settled('team'), true)
})
