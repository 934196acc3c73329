// What must be visible, as a model of a few lines, and commands that change the world at random: the promises of "nothing lost"
// against the whole of what is served. Receives a seed, hands on nothing or throws with what was wrong.
import fc from 'fast-check'
import { catalogSource } from '../fixtures/read-catalogs.ts'
import type { Weather } from '../fixtures/scripted-client.ts'
import { SIMULATED_INTERVAL, type SimulatedCluster, simulatedCluster } from '../fixtures/simulated-cluster.ts'

const MINUTE = 60_000
const NAMES = ['a', 'b', 'c'] as const
type Name = (typeof NAMES)[number]
/** After this long of fair weather everything is as it should be: deadlines of a reading, the longest back-off, an interval. */
const RECOVERY = 2.5 * MINUTE + 1.2 * SIMULATED_INTERVAL

interface ModelCatalog {
  present: boolean
  /** Rises with each object of this name. */
  object: number
  priority: number
  /** Editions said so far, `edition:count`, by number; the last is current. */
  readonly said: Map<number, number>
  /** What was listed when last looked at; 0: nothing. */
  shown: number
}

interface Model {
  readonly catalogs: ReadonlyMap<Name, ModelCatalog>
  readonly withState: boolean
  editions: number
}

type Command = fc.AsyncCommand<Model, SimulatedCluster>

function catalogOf(model: Model, name: Name): ModelCatalog {
  const found = model.catalogs.get(name)
  if (found === undefined) throw new Error(`no catalog ${name}`)
  return found
}

async function tellSources(model: Model, real: SimulatedCluster): Promise<void> {
  const present = [...model.catalogs].filter(([, { present }]) => present)
  await real.setSources(
    present.map(([name, { object, priority }]) =>
      catalogSource(name, `${name}:1`, { uid: `${name}-${object}`, priority }),
    ),
  )
}

/** Looks, and compares with what may be seen now. `timePassed`: readings may have ended since the last look. */
async function check(model: Model, real: SimulatedCluster, timePassed: boolean): Promise<void> {
  const listed = await real.listed()
  for (const [name, catalog] of model.catalogs) {
    const text = listed.get(name) ?? ''
    if (!catalog.present) {
      if (text !== '') throw new Error(`${name} is deleted and lists ${text}`)
      catalog.shown = 0
      continue
    }
    const [edition = '', count = ''] = text.split(':')
    const number = Number(edition)
    if (text === '') {
      const emptied = [...catalog.said].some(([one, size]) => size === 0 && one > catalog.shown)
      if (catalog.shown !== 0 && !emptied) throw new Error(`${name} lost ${catalog.shown}`)
      if (emptied) catalog.shown = 0
      continue
    }
    if (catalog.said.get(number) !== Number(count)) throw new Error(`${name} lists ${text}: no edition was that`)
    if (number < catalog.shown) throw new Error(`${name} went back from ${catalog.shown} to ${number}`)
    if (!timePassed && number !== catalog.shown)
      throw new Error(`${name} changed from ${catalog.shown} to ${text} in no time`)
    catalog.shown = number
  }
  const [items, watched] = [await real.items(), await real.watched()]
  for (const [key, item] of items)
    if (watched.get(key) !== item) throw new Error(`a watcher has another ${key}: ${watched.get(key)}, not ${item}`)
  if (watched.size !== items.size) throw new Error(`a watcher has ${watched.size} objects, a list ${items.size}`)
}

function command(text: string, run: (model: Model, real: SimulatedCluster) => Promise<boolean>): Command {
  return {
    check: () => true,
    async run(model, real) {
      await check(model, real, await run(model, real))
    },
    toString: () => text,
  }
}

const name = fc.constantFrom(...NAMES)
const WEATHERS: readonly Weather[] = ['fair', 'down', 'frozen', 'cut', 'garbage', 'lying', 'flaky']

function publish(one: Name, count: number): Command {
  return command(`publish(${one}, ${count})`, async (model, real) => {
    const edition = ++model.editions
    catalogOf(model, one).said.set(edition, count)
    real.publish(one, edition, count)
    return false
  })
}

function weather(one: Name, next: Weather): Command {
  return command(`weather(${one}, ${next})`, async (_model, real) => {
    Object.assign(real.worlds.get(one) ?? {}, { weather: next })
    return false
  })
}

function latency(one: Name, ms: number): Command {
  return command(`latency(${one}, ${ms})`, async (_model, real) => {
    Object.assign(real.worlds.get(one) ?? {}, { latencyMs: ms })
    return false
  })
}

function restartRegistry(one: Name): Command {
  return command(`restartRegistry(${one})`, async (_model, real) => {
    real.worlds.get(one)?.restart()
    return false
  })
}

