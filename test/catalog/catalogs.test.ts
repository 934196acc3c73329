import t from 'tap'
import { eventually } from '../fixtures/eventually.ts'
import { catalogSource, readCatalogs } from '../fixtures/read-catalogs.ts'
import { manyPackages, onePackage } from '../fixtures/scripted-content.ts'
import type { ScriptedCall } from '../fixtures/scripted-registry.ts'
import { scriptedRegistry } from '../fixtures/scripted-registry.ts'
import { tcpProxy } from '../fixtures/tcp-proxy.ts'

// Most of the time passes in waiting: for one another is a waste.
t.jobs = 6

const DOWN = { messages: [], ending: { status: 14, details: 'down' } } as const

t.test('a catalog is read when it appears, and gone when its source is deleted', { buffered: true }, async (t) => {
  const registry = await scriptedRegistry({ packages: manyPackages(3) })
  t.teardown(() => registry.close())
  const { catalogs, sources, listed, happened } = await readCatalogs(t, [])
  t.equal(catalogs.firstAttemptOver(), true)
  sources.set([catalogSource('a', registry.address)])
  t.equal(catalogs.firstAttemptOver(), false)
  await eventually('read', () => listed('olm/a')?.length === 3)
  t.equal(catalogs.firstAttemptOver(), true)
  t.match(catalogs.state('olm/a'), { connection: 'READY', failure: undefined, attemptedAt: Number })
  sources.set([])
  t.equal(catalogs.state('olm/a'), undefined)
  t.strictSame(
    happened.map(({ kind }) => kind),
    ['synced', 'source', 'reading', 'removed'],
  )
  await eventually('the connection is closed', () => registry.connections === 0)
})

t.test(
  'R016: a registry that goes keeps its list, says why once, and is read when it is back, also elsewhere',
  async (t) => {
    const registry = await scriptedRegistry({ packages: manyPackages(3) })
    const network = await tcpProxy(registry.address)
    t.teardown(() => network.close())
    const { listed, happened, catalogs, logged } = await readCatalogs(t, [catalogSource('a', network.address)])
    await eventually('read', () => listed('olm/a')?.length === 3)
    await registry.close()
    network.accept = 'reset'
    network.cut()
    catalogs.readNow('olm/a')
    await eventually(
      'three attempts failed',
      () => happened.filter(({ kind }) => kind === 'failure').length >= 3,
      15_000,
    )
    t.equal(listed('olm/a')?.length, 3)
    t.match(catalogs.state('olm/a')?.failure, /UNAVAILABLE/)
    t.equal(
      new Set(logged.said('the last good reading is kept').map(({ reason }) => reason)).size,
      logged.said('the last good reading is kept').length,
    )

    const other = await scriptedRegistry({ packages: manyPackages(5) })
    t.teardown(() => other.close())
    network.target = other.address
    network.accept = 'pass'
    await eventually('read again', () => listed('olm/a')?.length === 5, 20_000)
    t.equal(catalogs.state('olm/a')?.failure, undefined)
  },
)

t.test(
  'a registry replaced behind the same address is noticed without waiting for the interval',
  { buffered: true },
  async (t) => {
    const registry = await scriptedRegistry({ packages: manyPackages(3) })
    const network = await tcpProxy(registry.address)
    const other = await scriptedRegistry({ packages: manyPackages(4) })
    t.teardown(() => Promise.all([network.close(), other.close(), registry.close()]))
    const { listed } = await readCatalogs(t, [catalogSource('a', network.address)], { interval: 3_600_000 })
    await eventually('read', () => listed('olm/a')?.length === 3)
    network.target = other.address
    network.cut()
    await eventually('read again', () => listed('olm/a')?.length === 4, 15_000)
  },
)

t.test('one that hangs, one that lies and one that is dead delay no other', { buffered: true }, async (t) => {
  const good = await scriptedRegistry({ packages: manyPackages(3) })
  const hanging = await scriptedRegistry({ script: () => ({ messages: [], ending: 'hang' }) })
  const lying = await scriptedRegistry({
    packages: manyPackages(3),
    script: ({ method }: ScriptedCall) => (method === 'ListBundles' ? { messages: [] } : undefined),
  })
  t.teardown(() => Promise.all([good.close(), hanging.close(), lying.close()]))
  const { listed, catalogs } = await readCatalogs(t, [
    catalogSource('dead', '127.0.0.1:1'),
    catalogSource('hanging', hanging.address),
    catalogSource('lying', lying.address),
    catalogSource('good', good.address),
  ])
  const began = Date.now()
  await eventually('the good one is read', () => listed('olm/good')?.length === 3)
  t.ok(Date.now() - began < 5000)
  await eventually('the dead one is said to be', () => catalogs.state('olm/dead')?.failure)
  t.match(
    catalogs.state('olm/dead')?.failure,
    /ListBundles: UNAVAILABLE: no connection: connect ECONNREFUSED 127.0.0.1:1$/,
  )
  // Its first reading that contradicts itself is repeated once, then believed, since there is nothing better.
  await eventually('the lying one is believed', () => listed('olm/lying')?.length === 3)
})

