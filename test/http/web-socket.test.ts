import { once } from 'node:events'
import t, { type Test } from 'tap'
import { WebSocket } from 'ws'
import { composeAuthenticators } from '../../src/http/authentication.ts'
import { bearerTokenAuthenticator } from '../../src/http/bearer-token-authenticator.ts'
import { createPackageManifestResource } from '../../src/package-server/package-manifest-resource.ts'
import { eventually } from '../fixtures/eventually.ts'
import { type Served, type ServeOptions, serve, tlsOptions } from '../fixtures/http-server.ts'
import { catalogSource, offer } from '../fixtures/offered-manifests.ts'

const LIST = '/apis/packages.operators.coreos.com/v1/packagemanifests'
const source = catalogSource('olm/small')

async function serveCatalog(t: Test, options: ServeOptions = {}) {
  const resource = createPackageManifestResource({ globalNamespace: 'olm', now: Date.now })
  t.teardown(() => resource.close())
  await resource.replace(source, [offer(source, 'alpha')])
  return { resource, served: await serve(t, { resources: [resource], ...options }) }
}

function dial(
  t: Test,
  { port, credentials }: Served,
  path: string,
  protocols: readonly string[] = [],
  anonymous = false,
) {
  const { ca, cert, key } = tlsOptions(port, credentials, anonymous)
  const socket = new WebSocket(`wss://127.0.0.1:${port}${path}`, [...protocols], { ca, cert, key })
  t.teardown(() => socket.terminate())
  socket.on('error', () => undefined)
  return socket
}

async function frameOf(socket: WebSocket) {
  const [data, isBinary] = (await once(socket, 'message')) as [Buffer, boolean]
  return {
    isBinary,
    event: JSON.parse(data.toString('utf8')) as { type: string; object: { metadata: { name: string } } },
  }
}

t.test('one event per text frame, whatever sub-protocol is offered (R056)', async (t) => {
  const { served, resource } = await serveCatalog(t)
  const cases: [string[], string][] = [
    [[], ''],
    [['base64.binary.k8s.io'], 'base64.binary.k8s.io'],
    [['any.name', 'other'], 'any.name'],
  ]
  for (const [offered, chosen] of cases) {
    const socket = dial(t, served, `${LIST}?watch=true`, offered)
    const first = await frameOf(socket)
    t.equal(socket.protocol, chosen)
    t.match(first, { isBinary: false, event: { type: 'ADDED', object: { metadata: { name: 'alpha' } } } })
    await resource.replace(source, [offer(source, 'alpha', `for-${chosen}`)])
    t.match(await frameOf(socket), { event: { type: 'MODIFIED' } })
    socket.close()
    await eventually('the watch is gone', () => served.server.watches === 0)
  }
})

t.test('a token in a sub-protocol is a credential, and is not echoed', async (t) => {
  const review = async (token: string) => (token === 'good' ? { user: 'u', uid: '', groups: [], extra: {} } : undefined)
  const authenticate = composeAuthenticators({
    authenticators: [bearerTokenAuthenticator({ review })],
    anonymous: false,
  })
  const { served } = await serveCatalog(t, { authenticate })
  const protocol = (token: string) =>
    `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString('base64url')}`
  const socket = dial(t, served, `${LIST}?watch=1`, [protocol('good'), 'base64.binary.k8s.io'], true)
  t.match(await frameOf(socket), { event: { type: 'ADDED' } })
  t.equal(socket.protocol, 'base64.binary.k8s.io')
  for (const offered of [
    [protocol('bad'), 'x'],
    ['base64url.bearer.authorization.k8s.io.!', 'x'],
    ['x'],
    [protocol('good'), protocol('bad')],
  ]) {
    const refused = dial(t, served, `${LIST}?watch=1`, offered, true)
    const [, response] = (await once(refused, 'unexpected-response')) as [unknown, { statusCode: number }]
    t.equal(response.statusCode, 401, offered.join())
  }
})

t.test('pings are answered, data is ignored up to a bound', async (t) => {
  const { served } = await serveCatalog(t, { bounds: { webSocketBytes: 1000 } })
  const socket = dial(t, served, `${LIST}?watch=1`)
  await frameOf(socket)
  socket.ping('are you there')
  const [pong] = (await once(socket, 'pong')) as [Buffer]
  t.equal(pong.toString(), 'are you there')
  socket.send('x'.repeat(600))
  socket.ping()
  await once(socket, 'pong')
  t.equal(served.server.watches, 1)
  socket.send('x'.repeat(600))
  const [code] = (await once(socket, 'close')) as [number]
  t.equal(code, 1009)
  await eventually('the watch is gone', () => served.server.watches === 0)
  const huge = dial(t, served, `${LIST}?watch=1`)
  await frameOf(huge)
  huge.send('x'.repeat(5000))
  t.equal(((await once(huge, 'close')) as [number])[0], 1009)
  await eventually('the watch is gone', () => served.server.watches === 0)
})

t.test('a client that goes without a word, or closes half-way, is forgotten', async (t) => {
  const { served } = await serveCatalog(t)
  const { ca, cert, key } = tlsOptions(served.port, served.credentials)
  const { connect } = await import('node:tls')
  for (const leave of ['destroy', 'end'] as const) {
    const socket = connect({ host: '127.0.0.1', port: served.port, ca, cert, key })
    socket.on('error', () => undefined)
    const head = `GET ${LIST}?watch=1 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`
    socket.write(
      `${head}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`,
    )
    await once(socket, 'data')
    await eventually('it runs', () => served.server.watches === 1)
    socket[leave]()
    await eventually(`gone after ${leave}`, () => served.server.watches === 0)
    socket.destroy()
  }
})

t.test('the end of a watch is a normal closure', async (t) => {
  const { served } = await serveCatalog(t)
  const timed = dial(t, served, `${LIST}?watch=1&timeoutSeconds=1`)
  t.equal(((await once(timed, 'close')) as [number])[0], 1000)
  const open = dial(t, served, `${LIST}?watch=1`)
  await frameOf(open)
  const [closed] = await Promise.all([once(open, 'close') as Promise<[number]>, served.server.close()])
  t.equal(closed[0], 1000)
})

t.test('what is no watch is answered as if nothing had been asked to be upgraded', async (t) => {
  const { served } = await serveCatalog(t)
  const upgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': Buffer.alloc(16).toString('base64'),
  }
  const list = await served.ask(LIST, { headers: upgrade })
  t.match(list, { status: 200, json: { kind: 'PackageManifestList' } })
  const h2c = await served.ask(LIST, { headers: { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c' } })
  t.match(h2c, { status: 200, json: { kind: 'PackageManifestList' } })
  const refused = await served.ask(`${LIST}?watch=1`, { headers: upgrade, anonymous: true })
  t.match(refused, { status: 401, json: { kind: 'Status', reason: 'Unauthorized' } })
  const bad = await served.ask(`${LIST}?watch=1&resourceVersion=abc`, { headers: upgrade })
  t.match(bad, { status: 400, json: { kind: 'Status', message: /^resourceVersion: / } })
  for (const wrong of [
    { 'sec-websocket-version': '12' },
    { 'sec-websocket-key': 'x' },
    { 'sec-websocket-protocol': 'a b' },
  ]) {
    const answer = await served.ask(`${LIST}?watch=1`, { headers: { ...upgrade, ...wrong } })
    t.match(answer, { status: 400, json: { kind: 'Status', reason: 'BadRequest' } }, JSON.stringify(wrong))
  }
  await eventually('no place is kept', () => served.server.watches === 0)
})
