// Hours of polling in a moment: registries that change and fail at random against what must be visible. The promises of
// "nothing lost": a package stays until a whole reading lacks it; a list is never a mixture; what is stale recovers by itself.
import fc from 'fast-check'
import t from 'tap'
import { decodeClusterServiceVersion } from '../../src/api/cluster-service-version.ts'
import { settableSources } from '../../src/catalog/catalog-sources.ts'
import { createCatalogs } from '../../src/catalog/catalogs.ts'
import { createHeadDecoder } from '../../src/catalog/head-decoder.ts'
import type { Snapshot } from '../../src/catalog/snapshot.ts'
import { keptLog } from '../fixtures/kept-log.ts'
import { catalogSource } from '../fixtures/read-catalogs.ts'
import { type ScriptedWorld, scriptedWorld, type Weather } from '../fixtures/scripted-client.ts'
import { manyPackages, type ScriptedPackage } from '../fixtures/scripted-content.ts'
import { simulatedClock } from '../fixtures/simulated-clock.ts'

const MINUTE = 60_000
const INTERVAL = 5 * MINUTE
/** After this long of fair weather everything is as it should be: the longest back-off, a deadline, a reading. */
const RECOVERY = 2.5 * MINUTE

/** Name and mark of each package: what a reader can tell of one edition of a catalog. */
function seen(snapshot: Snapshot | undefined): string {
  return (snapshot?.packages ?? [])
    .filter(({ channels }) => channels.length > 0)
    .map(({ name, channels }) => `${name}=${channels[0]?.head.annotations.mark}`)
    .sort()
    .join()
}

function said(packages: readonly ScriptedPackage[], mark: string): string {
  return packages
    .map(({ name }) => `${name}=${mark}`)
    .sort()
    .join()
}

async function simulation(seed: number, names: readonly string[]) {
  const clock = simulatedClock(seed)
  const worlds = new Map<string, ScriptedWorld>(names.map((name) => [name, scriptedWorld(clock)]))
  const editions = new Map<string, Set<string>>(names.map((name) => [name, new Set([''])]))
  const sources = settableSources()
  const logged = keptLog()
  const wrong: string[] = []
  const catalogs = createCatalogs({
    sources,
    dial: (address) => {
      const world = worlds.get(address.split(':')[0] ?? '')
      if (world === undefined) throw new Error(`no world at ${address}`)
      return world.dial(address)
    },
    decoder: createHeadDecoder(decodeClusterServiceVersion),
    clock,
    log: logged.log,
    interval: INTERVAL,
    events: {
      reading(key, snapshot) {
        const name = key.split('/')[1] ?? ''
        if (!editions.get(name)?.has(seen(snapshot))) wrong.push(`${key}: a mixture: ${seen(snapshot)}`)
      },
    },
  })
  await catalogs.start(new AbortController().signal)
  let marks = 0
  return {
    clock,
    worlds,
    sources,
    catalogs,
    logged,
    wrong,
    publish(name: string, count: number) {
      const mark = `m${marks++}`
      const packages = manyPackages(count, mark)
      editions.get(name)?.add(said(packages, mark))
      const world = worlds.get(name)
      if (world) world.packages = packages
      return said(packages, mark)
    },
    listed: (name: string) => seen(catalogs.state(`olm/${name}`)?.snapshot),
  }
}

t.test('an hour of fair weather: so many readings, no more', async (t) => {
  const { clock, worlds, sources, catalogs, publish, listed } = await simulation(1, ['a'])
  const expected = publish('a', 3)
  sources.set([catalogSource('a', 'a:1')])
  await clock.pass(1000)
  t.equal(listed('a'), expected)
  const calls = worlds.get('a')?.calls ?? 0
  await clock.pass(60 * MINUTE)
  const readings = (worlds.get('a')?.calls ?? 0) / calls - 1
  t.ok(readings >= 10 && readings <= 12, `${readings} readings`)
  await catalogs.close()
  t.equal(clock.timers, 0)
})

t.test('a clock that is set by an hour changes nothing', async (t) => {
  const { clock, worlds, sources, catalogs, publish } = await simulation(2, ['a'])
  publish('a', 1)
  sources.set([catalogSource('a', 'a:1')])
  await clock.pass(MINUTE)
  for (const hours of [1, -2, 1]) {
    const before = worlds.get('a')?.calls ?? 0
    clock.step(hours * 60 * MINUTE)
    await clock.pass(INTERVAL * 1.2)
    const calls = (worlds.get('a')?.calls ?? 0) - before
    t.ok(calls >= 4 && calls <= 8, `${calls} calls`)
  }
  await catalogs.close()
})

