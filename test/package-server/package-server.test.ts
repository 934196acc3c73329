// The assembly in one process, over real gRPC and TLS: what is answered before, while and after catalogs are read.
import { createServer } from 'node:net'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { settableSources } from '../../src/catalog/catalog-sources.ts'
import { systemClock } from '../../src/catalog/clock.ts'
import { issueAuthority, issueServing } from '../../src/certificates/issue.ts'
import { type PackageServerOptions, startPackageServer } from '../../src/package-server/package-server.ts'
import { NO_PROXIES } from '../../src/registry/proxy-route.ts'
import { eventually } from '../fixtures/eventually.ts'
import { catalogSource } from '../fixtures/read-catalogs.ts'
import { samplePackage } from '../fixtures/sample-catalogs.ts'
import { secureGet } from '../fixtures/secure-request.ts'
import { serveRegistry } from '../fixtures/served-registries.ts'

const API = '/apis/packages.operators.coreos.com/v1'
const ADMIN = { user: 'admin', uid: '', groups: ['system:masters'], extra: {} }

async function start(t: Test, more: Partial<PackageServerOptions> = {}) {
  const validity = { now: Date.now(), lifetime: 3_600_000 }
  const authority = await issueAuthority('authority', validity)
  const serving = await issueServing(authority, { commonName: 'server', hosts: ['127.0.0.1'] }, validity)
  const sources = settableSources()
  const server = await startPackageServer({
    sources,
    serving: { host: '127.0.0.1', port: 0, certificate: { cert: serving.certificate, key: serving.key } },
    authenticate: async () => ADMIN,
    authorize: async () => ({ allowed: true }),
    globalNamespace: 'olm',
    interval: 3_600_000,
    maxMessageBytes: 2 ** 26,
    proxies: NO_PROXIES,
    clock: systemClock(),
    log: pino({ level: 'silent' }),
    ...more,
  })
  t.teardown(() => server.close({ graceMilliseconds: 100 }))
  await server.sourcesKnown
  const ask = async (path: string) => {
    const { status, headers, body } = await secureGet(`https://127.0.0.1:${server.port}${path}`, {
      ca: authority.certificate,
    })
    return { status, headers, text: body.toString() }
  }
  const names = async (path = `${API}/packagemanifests`) =>
    (JSON.parse((await ask(path)).text) as { items: { metadata: { namespace: string; name: string } }[] }).items.map(
      ({ metadata }) => `${metadata.namespace}/${metadata.name}`,
    )
  return { server, sources, ask, names }
}

/** Takes connections and never says a word. */
async function silentRegistry(t: Test): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const sockets = new Set<import('node:net').Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `127.0.0.1:${(server.address() as { port: number }).port}`
}

t.test(
  'before every catalog was tried: an unknown name is 503, a list is what there is, readiness waits',
  async (t) => {
    const folder = t.testdir({ 'a.json': samplePackage({ name: 'a' }) })
    const address = await serveRegistry(t, folder)
    let monotonic = 0
    let epoch = 1_800_000_000_000
    const clock = { ...systemClock(), now: () => epoch, monotonic: () => monotonic }
    const { sources, ask, names } = await start(t, { clock })
    t.equal((await ask('/readyz')).status, 200, 'no catalog is no reason to wait')

    sources.set([catalogSource('good', address), catalogSource('silent', await silentRegistry(t))])
    await eventually('the good one', async () => (await names()).join() === 'olm/a')
    t.equal((await ask('/readyz')).status, 500)
    t.match(await ask('/readyz/catalogs-tried'), { status: 500, text: /has not ended yet/ })
    t.equal((await ask('/livez')).status, 200)
    const unknown = await ask(`${API}/namespaces/olm/packagemanifests/nope`)
    t.match(unknown, { status: 503, headers: { 'retry-after': /^\d+$/ }, text: /"reason":"ServiceUnavailable"/ })
    t.equal((await ask(`${API}/namespaces/olm/packagemanifests/a`)).status, 200)
    t.equal(
      (await ask(`${API}/namespaces/team/packagemanifests/nope`)).status,
      503,
      'global catalogs are seen from everywhere',
    )

    monotonic += 10_000
    t.equal((await ask('/readyz')).status, 200, 'ready after ten seconds at the latest')
    t.equal((await ask(`${API}/namespaces/olm/packagemanifests/nope`)).status, 503)
    epoch += 30_000
    t.equal(
      (await ask(`${API}/namespaces/olm/packagemanifests/nope`)).status,
      404,
      'an unknown name is final after thirty',
    )
  },
)