function pass(ms: number): Command {
  return command(`pass(${ms})`, async (_model, real) => {
    await real.pass(ms)
    return true
  })
}

function step(hours: number): Command {
  return command(`clock(${hours} h)`, async (_model, real) => {
    real.clock.step(hours * 60 * MINUTE)
    return false
  })
}

function presence(one: Name, present: boolean): Command {
  return command(`${present ? 'create' : 'delete'}(${one})`, async (model, real) => {
    const catalog = catalogOf(model, one)
    if (catalog.present && !present) catalog.object++
    catalog.present = present
    await tellSources(model, real)
    return false
  })
}

function recreate(one: Name): Command {
  return command(`recreate(${one})`, async (model, real) => {
    const catalog = catalogOf(model, one)
    if (!catalog.present) return false
    catalog.object++
    catalog.shown = 0
    await tellSources(model, real)
    return false
  })
}

function rank(one: Name, priority: number): Command {
  return command(`priority(${one}, ${priority})`, async (model, real) => {
    catalogOf(model, one).priority = priority
    await tellSources(model, real)
    return false
  })
}

function restart(): Command {
  return command('restart', async (model, real) => {
    await real.restart()
    if (!model.withState) for (const catalog of model.catalogs.values()) catalog.shown = 0
    return false
  })
}

function disconnect(): Command {
  return command('disconnect', async (_model, real) => {
    real.watcher.disconnect()
    return false
  })
}

const DURATIONS = [1, 7, 500, 5000, MINUTE, 7 * MINUTE]

const COMMANDS: readonly fc.Arbitrary<Command>[] = [
  fc.tuple(name, fc.integer({ min: 0, max: 8 })).map(([one, count]) => publish(one, count)),
  fc.tuple(name, fc.constantFrom(...WEATHERS)).map(([one, next]) => weather(one, next)),
  fc.tuple(name, fc.constantFrom(1, 50, 2000)).map(([one, ms]) => latency(one, ms)),
  fc.constantFrom(...DURATIONS).map(pass),
  fc.constantFrom(...DURATIONS).map(pass),
  name.map(restartRegistry),
  fc.tuple(name, fc.boolean()).map(([one, present]) => presence(one, present)),
  name.map(recreate),
  fc.tuple(name, fc.constantFrom(-1, 0, 5)).map(([one, priority]) => rank(one, priority)),
  fc.constantFrom(-1, 1).map(step),
  fc.constant(restart()),
  fc.constant(disconnect()),
]

/** Runs one seed: about an hour of a cluster's life. Throws fast-check's report, shrunk. Hands on how much time passed, ms. */
export async function simulate(seed: number, folderOf: () => string): Promise<number> {
  let passed = 0
  const property = fc.asyncProperty(
    fc.commands([...COMMANDS], { maxCommands: 40, size: 'max' }),
    fc.integer(),
    fc.boolean(),
    async (commands, chance, withState) => {
      const real = simulatedCluster(chance, NAMES, withState ? folderOf() : undefined)
      const began = real.clock.monotonic()
      const newCatalog = () => ({ present: true, object: 0, priority: 0, said: new Map([[0, 0]]), shown: 0 })
      const model: Model = { catalogs: new Map(NAMES.map((one) => [one, newCatalog()])), withState, editions: 0 }
      await tellSources(model, real)
      await fc.asyncModelRun(() => ({ model, real }), commands)
      await recovers(model, real)
      passed += real.clock.monotonic() - began
      const left = await real.close()
      if (left > 0) throw new Error(`${left} timers or channels are left`)
    },
  )
  await fc.assert(property, { seed, numRuns: 1 })
  return passed
}

/** In fair weather everything is shown, nothing is said to be stale, and a server that starts now says the same. */
async function recovers(model: Model, real: SimulatedCluster): Promise<void> {
  for (const world of real.worlds.values()) Object.assign(world, { weather: 'fair', latencyMs: 5 })
  await real.pass(RECOVERY)
  await check(model, real, true)
  const listed = await real.listed()
  for (const [one, { present, said }] of model.catalogs) {
    if (!present) continue
    const [edition, count] = [...said].at(-1) ?? [0, 0]
    const wanted = count === 0 ? '' : `${edition}:${count}`
    if ((listed.get(one) ?? '') !== wanted) throw new Error(`${one} is ${listed.get(one)}, not ${wanted}`)
    if (real.troubled(one)) throw new Error(`${one} is said to be stale`)
  }
  const before = await real.items()
  await real.restart()
  await real.pass(RECOVERY)
  const after = await real.items()
  if (JSON.stringify([...after].sort()) !== JSON.stringify([...before].sort()))
    throw new Error('a replica says something else')
}
