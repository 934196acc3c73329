// Ended a hundred times under load: whoever learns from readiness in time loses no request, watches end cleanly, and nothing is left open.
import { once } from 'node:events'
import { Agent, request } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import t from 'tap'
import { systemClock } from '../../src/catalog/clock.ts'
import { composeAuthenticators } from '../../src/http/authentication.ts'
import { startPackageServer } from '../../src/package-server/package-server.ts'
import { eventually } from '../fixtures/eventually.ts'
import { issueCredentials } from '../fixtures/http-server.ts'

const ROUNDS = 100
/** Servers at a time: each waits most of its round. */
const TOGETHER = 5
const CLIENTS = 4
/** Unready, but serving: clients and servers share one event loop here. Milliseconds. */
const DELAY = 1000
const PATHS = [
  '/apis/packages.operators.coreos.com/v1/packagemanifests',
  '/openapi/v3/apis/packages.operators.coreos.com/v1',
  '/apis',
]
t.setTimeout(170_000)

const credentials = await issueCredentials()

function start() {
  return startPackageServer({
    sources: {
      async start(_signal, onChange) {
        onChange(new Map())
      },
    },
    serving: {
      host: '127.0.0.1',
      port: 0,
      certificate: { cert: credentials.serving.certificate, key: credentials.serving.key },
    },
    authenticate: composeAuthenticators({ authenticators: [], anonymous: true }),
    authorize: async () => ({ allowed: true, reason: '' }),
    globalNamespace: 'olm',
    interval: 60_000,
    maxMessageBytes: 1 << 20,
    proxies: { proxy: '', noProxy: '' },
    clock: systemClock(),
    log: pino({ level: 'silent' }),
  })
}

type Server = Awaited<ReturnType<typeof start>>

/** The status, when the whole answer is there; rejects where it breaks off. */
async function get(port: number, path: string, agent: Agent): Promise<number> {
  const sent = request({ host: '127.0.0.1', port, path, agent, ca: credentials.authority.certificate })
  sent.end()
  const [response] = await once(sent, 'response')
  response.resume()
  await once(response, 'end')
  return response.statusCode
}

interface Ending {
  /** From then on nobody may begin anything; undefined: it has not begun to end. Milliseconds. */
  at: number | undefined
}

/**
 * Asks without a pause, over connections kept and new ones, until the server says that it is not ready. Whoever is slow to learn that and
 * begins something in the second half of the delay may be refused.
 */
async function load(port: number, counts: Map<number, number>, ending: Ending): Promise<void> {
  const kept = new Agent({ keepAlive: true, maxSockets: 1 })
  const fresh = new Agent({ keepAlive: false })
  for (let turn = 0; ; turn++) {
    const agent = turn % 2 === 0 ? kept : fresh
    let began = performance.now()
    try {
      if ((await get(port, '/readyz', agent)) !== 200) break
      began = performance.now()
      const status = await get(port, PATHS[turn % PATHS.length] ?? '', agent)
      counts.set(status, (counts.get(status) ?? 0) + 1)
    } catch (fault) {
      if (ending.at === undefined || began < ending.at - DELAY / 2) throw fault
      break
    }
  }
  kept.destroy()
  fresh.destroy()
}

/** Resolves when the watch has ended as it should: its last line whole, its end told. */
async function watch(port: number, begun: () => void): Promise<string> {
  const path = `${PATHS[0]}?watch=true&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`
  const sent = request({ host: '127.0.0.1', port, path, agent: false, ca: credentials.authority.certificate })
  sent.end()
  const [response] = await once(sent, 'response')
  begun()
  let text = ''
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  await once(response, 'end')
  return response.complete && (text === '' || text.endsWith('\n')) ? 'clean' : `broken off: ${text.slice(-80)}`
}

async function round(counts: Map<number, number>): Promise<readonly string[]> {
  const server: Server = await start()
  await server.sourcesKnown
  const agent = new Agent({ keepAlive: false })
  await eventually('ready', async () => (await get(server.port, '/readyz', agent)) === 200)
  let watching = 0
  const watches = Array.from({ length: 3 }, () => watch(server.port, () => watching++))
  await eventually('watches', () => watching === 3)
  const own = new Map<number, number>()
  const ending: Ending = { at: undefined }
  const clients = Array.from({ length: CLIENTS }, () => load(server.port, own, ending))
  await eventually('answers', () => (own.get(200) ?? 0) >= CLIENTS)
  // Somewhere in the middle of what the clients do.
  await sleep(Math.random() * 20)
  ending.at = performance.now() + DELAY
  await server.close({ delayMilliseconds: DELAY, graceMilliseconds: 10_000 })
  await Promise.all(clients)
  for (const [status, count] of own) counts.set(status, (counts.get(status) ?? 0) + count)
  return Promise.all(watches)
}

function openHandles(): number {
  return process.getActiveResourcesInfo().filter((kind) => /TCP|TLS|HTTP|Server/.test(kind)).length
}

t.test(`${ROUNDS} times`, async (t) => {
  const counts = new Map<number, number>()
  const before = openHandles()
  const endings = new Map<string, number>()
  for (let done = 0; done < ROUNDS; done += TOGETHER) {
    const rounds = await Promise.all(Array.from({ length: TOGETHER }, () => round(counts)))
    for (const ending of rounds.flat()) endings.set(ending, (endings.get(ending) ?? 0) + 1)
  }
  t.strictSame([...counts.keys()], [200], 'every request that was accepted was answered well')
  t.ok((counts.get(200) ?? 0) > ROUNDS, `${counts.get(200)} of them`)
  t.strictSame([...endings], [['clean', ROUNDS * 3]])
  await eventually('nothing is left open', () => openHandles() <= before)
  t.pass('nothing is left open')
})
