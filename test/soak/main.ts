// `npm run soak -- [--minutes 3] [--out FOLDER]`: a server under flapping registries, changing catalogs, polling and watching clients and
// new certificates; judges what it lost, what it holds at the end, and draws memory, latency and delay over time.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request as httpsRequest } from 'node:https'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { issueClusterAuthorities, issueServer } from '../fixtures/cluster-trust.ts'
import { eventually } from '../fixtures/eventually.ts'
import {
  type FaultWorld,
  look,
  type Observed,
  observe,
  openSite,
  type Site,
  shows,
  startFaultWorld,
} from '../fixtures/fault-world.ts'
import { type Panel, plot } from './plot.ts'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '3' }, out: { type: 'string', default: '.tap/soak' } },
})
const LIST = '/apis/packages.operators.coreos.com/v1/packagemanifests'
const HOOK = fileURLToPath(new URL('./soak-hook.ts', import.meta.url))
const length = Number(values.minutes) * 60_000
const LOOKS = 16
const ends: (() => void | Promise<void>)[] = []
const surroundings = { teardown: (end: () => void | Promise<void>) => void ends.push(end) }

interface Held {
  readonly open: Readonly<Record<string, number>>
  readonly heap: number
}

const world = await startFaultWorld(surroundings, {
  flags: ['--state-dir={folder}/state'],
  env: { NODE_OPTIONS: `--import=${HOOK}` },
})
try {
  process.exitCode = await soak(world)
} finally {
  for (const end of ends.toReversed()) await end()
}

async function soak(world: FaultWorld): Promise<number> {
  const sites: Site[] = []
  for (const name of ['calm', 'flapping', 'changing']) sites.push(await openSite(surroundings, world, name, 60))
  const began = performance.now()
  const at = () => (performance.now() - began) / 1000
  const memory: [number, number][] = []
  const latency: [number, number][] = []
  let paused = false
  const sampling = setInterval(() => {
    if (paused) return
    memory.push([at(), residentBytes(world) / 2 ** 20])
    const asked = performance.now()
    void world.ask(LIST).then(
      () => latency.push([at(), performance.now() - asked]),
      () => undefined,
    )
  }, 1000)

  const first = await activity(world, sites, length / 3)
  paused = true
  const warm = await held(world, sites)
  paused = false
  const second = await activity(world, sites, (length * 2) / 3)
  paused = true
  const last = await held(world, sites)
  clearInterval(sampling)

  const delay = said<{ ms: number }>(world, 'delay').map(({ ms }, index): [number, number] => [index, ms])
  const panels: Panel[] = [
    { title: 'resident memory', unit: 'MiB', points: memory },
    { title: 'a whole list', unit: 'ms', points: latency },
    { title: 'delay of the event loop, p99 of each second', unit: 'ms', points: delay },
  ]
  const third = (from: number, to: number) =>
    median(memory.filter(([when]) => when >= (at() * from) / 3 && when < (at() * to) / 3).map(([, value]) => value))
  const facts = {
    minutes: Number(values.minutes),
    requests: first.requests + second.requests,
    lost: Math.max(first.lost, second.lost),
    wrong: first.wrong + second.wrong,
    failed: first.failed + second.failed,
    openAfterWarmUp: warm.open,
    openAtTheEnd: last.open,
    heapGrowth: Number((last.heap / warm.heap - 1).toFixed(4)),
    memoryLastThirdToSecond: Number((third(2, 3) / third(1, 2)).toFixed(4)),
  }
  const judgements: Record<string, boolean> = {
    'no package lost': facts.lost === 0,
    'no wrong answer': facts.wrong === 0,
    'no failed request': facts.failed === 0,
    'open handles and timers as after warm-up': JSON.stringify(sorted(warm.open)) === JSON.stringify(sorted(last.open)),
    'heap after collection within 5 %': facts.heapGrowth <= 0.05,
    'memory of the last third at most 1.1 times the second': facts.memoryLastThirdToSecond <= 1.1,
  }
  mkdirSync(String(values.out), { recursive: true })
  writeFileSync(join(String(values.out), 'soak.svg'), plot(panels))
  writeFileSync(join(String(values.out), 'soak.json'), `${JSON.stringify({ ...facts, judgements }, undefined, 2)}\n`)
  process.stdout.write(`${JSON.stringify(facts, undefined, 1)}\n`)
  for (const [what, good] of Object.entries(judgements)) process.stdout.write(`${good ? 'ok    ' : 'NOT OK'} ${what}\n`)
  return Object.values(judgements).every(Boolean) ? 0 : 1
}

