// What a cluster can do: its API server gone, slow, refusing, silent; CatalogSources that come, go and change. One after the other in
// one world. What was read is served on all the while.
import { setTimeout as wait } from 'node:timers/promises'
import type { Test } from 'tap'
import { eventually } from '../fixtures/eventually.ts'
import { type FaultWorld, look, observe, openSite, type Site, shows, startFaultWorld } from '../fixtures/fault-world.ts'
import { scriptedRegistry } from '../fixtures/scripted-registry.ts'
import type { FaultRow, Measured } from './fault-row.ts'

const SERVED = 'what was read is served on; catalogs are followed again within one back-off'
const WATCHED = 'GET /apis/operators.coreos.com/v1alpha1/catalogsources'

interface ClusterFault {
  readonly fault: string
  readonly promise?: string
  readonly fast?: true
  begin(world: FaultWorld, site: Site, t: Test): void | Promise<void>
  end?(world: FaultWorld, site: Site): void | Promise<void>
}

/** Afterwards another name of the catalog must arrive: so it is followed again. */
function row({ fault, promise = SERVED, fast, begin, end }: ClusterFault): FaultRow {
  return {
    fault,
    promise,
    ...(fast === undefined ? {} : { fast }),
    async run(t, stage): Promise<Measured> {
      const world = await stage.world()
      const site = await openSite(t, world, stage.name)
      const watching = observe(site)
      await begin(world, site, t)
      site.publish(25, 'm1')
      await end?.(world, site)
      const began = performance.now()
      world.putCatalog(site.name, site.network.address, { labels: { after: 'it' } })
      await eventually('followed again', async () => (await labelled(world, site.name)) > 0, 90_000)
      await shows(site, 'm1', 25)
      return { ...(await watching.stop()), recoveredMs: Math.round(performance.now() - began) }
    },
  }
}

async function labelled(world: FaultWorld, name: string): Promise<number> {
  const path = '/apis/packages.operators.coreos.com/v1/namespaces/olm/packagemanifests'
  const { text } = await world.ask(`${path}?labelSelector=catalog%3D${name}%2Cafter%3Dit&limit=1`)
  return (JSON.parse(text) as { items?: unknown[] }).items?.length ?? 0
}

function gone(fault: string, ms: number, fast?: true): ClusterFault {
  return {
    fault,
    ...(fast === undefined ? {} : { fast }),
    begin({ apiNetwork }) {
      apiNetwork.accept = 'reset'
      apiNetwork.cut()
      return wait(ms)
    },
    end({ apiNetwork }) {
      apiNetwork.accept = 'pass'
    },
  }
}

const FAULTS: readonly ClusterFault[] = [
  gone('the API server is gone for two seconds', 2000, true),
  gone('the API server is gone for a minute', 60_000),
  {
    fault: 'the API server answers 3 s late',
    begin({ api }) {
      api.faults.add({ on: WATCHED, times: 6, delay: 3000 })
      api.watches.drop()
      return wait(1000)
    },
    end: ({ api }) => api.faults.clear(),
  },
  {
    fault: '429 for everything, with Retry-After',
    fast: true,
    begin({ api }) {
      const answer = { status: 429, headers: { 'retry-after': '1' } }
      api.faults.add({ on: WATCHED, times: 1000, answer })
      api.watches.drop()
      return wait(2000)
    },
    end: ({ api }) => api.faults.clear(),
  },
  {
    fault: '410 on the watch',
    fast: true,
    begin({ api }) {
      const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Expired', code: 410 }
      api.watches.inject(`${JSON.stringify({ type: 'ERROR', object: status })}\n`)
    },
  },
  {
    fault: 'garbage on the watch',
    begin: ({ api }) => api.watches.inject('}{ no JSON\n'),
  },
  {
    fault: 'a watch that stays open and says nothing, then is cut',
    fast: true,
    begin({ api }) {
      api.watches.mute(true)
      return wait(1000)
    },
    end({ api }) {
      api.watches.mute(false)
      api.watches.drop()
    },
  },
  {
    fault: 'the CatalogSource changes its address ten times a second, to none and back',
    fast: true,
    promise: 'the list stays while the object is there',
    async begin(world, site) {
      for (let turn = 0; turn < 30; turn++) {
        world.putCatalog(site.name, turn % 2 === 0 ? undefined : site.network.address)
        await wait(100)
      }
    },
  },
]

const RECREATED: FaultRow = {
  fault: 'deleted and created anew under the same name with another address',
  promise: 'nothing of the old object is shown under the new one; no mixture',
  fast: true,
  async run(t, stage) {
    const world = await stage.world()
    const site = await openSite(t, world, stage.name)
    const other = await openSite(t, world, `${stage.name}-other`)
    other.publish(7, 'm9')
    await shows(other, 'm9', 7)
    const { editions } = site
    editions.set('m9', new Set([7])).set('', new Set([0]))
    editions.get('m0')?.add(0)
    const watching = observe(site)
    const began = performance.now()
    world.api.take('CatalogSource', 'olm', site.name)
    world.putCatalog(site.name, other.network.address)
    await eventually('the new one', async () => (await look(world, site.name)).marks.join() === 'm9', 60_000)
    const recoveredMs = Math.round(performance.now() - began)
    const stays = await look(world, site.name)
    t.same(stays.marks, ['m9'])
    return { ...(await watching.stop()), recoveredMs }
  },
}

const MISSING_CRD: FaultRow = {
  fault: 'no CatalogSource definition at first, created later; discovery answers before any catalog is read (R031)',
  promise: 'starts, says why in one line, follows without a restart',
  fast: true,
  async run(t, stage) {
    const prepare = (api: FaultWorld['api']) => void api.unserved.add('operators.coreos.com/catalogsources')
    const world = await startFaultWorld(t, { prepare, ready: false })
    await eventually('discovery', async () => (await world.ask('/apis').catch(() => undefined))?.status === 200)
    t.equal((await world.ask('/livez')).status, 200)
    await eventually('said', () => /CatalogSource/.test(world.log()))
    const began = performance.now()
    world.api.unserved.clear()
    await openSite(t, world, stage.name)
    return { failed: 0, lost: 0, recoveredMs: Math.round(performance.now() - began) }
  },
}

const MANY: FaultRow = {
  fault: '500 CatalogSources at once, half of them dead',
  promise: 'the living ones are listed; discovery answers meanwhile',
  async run(t, stage) {
    const world = await stage.world()
    const calm = await openSite(t, world, stage.name)
    const registry = await scriptedRegistry({ packages: calm.registry.packages.slice(0, 2) })
    const names = Array.from({ length: 500 }, (_, index) => `many-${index}`)
    t.teardown(() => registry.close())
    t.teardown(() => {
      for (const name of names) world.api.take('CatalogSource', 'olm', name)
    })
    const watching = observe(calm)
    const began = performance.now()
    for (const [index, name] of names.entries())
      world.putCatalog(name, index % 2 === 0 ? registry.address : '127.0.0.1:1')
    await eventually(
      'all that live',
      async () => {
        const { text } = await world.ask('/apis/packages.operators.coreos.com/v1/namespaces/olm/packagemanifests')
        return (JSON.parse(text) as { items: unknown[] }).items.length >= 250 * 2 + 20
      },
      180_000,
    )
    const recoveredMs = Math.round(performance.now() - began)
    return { ...(await watching.stop()), note: `all listed after ${recoveredMs} ms` }
  },
}

export const CLUSTER_ROWS: readonly FaultRow[] = [...FAULTS.map(row), RECREATED, MISSING_CRD, MANY]
