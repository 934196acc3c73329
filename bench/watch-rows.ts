// A thousand watchers that do nothing, beside as many bare answers of node:https held open, and how soon one change reaches
// all of them.
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startLimits } from './limits.ts'
import { type ListedServer, withListedServer } from './listed-server.ts'
import { PACKAGES } from './measured-server.ts'
import type { ObservedProcess } from './observed-process.ts'
import type { Row } from './result.ts'
import type { Run } from './run-bench.ts'
import { type Credentials, secureClient } from './secure-client.ts'

const WATCHERS = 1000
const AT_ONCE = 50
const GROUP = `${WATCHERS} watchers`
const LONGEST_WAIT_MS = 30_000

export function watchRows(run: Run): Promise<readonly Row[]> {
  return withListedServer(run, 412, async (server) => {
    const data = join(run.folder, 'data')
    const cert = await readFile(join(data, 'serving.crt'), 'utf8')
    const key = await readFile(join(data, 'serving.key'), 'utf8')
    const limits = await startLimits({ ca: server.credentials.ca, cert, key }, run.folder)
    await server.process.observe('rest')
    try {
      const held = await hold(limits.node.process, limits.node.origin, server.credentials, '/held')
      await held.close()
      const watched = await hold(server.process, server.origin, server.credentials, await watchPath(server))
      const arrivals = arrivalsOf(watched.responses)
      await run.registries.change(1, 1)
      await server.readNow()
      const times = await arrivals
      await watched.close()
      const [ours, bare] = [watched.kilobytesEach, held.kilobytesEach]
      return [
        { group: GROUP, name: 'memory of each', unit: 'kB', value: ours.held },
        { group: GROUP, name: 'memory of each bare answer held open', unit: 'kB', value: bare.held },
        { group: GROUP, name: 'more than a bare one', unit: 'kB', value: ours.held - bare.held, goal: { atMost: 20 } },
        { group: GROUP, name: 'more than a bare one, resident', unit: 'kB', value: ours.resident - bare.resident },
        { group: GROUP, name: 'reached by a change', unit: '', value: times.length, goal: { atLeast: WATCHERS } },
        {
          group: GROUP,
          name: 'from the first watcher reached to the last',
          unit: 's',
          value: ((times.at(-1) ?? Number.NaN) - (times[0] ?? Number.NaN)) / 1000,
          goal: { atMost: 1 },
        },
      ]
    } finally {
      await limits.stop()
    }
  })
}

async function watchPath({ client }: ListedServer): Promise<string> {
  const { body } = await client.ask(`${PACKAGES}?limit=1`)
  const version = /"resourceVersion":"(\d+)"/.exec(body.toString())?.[1]
  return `${PACKAGES}?watch=true&allowWatchBookmarks=true&resourceVersion=${version}&timeoutSeconds=600`
}

interface Held {
  readonly responses: readonly IncomingMessage[]
  readonly kilobytesEach: { readonly held: number; readonly resident: number }
  close(): Promise<void>
}

async function hold(process: ObservedProcess, origin: string, credentials: Credentials, path: string): Promise<Held> {
  const before = await settled(process)
  const clients = Array.from({ length: WATCHERS }, () => secureClient(origin, credentials))
  const responses: IncomingMessage[] = []
  for (let start = 0; start < WATCHERS; start += AT_ONCE) {
    responses.push(...(await Promise.all(clients.slice(start, start + AT_ONCE).map((client) => client.open(path)))))
  }
  const wrong = responses.find(({ statusCode }) => statusCode !== 200)
  if (wrong !== undefined) throw new Error(`${origin}: status ${wrong.statusCode} for a watcher`)
  for (const response of responses) response.resume()
  const after = await settled(process)
  const each = (megabytes: number) => (megabytes * 1024) / WATCHERS
  return {
    responses,
    kilobytesEach: { held: each(after.heldMB - before.heldMB), resident: each(after.rssMB - before.rssMB) },
    async close() {
      for (const response of responses) response.destroy()
      for (const client of clients) client.close()
    },
  }
}

async function settled(process: ObservedProcess) {
  for (let round = 0; round < 3; round++) {
    await pause(500)
    await process.observe('collect')
  }
  return process.observe('collect')
}

/** When each response first brought an event, sorted. */
function arrivalsOf(responses: readonly IncomingMessage[]): Promise<readonly number[]> {
  const times: number[] = []
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      resolve(times)
    }
    const timer = setTimeout(end, LONGEST_WAIT_MS)
    for (const response of responses) {
      const take = (piece: Buffer) => {
        if (!piece.includes('"MODIFIED"')) return
        response.off('data', take)
        times.push(performance.now())
        if (times.length === responses.length) end()
      }
      response.on('data', take)
    }
  })
}