t.test(
  'contradictory answers after a good reading: read again once, then the last good one stays',
  { buffered: true },
  async (t) => {
    const registry = await scriptedRegistry({ packages: manyPackages(3) })
    t.teardown(() => registry.close())
    const { listed, catalogs, happened } = await readCatalogs(t, [catalogSource('a', registry.address)])
    await eventually('read', () => listed('olm/a')?.length === 3)
    registry.packages = manyPackages(5)
    registry.script = ({ method }) => (method === 'ListBundles' ? { messages: [] } : undefined)
    catalogs.readNow('olm/a')
    await eventually('it failed', () => catalogs.state('olm/a')?.failure)
    t.match(catalogs.state('olm/a')?.failure, /contradict/)
    t.equal(listed('olm/a')?.length, 3)
    t.equal(registry.count('ListBundles'), 3)
    t.equal(happened.filter(({ kind }) => kind === 'failure').length, 1)
    registry.script = () => undefined
    await eventually('it recovers by itself', () => listed('olm/a')?.length === 5)
  },
)

t.test('R011: what only the object says is told without reading again', { buffered: true }, async (t) => {
  const registry = await scriptedRegistry({ packages: manyPackages(3) })
  t.teardown(() => registry.close())
  const { sources, happened, listed } = await readCatalogs(t, [catalogSource('a', registry.address)])
  await eventually('read', () => listed('olm/a')?.length === 3)
  sources.set([catalogSource('a', registry.address, { displayName: 'A', labels: { x: 'y' }, priority: 5 })])
  sources.set([catalogSource('a', registry.address, { displayName: 'A', labels: { x: 'y' }, priority: 5 })])
  t.match(happened.slice(3), [{ kind: 'source', source: { displayName: 'A', labels: { x: 'y' }, priority: 5 } }])
  t.equal(happened.length, 4)
  t.equal(registry.count('ListBundles'), 1)
  t.equal(registry.accepted, 1)
})

t.test('a new address is read at once; the old reading stands until then', { buffered: true }, async (t) => {
  const first = await scriptedRegistry({ packages: manyPackages(3) })
  const second = await scriptedRegistry({ packages: manyPackages(4), script: () => DOWN })
  t.teardown(() => Promise.all([first.close(), second.close()]))
  const { sources, listed, catalogs } = await readCatalogs(t, [catalogSource('a', first.address)])
  await eventually('read', () => listed('olm/a')?.length === 3)
  sources.set([catalogSource('a', second.address)])
  await eventually('it was tried', () => catalogs.state('olm/a')?.failure)
  t.equal(listed('olm/a')?.length, 3)
  t.equal(await eventually('the old connection is closed', () => first.connections === 0), true)
  second.script = () => undefined
  await eventually('read', () => listed('olm/a')?.length === 4)
  sources.set([catalogSource('a', undefined)])
  t.equal(listed('olm/a')?.length, 4, 'nothing to dial is no error')
  t.equal(catalogs.state('olm/a')?.connection, 'NO_ADDRESS')
})

t.test('deleted and made anew under the same name: nothing of the old one stays', { buffered: true }, async (t) => {
  const first = await scriptedRegistry({ packages: manyPackages(3) })
  const second = await scriptedRegistry({ packages: [onePackage('other')], script: () => DOWN })
  t.teardown(() => Promise.all([first.close(), second.close()]))
  const { sources, listed, happened } = await readCatalogs(t, [catalogSource('a', first.address, { uid: '1' })])
  await eventually('read', () => listed('olm/a')?.length === 3)
  sources.set([catalogSource('a', second.address, { uid: '2' })])
  t.equal(listed('olm/a'), undefined)
  t.strictSame(
    happened.slice(3).map(({ kind }) => kind),
    ['removed', 'source'],
  )
  second.script = () => undefined
  await eventually('read', () => listed('olm/a')?.join() === 'other')
})

