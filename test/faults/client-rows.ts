// What clients can do: read slowly or never, vanish, storm. Each row has a world of its own.
import type { ClientRequest, IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { setTimeout as wait } from 'node:timers/promises'
import { eventually } from '../fixtures/eventually.ts'
import { type FaultWorld, observe, openSite, type Site, shows, startFaultWorld } from '../fixtures/fault-world.ts'
import { manifest } from '../fixtures/scripted-content.ts'
import type { FaultRow } from './fault-row.ts'

const LIST = '/apis/packages.operators.coreos.com/v1/namespaces/olm/packagemanifests'

/** A request whose answer is left to the caller, on a connection of its own. */
function begin(
  { port, headers, tls }: FaultWorld,
  path: string,
): Promise<{ sent: ClientRequest; got: IncomingMessage }> {
  return new Promise((resolve, reject) => {
    const sent = httpsRequest({ host: '127.0.0.1', port, path, headers, ...tls, agent: false }, (got) => {
      got.on('error', () => undefined)
      resolve({ sent, got })
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** Fills the catalog with so many bytes of descriptions. */
async function fatten(site: Site, bytes: number): Promise<void> {
  site.publish(26, 'm1')
  const filler = 'lorem ipsum '.repeat(Math.ceil(bytes / 26 / 12))
  site.registry.packages = site.registry.packages.map((one) => ({
    ...one,
    channels: one.channels.map((channel) => ({
      ...channel,
      bundles: channel.bundles.map((bundle, index) =>
        index > 0 ? bundle : { ...bundle, csv: withText(one.name, bundle.version ?? '', filler) },
      ),
    })),
  }))
  await shows(site, 'm1', 26)
}

function withText(name: string, version: string, description: string): object {
  const made = manifest(name, version, 'm1') as { spec: object }
  return { ...made, spec: { ...made.spec, description } }
}

const SLOW_READERS: FaultRow = {
  fault: '200 clients that ask for a list of 13 MB and read nothing',
  promise: 'nobody else waits; their places are free when they go',
  async run(t, stage) {
    const world = await startFaultWorld(t)
    const site = await openSite(t, world, stage.name, 5)
    await fatten(site, 13_000_000)
    const slow = await Promise.all(Array.from({ length: 200 }, () => begin(world, LIST)))
    const small = await openSite(t, world, `${stage.name}-small`)
    const watching = observe(small)
    await wait(5000)
    const seen = await watching.stop()
    for (const { sent } of slow) sent.destroy()
    const recoveredMs = Math.round(await shows(small, 'm0', 20))
    return { ...seen, recoveredMs, note: `discovery in the middle: ${seen.discoveryMs} ms` }
  },
}

const VANISHING: FaultRow = {
  fault: '100 clients that vanish in the middle of an answer',
  promise: 'nothing is left of them; everybody else is answered',
  fast: true,
  async run(t, stage) {
    const world = await startFaultWorld(t)
    const site = await openSite(t, world, stage.name, 5)
    await fatten(site, 1_500_000)
    const small = await openSite(t, world, `${stage.name}-small`)
    const watching = observe(small)
    for (let round = 0; round < 5; round++) {
      const many = await Promise.all(Array.from({ length: 20 }, () => begin(world, LIST)))
      for (const { sent } of many) sent.destroy()
    }
    const recoveredMs = Math.round(await shows(small, 'm0', 20))
    return { ...(await watching.stop()), recoveredMs }
  },
}

function watchers(count: number, mute: number, fast?: true): FaultRow {
  return {
    fault: `${count} watchers of which ${mute} never read`,
    promise: 'each of the others sees every change once; what they saw is what a list says',
    ...(fast === undefined ? {} : { fast }),
    async run(t, stage) {
      const world = await startFaultWorld(t)
      const site = await openSite(t, world, stage.name)
      const path = `${LIST}?watch=true&labelSelector=catalog%3D${site.name}`
      const seen: Map<string, string>[] = []
      const sents: ClientRequest[] = []
      for (let index = 0; index < count; index += 50) {
        const some = await Promise.all(Array.from({ length: Math.min(50, count - index) }, () => begin(world, path)))
        for (const { sent, got } of some) {
          sents.push(sent)
          if (sents.length > mute) seen.push(put(got))
        }
      }
      const watching = observe(site)
      for (const round of [1, 2, 3]) {
        site.publish(20 + round, `m${round}`)
        await shows(site, `m${round}`, 20 + round)
      }
      const began = performance.now()
      const right = (state: Map<string, string>) => state.size === 23 && [...state.values()].every((m) => m === 'm3')
      await eventually('all have seen it', () => seen.every(right), 60_000)
      for (const sent of sents) sent.destroy()
      return { ...(await watching.stop()), recoveredMs: Math.round(performance.now() - began) }
    },
  }
}

/** What a watcher put together: package → mark. */
function put(got: IncomingMessage): Map<string, string> {
  const state = new Map<string, string>()
  let rest = ''
  got.setEncoding('utf8').on('data', (piece: string) => {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const { type, object } = JSON.parse(line) as {
        type: string
        object: {
          metadata: { name: string }
          status: { channels: { currentCSVDesc: { annotations: { mark: string } } }[] }
        }
      }
      if (type === 'DELETED') state.delete(object.metadata.name)
      else state.set(object.metadata.name, object.status.channels[0]?.currentCSVDesc.annotations.mark ?? '')
    }
  })
  return state
}

const STORM: FaultRow = {
  fault: 'a storm of 300 lists at once where 20 are allowed',
  promise: '429 for some, never anything else; discovery for all',
  fast: true,
  async run(t, stage) {
    const world = await startFaultWorld(t, { flags: ['--max-requests-inflight=20'] })
    const site = await openSite(t, world, stage.name, 5)
    await fatten(site, 1_000_000)
    const statuses = new Map<number, number>()
    const times: number[] = []
    const asks = Array.from({ length: 300 }, async (_, index) => {
      const discovery = index % 20 === 0
      const answer = await world.ask(discovery ? '/apis' : LIST)
      if (discovery) {
        t.equal(answer.status, 200)
        times.push(answer.ms)
      } else statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    })
    await Promise.all(asks)
    t.same(
      [...statuses.keys()].filter((status) => status !== 200 && status !== 429),
      [],
    )
    t.ok((statuses.get(200) ?? 0) > 0)
    const recoveredMs = Math.round(await shows(site, 'm1', 26))
    return { lost: 0, recoveredMs, note: `${statuses.get(429) ?? 0} lists of 285 were told to come again` }
  },
}

export const CLIENT_ROWS: readonly FaultRow[] = [
  VANISHING,
  STORM,
  watchers(60, 10, true),
  watchers(1000, 100),
  SLOW_READERS,
]