t.test('R093: a catalog that flaps every second: no more channels, timers or calls than it needs', async (t) => {
  const { clock, worlds, sources, catalogs, publish, listed } = await simulation(3, ['a'])
  const expected = publish('a', 2)
  sources.set([catalogSource('a', 'a:1')])
  await clock.pass(MINUTE)
  const world = worlds.get('a')
  if (world === undefined) throw new Error('no world')
  const timers = clock.timers
  const hours = 0.5
  for (let second = 0; second < hours * 3600; second++) {
    world.restart()
    await clock.pass(1000)
  }
  t.equal(listed('a'), expected)
  t.equal(world.channels, 1)
  t.ok(clock.timers <= timers + 2, `${clock.timers} timers, ${timers} before`)
  const perMinute = world.calls / (hours * 60)
  t.ok(perMinute < 120, `${Math.round(perMinute)} calls a minute`)
  await catalogs.close()
  t.equal(world.channels, 0)
  t.equal(clock.timers, 0)
})

const NAMES = ['a', 'b', 'c']
const name = fc.constantFrom(...NAMES)
const WEATHERS: readonly Weather[] = ['fair', 'down', 'frozen', 'cut', 'garbage', 'lying', 'flaky']
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('publish' as const), name, count: fc.integer({ min: 0, max: 12 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('weather' as const), name, weather: fc.constantFrom(...WEATHERS) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ms: fc.constantFrom(1, 7, 500, 5000, MINUTE, 7 * MINUTE),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('restart' as const), name }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('sources' as const), names: fc.subarray(NAMES) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('label' as const), name, value: fc.constantFrom('x', 'y') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('latency' as const), name, ms: fc.constantFrom(1, 50, 2000) }) },
)

t.test('whatever happens: nothing is lost, nothing is mixed, everything recovers', async (t) => {
  let readings = 0
  const property = fc.asyncProperty(
    fc.integer(),
    fc.array(step, { minLength: 5, maxLength: 40 }),
    async (seed, steps) => {
      const { clock, worlds, sources, catalogs, publish, listed, wrong } = await simulation(seed, NAMES)
      const current = new Map(NAMES.map((one) => [one, '']))
      let present: readonly string[] = NAMES
      let label = 'x'
      const tellSources = () =>
        sources.set(present.map((one) => catalogSource(one, `${one}:1`, { uid: `${one}-1`, labels: { label } })))
      tellSources()
      for (const one of steps) {
        const before = new Map(present.map((key) => [key, listed(key)]))
        if (one.do === 'publish') current.set(one.name, publish(one.name, one.count))
        if (one.do === 'weather') Object.assign(worlds.get(one.name) ?? {}, { weather: one.weather })
        if (one.do === 'latency') Object.assign(worlds.get(one.name) ?? {}, { latencyMs: one.ms })
        if (one.do === 'restart') worlds.get(one.name)?.restart()
        if (one.do === 'label') label = one.value
        if (one.do === 'sources') present = one.names
        if (one.do === 'label' || one.do === 'sources') tellSources()
        if (one.do === 'pass') await clock.pass(one.ms)
        for (const key of NAMES) {
          const now = listed(key)
          const there = present.includes(key)
          if (!there && catalogs.state(`olm/${key}`) !== undefined) wrong.push(`${key} is deleted and still there`)
          if (there && one.do !== 'pass' && before.has(key) && now !== before.get(key))
            wrong.push(`${key} changed without time`)
          // A list that was read is only ever replaced by a whole edition (checked on each reading), never by nothing.
          if (there && before.get(key) && now === '' && !editionsEmpty(steps, key)) wrong.push(`${key} was lost`)
        }
      }
      for (const world of worlds.values()) Object.assign(world, { weather: 'fair', latencyMs: 5 })
      await clock.pass(RECOVERY + INTERVAL * 1.2)
      for (const key of present) {
        if (listed(key) !== current.get(key)) wrong.push(`${key} is ${listed(key)}, not ${current.get(key)}`)
        if (catalogs.state(`olm/${key}`)?.failure !== undefined) wrong.push(`${key} still fails`)
      }
      await catalogs.close()
      readings += [...worlds.values()].reduce((sum, world) => sum + world.calls, 0)
      const left = clock.timers + [...worlds.values()].reduce((sum, world) => sum + world.channels, 0)
      if (left > 0) wrong.push(`${left} timers or channels are left`)
      if (wrong.length > 0) throw new Error(wrong.join('\n'))
    },
  )
  await fc.assert(property, { numRuns: 40 })
  t.ok(readings > 1000, `${readings} calls`)
})

/** Whether an empty edition was published, which is believed. */
function editionsEmpty(
  steps: readonly { readonly do: string; readonly count?: number; readonly name?: string }[],
  key: string,
): boolean {
  return steps.some((one) => one.do === 'publish' && one.name === key && one.count === 0)
}
