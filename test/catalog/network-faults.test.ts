// What a network or a registry can do to a catalog that was read: each time the list stays, the reason is said, and it recovers.
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import t, { type Test } from 'tap'
import { eventually } from '../fixtures/eventually.ts'
import { catalogSource, readCatalogs } from '../fixtures/read-catalogs.ts'
import { manyPackages } from '../fixtures/scripted-content.ts'
import { type ScriptedRegistry, scriptedRegistry } from '../fixtures/scripted-registry.ts'
import { type TcpProxy, tcpProxy } from '../fixtures/tcp-proxy.ts'

const LIMITS = { callDeadlineMs: 1000, listDeadlineMs: 1000 }
const KEY = 'olm/a'

interface Fault {
  readonly name: string
  /** Whether a reading begun afterwards can succeed all the same. */
  readonly survivable?: boolean
  begin(network: TcpProxy, registry: ScriptedRegistry): void | (() => void) | Promise<() => void>
  end?(network: TcpProxy, registry: ScriptedRegistry): void
}

const FAULTS: readonly Fault[] = [
  { name: 'connections are refused', begin: refuse, end: allow },
  {
    name: 'connections are taken and never served',
    begin(network) {
      network.accept = 'ignore'
      network.cut()
    },
    end: allow,
  },
  {
    name: 'everything stalls',
    begin(network) {
      network.stalled = true
    },
    end(network) {
      network.stalled = false
    },
  },
  {
    name: 'one byte a second',
    begin(network) {
      network.bytesPerSecond = 1
    },
    end(network) {
      network.bytesPerSecond = 0
      network.cut()
    },
  },
  {
    name: 'every connection is cut after 2000 bytes',
    begin(network) {
      network.cutAfter = 2000
      network.cut()
    },
    end(network) {
      network.cutAfter = undefined
    },
  },
  {
    name: 'bits flip',
    survivable: true,
    begin(network) {
      network.corruptEvery = 97
    },
    end(network) {
      network.corruptEvery = 0
      network.cut()
    },
  },
  {
    name: 'each piece is late',
    survivable: true,
    begin(network) {
      network.delayMs = 5
    },
    end(network) {
      network.delayMs = 0
    },
  },
  {
    name: 'garbage on the port',
    begin: (network) => elsewhere(network, (socket) => socket.write(Buffer.alloc(5000, 'zx\r\n'))),
  },
  {
    name: 'HTTP/1.1 on the port',
    begin: (network) => elsewhere(network, (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
  },
  { name: 'nothing on the port but an end', begin: (network) => elsewhere(network, (socket) => socket.end()) },
  { name: 'TLS on the port', begin: (network) => elsewhere(network, tlsOnly()) },
]

t.jobs = 6
for (const fault of FAULTS) {
  t.test(fault.name, { buffered: true }, async (t) => {
    const { registry, network } = await setUp(t)
    const { catalogs, listed, happened, logged } = await readCatalogs(t, [catalogSource('a', network.address)], {
      limits: LIMITS,
      interval: 100,
    })
    await eventually('read', () => listed(KEY)?.length === 30, 20_000)
    const undo = await fault.begin(network, registry)
    if (fault.survivable !== true) {
      await eventually('it is noticed', () => catalogs.state(KEY)?.failure, 10_000)
      t.match(catalogs.state(KEY)?.failure, /^\w+: [A-Z_]+: \S/)
      t.equal(listed(KEY)?.length, 30, 'the list stays')
    }
    const attempts = happened.length
    await eventually('it was tried again', () => happened.length > attempts, 10_000)
    undo?.()
    network.target = registry.address
    fault.end?.(network, registry)
    registry.packages = manyPackages(31)
    await eventually(
      'it recovers',
      () => listed(KEY)?.length === 31 && catalogs.state(KEY)?.failure === undefined,
      20_000,
    )
    const reasons = logged.said('the last good reading is kept').map(({ reason }) => String(reason))
    for (const [index, reason] of reasons.entries()) t.not(reason, reasons[index - 1], 'a reason is not repeated')
    await catalogs.close()
    await eventually('no connection is left', () => registry.connections === 0 && network.connections === 0)
  })
}

async function setUp(test: Test) {
  const registry = await scriptedRegistry({ packages: manyPackages(30) })
  const network = await tcpProxy(registry.address)
  test.teardown(async () => {
    await network.close()
    await registry.close()
  })
  return { registry, network }
}

function refuse(network: TcpProxy): void {
  network.accept = 'reset'
  network.cut()
}

function allow(network: TcpProxy): void {
  network.accept = 'pass'
  network.cut()
}

/** New connections end at something that is no registry. */
async function elsewhere(network: TcpProxy, serve: (socket: Socket) => void): Promise<() => void> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    serve(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  network.target = `127.0.0.1:${(server.address() as AddressInfo).port}`
  network.cut()
  return () => {
    server.close()
    network.cut()
  }
}

/** A TLS server without a certificate is enough: what matters is what it makes of bytes that are not TLS. */
function tlsOnly(): (socket: Socket) => void {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const server = createTlsServer({ key: privateKey.export({ type: 'pkcs8', format: 'pem' }) })
  server.on('tlsClientError', () => undefined)
  return (socket) => server.emit('connection', socket)
}
