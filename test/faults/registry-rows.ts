// What a registry, or the network before it, can do. Each row has a catalog of its own in one world, so that all of them together
// also show that none costs another anything.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { createServer as createTlsServer } from 'node:tls'
import type { Test } from 'tap'
import { eventually } from '../fixtures/eventually.ts'
import { freshness, observe, openSite, type Site, shows } from '../fixtures/fault-world.ts'
import { answersOf, METHODS } from '../fixtures/scripted-content.ts'
import type { Answer, ScriptedCall } from '../fixtures/scripted-registry.ts'
import type { FaultRow, Measured } from './fault-row.ts'

const STAYS = 'the last good list stays, marked stale, and recovers by itself'
const HOLDS = 'nothing is lost and nothing is stale for longer than the next reading'

interface RegistryFault {
  readonly fault: string
  readonly promise?: string
  readonly fast?: true
  /** Until it is said that the list is stale, ms. Absent: the fault need not make it so. */
  readonly staleWithin?: number
  begin(site: Site, t: Test): void | Promise<void>
  end?(site: Site): void
}

function row({ fault, promise, fast, staleWithin, begin, end }: RegistryFault): FaultRow {
  return {
    fault,
    promise: promise ?? (staleWithin === undefined ? HOLDS : STAYS),
    ...(fast === undefined ? {} : { fast }),
    async run(t, stage): Promise<Measured> {
      const site = await openSite(t, await stage.world(), stage.name)
      const watching = observe(site)
      await begin(site, t)
      if (staleWithin === undefined) await wait(3000)
      else {
        const stale = async () => (await freshness(site.world, site.name)) === 'False'
        await eventually('stale', stale, staleWithin)
      }
      site.publish(25, 'm1')
      site.registry.script = () => undefined
      end?.(site)
      const recoveredMs = await shows(site, 'm1', 25)
      return { ...(await watching.stop()), recoveredMs: Math.round(recoveredMs) }
    },
  }
}

function scripted(answer: (call: ScriptedCall, site: Site) => Answer | undefined): (site: Site) => void {
  return (site) => {
    site.registry.script = (call) => answer(call, site)
    // A reading of unchanged content asks all the same, every second.
  }
}

const killed: readonly RegistryFault[] = METHODS.map((method) => ({
  fault: `connection lost in the middle of ${method} (R023)`,
  fast: true,
  staleWithin: 30_000,
  begin: scripted((call) =>
    call.method === method ? { first: method.startsWith('List') ? 3 : 0, ending: 'drop' } : undefined,
  ),
}))

const STATUSES = { UNAVAILABLE: 14, RESOURCE_EXHAUSTED: 8, UNIMPLEMENTED: 12, DATA_LOSS: 15 }

const statuses: readonly RegistryFault[] = Object.entries(STATUSES).map(([name, status]) => ({
  fault: `ListBundles ends with ${name} in the middle (R023)`,
  staleWithin: 30_000,
  begin: scripted(({ method }) =>
    method === 'ListBundles' ? { first: 5, ending: { status, details: name } } : undefined,
  ),
}))