/** So long of everything at once; ends when all is quiet again. */
async function activity(world: FaultWorld, sites: readonly Site[], ms: number): Promise<Observed> {
  const stop = new AbortController()
  const watching = sites.map(observe)
  const [, flapping, changing] = sites
  const busy = [
    every(stop.signal, 1500, () => flapping?.network.cut()),
    every(stop.signal, 4000, () => changing?.publish(60, `m${Math.round(performance.now())}`)),
    every(stop.signal, 10_000, () => rotate(world)),
    ...Array.from({ length: 10 }, () => watchAgainAndAgain(world, stop.signal)),
  ]
  await wait(ms)
  stop.abort()
  await Promise.all(busy)
  for (const site of sites) {
    site.publish(60, site.name === 'changing' ? 'm1' : 'm0')
    await shows(site, site.name === 'changing' ? 'm1' : 'm0', 60)
  }
  const seen = await Promise.all(watching.map((one) => one.stop()))
  const sum = (of: (one: Observed) => number) => seen.reduce((all, one) => all + of(one), 0)
  return {
    lost: Math.max(...seen.map(({ lost }) => lost)),
    wrong: sum(({ wrong }) => wrong),
    failed: sum(({ failed }) => failed),
    requests: sum(({ requests }) => requests),
    discoveryMs: Math.max(...seen.map(({ discoveryMs }) => discoveryMs)),
  }
}

async function every(signal: AbortSignal, ms: number, act: () => unknown): Promise<void> {
  while (!signal.aborted) {
    await act()
    await wait(ms, undefined, { signal }).catch(() => undefined)
  }
}

async function rotate(world: FaultWorld): Promise<void> {
  const { serving } = await issueClusterAuthorities()
  const pair = await issueServer(serving, ['127.0.0.1'])
  writeFileSync(join(world.folder, 'tls.crt'), pair.certificate)
  writeFileSync(join(world.folder, 'tls.key'), pair.key)
}

async function watchAgainAndAgain({ port, headers, tls }: FaultWorld, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await new Promise<void>((resolve) => {
      const sent = httpsRequest(
        { host: '127.0.0.1', port, path: `${LIST}?watch=true`, headers, ...tls, agent: false },
        (got) => void got.on('error', () => undefined).resume(),
      )
      const end = () => sent.destroy()
      const timer = setTimeout(end, 2000 + Math.random() * 4000)
      signal.addEventListener('abort', end, { once: true })
      sent.on('error', () => undefined)
      sent.on('close', () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        resolve()
      })
      sent.end()
    })
  }
}

/**
 * What is open while nobody asks and no catalog is there: of each kind the fewest of several looks, since the watches of the cluster
 * go on. Afterwards the catalogs are there again.
 */
async function held(world: FaultWorld, sites: readonly Site[]): Promise<Held> {
  for (const { name } of sites) world.api.take('CatalogSource', 'olm', name)
  for (const { name } of sites) await eventually('gone', async () => (await look(world, name)).count === 0, 60_000)
  const looks: Held[] = []
  while (looks.length < LOOKS) {
    const count = said<Held>(world, 'open').length
    world.child.kill('SIGWINCH')
    await eventually('it says what is open', () => said<Held>(world, 'open').length > count, 60_000)
    looks.push(...said<Held>(world, 'open').slice(count))
    await wait(630)
  }
  // The first may come before the last connections of clients are closed.
  const settled = looks.slice(4)
  for (const site of sites) world.putCatalog(site.name, site.network.address)
  for (const site of sites) await shows(site, site.name === 'changing' ? 'm1' : 'm0', 60)
  const kinds = new Set(settled.flatMap(({ open }) => Object.keys(open)))
  const fewest = (kind: string) => Math.min(...settled.map(({ open }) => open[kind] ?? 0))
  return {
    open: Object.fromEntries([...kinds].map((kind): [string, number] => [kind, fewest(kind)]).filter(([, n]) => n > 0)),
    heap: Math.min(...settled.map(({ heap }) => heap)),
  }
}

function said<T>(world: FaultWorld, kind: string): readonly T[] {
  return world
    .log()
    .split('\n')
    .filter((line) => line.startsWith(`{"soak":"${kind}"`))
    .map((line) => JSON.parse(line) as T)
}

function residentBytes({ child }: FaultWorld): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
}

function sorted(open: Readonly<Record<string, number>>): readonly (readonly [string, number])[] {
  return Object.entries(open).sort(([a], [b]) => (a < b ? -1 : 1))
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