t.test('while more catalogs are awaited nothing is final', async (t) => {
  let more = true
  const { ask } = await start(t, { awaiting: () => more })
  t.equal((await ask('/readyz')).status, 500)
  t.equal((await ask(`${API}/namespaces/olm/packagemanifests/nope`)).status, 503)
  more = false
  t.equal((await ask('/readyz')).status, 200)
  t.equal((await ask(`${API}/namespaces/olm/packagemanifests/nope`)).status, 404)
})

t.test('a catalog that is unreachable delays nobody and is told (R024, R027)', async (t) => {
  const address = await serveRegistry(t, t.testdir({ 'a.json': samplePackage({ name: 'a' }) }))
  const { sources, ask, names } = await start(t)
  const gone = createServer()
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve))
  const { port } = gone.address() as { port: number }
  await new Promise((resolve) => gone.close(resolve))
  sources.set([catalogSource('gone', `127.0.0.1:${port}`), catalogSource('good', address)])
  await eventually('ready', async () => (await ask('/readyz')).status === 200)
  t.strictSame(await names(), ['olm/a'])
  t.match((await ask(`${API}/packagemanifests`)).headers.warning, /catalog olm\/gone: missing, unread since/)
  const { items } = JSON.parse((await ask(`${API}/catalogstatuses`)).text) as {
    items: { metadata: { name: string }; status: { failure?: { reason: string } } }[]
  }
  t.match(items.find(({ metadata }) => metadata.name === 'gone')?.status.failure?.reason, /UNAVAILABLE/)
})

t.test(
  'another reading of the same content changes nothing; another name of the catalog needs no reading',
  async (t) => {
    const folder = t.testdir({ 'a.json': samplePackage({ name: 'a' }) })
    const address = await serveRegistry(t, folder)
    let listed = 0
    const { server, sources, ask, names } = await start(t, { news: { listed: () => void listed++ } })
    const source = catalogSource('one', address)
    sources.set([source])
    await eventually('listed', async () => (await names()).length === 1)
    const before = (await ask(`${API}/packagemanifests`)).text
    server.readNow(source)
    await eventually('read again', () => listed === 2)
    t.equal((await ask(`${API}/packagemanifests`)).text, before, 'the same bytes, the same versions')

    sources.set([{ ...source, displayName: 'Renamed', labels: { team: 'blue' } }])
    await eventually('the new name', async () =>
      (await ask(`${API}/packagemanifests?labelSelector=team%3Dblue`)).text.includes(
        '"catalogSourceDisplayName":"Renamed"',
      ),
    )
    t.equal(listed, 2, 'without a reading')
    sources.set([])
    await eventually('gone', async () => (await names()).length === 0)
    t.equal((await ask(`${API}/namespaces/olm/packagemanifests/a`)).status, 404)
  },
)

t.test('a port that is taken, an address that is none', async (t) => {
  const { server } = await start(t)
  const certificate = { cert: '', key: '' }
  await t.rejects(start(t, { serving: { host: '127.0.0.1', port: server.port, certificate } }), { code: 'PORT_IN_USE' })
  await t.rejects(start(t, { serving: { host: '192.0.2.1', port: 0, certificate } }), { code: 'LISTEN_FAILED' })
})