const others: readonly RegistryFault[] = [
  {
    fault: 'stopped: connections are refused',
    fast: true,
    staleWithin: 30_000,
    begin({ network }) {
      network.accept = 'reset'
      network.cut()
    },
    end({ network }) {
      network.accept = 'pass'
    },
  },
  {
    fault: 'frozen: connections stay, nothing is answered (as SIGSTOP)',
    staleWithin: 200_000,
    begin({ network }) {
      network.stalled = true
    },
    end({ network }) {
      network.stalled = false
    },
  },
  {
    fault: 'one byte a second',
    staleWithin: 200_000,
    begin({ network }) {
      network.bytesPerSecond = 1
    },
    end({ network }) {
      network.bytesPerSecond = 0
      network.cut()
    },
  },
  {
    fault: 'no call is ever answered',
    staleWithin: 200_000,
    begin: scripted(() => ({ messages: [], ending: 'hang' })),
  },
  {
    fault: 'GOAWAY every 3 s (R049)',
    begin({ registry }, t) {
      const timer = setInterval(() => registry.goAway(), 3000)
      t.teardown(() => clearInterval(timer))
      return wait(7000)
    },
  },
  {
    fault: 'half of the packages, cleanly ended',
    promise: 'a whole reading is believed; the log and an Event say how many packages went',
    fast: true,
    async begin(site) {
      site.publish(10, 'm0')
      await shows(site, 'm0', 10)
      await toldGone(site, 10)
      await eventually('said', () => site.world.log().includes(`"catalog":"olm/${site.name}","gone":10`))
    },
  },
  {
    fault: 'empty, cleanly ended',
    promise: 'a whole reading is believed; the log and an Event say how many packages went',
    fast: true,
    async begin(site) {
      site.publish(0, 'm0')
      await shows(site, 'm0', 0)
      await toldGone(site, 20)
      await eventually('said', () => site.world.log().includes(`"catalog":"olm/${site.name}","gone":20`))
    },
  },
  {
    fault: 'everything is said twice',
    fast: true,
    begin: scripted(({ method, request }, { registry }) => {
      const messages = answersOf(registry.packages, method, request)
      return messages === undefined || !method.startsWith('List') ? undefined : { messages: [...messages, ...messages] }
    }),
  },
  {
    fault: 'ListBundles lacks the heads that GetPackage names',
    fast: true,
    staleWithin: 30_000,
    begin: scripted(({ method, request }, { registry }) => {
      const messages = answersOf(registry.packages, method, request) ?? []
      return method === 'ListBundles' ? { messages: messages.filter((_, index) => index % 4 !== 0) } : undefined
    }),
  },
  {
    fault: 'changes all the time while it is read',
    fast: true,
    promise: 'a list is one edition, never a mixture of two',
    begin(site, t) {
      let number = 2
      const timer = setInterval(() => site.publish(20, `m${number++}`), 150)
      t.teardown(() => clearInterval(timer))
      return wait(5000).then(() => clearInterval(timer))
    },
  },
  {
    fault: 'one message of 100 MB',
    staleWithin: 200_000,
    begin: scripted(({ method }) =>
      method === 'ListBundles' ? { messages: [Buffer.alloc(100 * 2 ** 20, 10)] } : undefined,
    ),
  },
  {
    fault: 'garbage on the port',
    fast: true,
    staleWithin: 60_000,
    begin: (site, t) => elsewhere(site, t, (socket) => void socket.end(Buffer.alloc(5000, 'zx\r\n'))),
    end: back,
  },
  {
    fault: 'TLS on the port',
    fast: true,
    staleWithin: 60_000,
    begin(site, t) {
      const server = createTlsServer({})
      server.on('tlsClientError', () => undefined)
      return elsewhere(site, t, (socket) => void server.emit('connection', socket))
    },
    end: back,
  },
  {
    fault: 'restarted on another address behind the same name',
    fast: true,
    promise: 'found within one back-off (R049)',
    async begin(site, t) {
      const { scriptedRegistry } = await import('../fixtures/scripted-registry.ts')
      const other = await scriptedRegistry({ packages: site.registry.packages })
      t.teardown(() => other.close())
      site.network.target = other.address
      site.network.cut()
      await eventually('connected', () => other.calls.length > 0, 60_000)
      site.network.target = site.registry.address
      site.network.cut()
    },
  },
]

export const REGISTRY_ROWS: readonly FaultRow[] = [...killed, ...statuses, ...others].map(row)

/** By an Event on the CatalogSource. */
async function toldGone({ world, name }: Site, count: number): Promise<void> {
  const note = `the catalog does not hold ${count} packages any more`
  await eventually('an Event', () =>
    world.api.requests.some(
      ({ method, path, body }) =>
        method === 'POST' &&
        path.includes('/events') &&
        JSON.stringify(body).includes(note) &&
        JSON.stringify(body).includes(name),
    ),
  )
}

async function elsewhere({ network }: Site, t: Test, serve: (socket: Socket) => void): Promise<void> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    serve(socket)
  })
  t.teardown(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  network.target = `127.0.0.1:${(server.address() as AddressInfo).port}`
  network.cut()
}

function back({ network, registry }: Site): void {
  network.target = registry.address
  network.cut()
}