t.test('what is left out is logged once per cause, and again when it comes back', { buffered: true }, async (t) => {
  const registry = await scriptedRegistry({ packages: manyPackages(3) })
  t.teardown(() => registry.close())
  const bad = ({ method, request }: ScriptedCall) =>
    method === 'GetBundleForChannel' && request.pkgName === 'p1' ? { messages: [{ csvJson: '[]' }] } : undefined
  registry.script = bad
  const { catalogs, happened, logged } = await readCatalogs(t, [catalogSource('a', registry.address)])
  const readings = (count: number) =>
    eventually('readings', () => happened.filter(({ kind }) => kind === 'reading').length === count)
  await readings(1)
  t.match(logged.said('left out'), [{ catalog: 'olm/a', package: 'p1', channel: 'stable', reason: String }])
  catalogs.readNow('olm/a')
  await readings(2)
  t.equal(logged.said('left out').length, 1)
  registry.script = () => undefined
  catalogs.readNow('olm/a')
  await readings(3)
  registry.script = bad
  catalogs.readNow('olm/a')
  await readings(4)
  t.equal(logged.said('left out').length, 2)
  t.match(happened.at(-1), { facts: { changed: true, gone: ['p1'] } })
})

t.test('R049: a registry that says GOAWAY all the time fails no reading', { buffered: true }, async (t) => {
  const registry = await scriptedRegistry({ packages: manyPackages(40) })
  t.teardown(() => registry.close())
  registry.script = ({ method, before }) => {
    if (method === 'GetPackage' && before % 10 === 5) registry.goAway()
    return undefined
  }
  const { listed, happened, catalogs } = await readCatalogs(t, [catalogSource('a', registry.address)])
  await eventually('read', () => listed('olm/a')?.length === 40)
  catalogs.readNow('olm/a')
  await eventually('read twice', () => happened.filter(({ kind }) => kind === 'reading').length === 2)
  t.equal(happened.filter(({ kind }) => kind === 'failure').length, 0)
  t.ok(registry.accepted > 4, `${registry.accepted} connections`)
})

t.test('a frozen registry: its connection is given up, and the list stays', { buffered: true }, async (t) => {
  const registry = await scriptedRegistry({ packages: manyPackages(3) })
  const network = await tcpProxy(registry.address)
  t.teardown(() => Promise.all([network.close(), registry.close()]))
  const limits = { callDeadlineMs: 200, listDeadlineMs: 200 }
  const { listed, catalogs } = await readCatalogs(t, [catalogSource('a', network.address)], { limits })
  await eventually('read', () => listed('olm/a')?.length === 3)
  network.stalled = true
  catalogs.readNow('olm/a')
  await eventually('it failed', () => catalogs.state('olm/a')?.failure)
  t.match(catalogs.state('olm/a')?.failure, /DEADLINE_EXCEEDED: no whole answer within 0.2 s/)
  t.equal(listed('olm/a')?.length, 3)
  network.stalled = false
  await eventually('it recovers', () => catalogs.state('olm/a')?.failure === undefined, 10_000)
  t.ok(network.accepted > 1)
})

t.test('R092: another interval takes effect without reading anything again', { buffered: true }, async (t) => {
  const registry = await scriptedRegistry({ packages: manyPackages(3) })
  t.teardown(() => registry.close())
  const { listed, catalogs } = await readCatalogs(t, [catalogSource('a', registry.address)], { interval: 3_600_000 })
  await eventually('read', () => listed('olm/a')?.length === 3)
  catalogs.setInterval(1_800_000)
  catalogs.setInterval(3_600_000)
  t.equal(registry.count('ListBundles'), 1)
  catalogs.setInterval(20)
  await eventually('it is read again and again', () => registry.count('ListBundles') > 5)
})

t.test('closing ends a reading that hangs, and every connection', { buffered: true }, async (t) => {
  const registry = await scriptedRegistry({ script: () => ({ messages: [], ending: 'hang' }) })
  t.teardown(() => registry.close())
  const { catalogs } = await readCatalogs(t, [
    catalogSource('a', registry.address),
    catalogSource('b', registry.address),
  ])
  await eventually('it hangs', () => registry.count('ListBundles') === 2)
  await catalogs.close()
  await eventually('no connection', () => registry.connections === 0)
})

t.test('a listener that throws costs nobody anything', { buffered: true }, async (t) => {
  const registry = await scriptedRegistry({ packages: manyPackages(3) })
  t.teardown(() => registry.close())
  const events = {
    source: () => {
      throw new Error('no')
    },
    reading: async () => {
      throw new Error('never')
    },
  }
  const { listed, catalogs, logged } = await readCatalogs(t, [catalogSource('a', registry.address)], { events })
  await eventually('read', () => listed('olm/a')?.length === 3)
  t.equal(catalogs.state('olm/a')?.failure, undefined)
  await eventually('it is said', () => logged.said('a listener failed').length === 2)
})
