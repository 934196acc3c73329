import { once } from 'node:events'
import { Agent } from 'node:https'
import { connect, type TLSSocket } from 'node:tls'
import t, { type Test } from 'tap'
import { issueAuthority, issueClient, issueServing } from '../../src/certificates/issue.ts'
import { composeAuthenticators } from '../../src/http/authentication.ts'
import { type Attributes, attributesOf } from '../../src/http/authorization.ts'
import { clientCertificateAuthenticator } from '../../src/http/client-certificate.ts'
import { parsePath } from '../../src/http/request-path.ts'
import type { Payload, Resource } from '../../src/http/resource.ts'
import { pathNotFound } from '../../src/http/status.ts'
import { PACKAGE_MANIFEST_DEFINITION } from '../../src/package-server/package-manifest-definition.ts'
import { eventually } from '../fixtures/eventually.ts'
import { askServer, authoritiesOf, type Served, serve, tlsOptions } from '../fixtures/http-server.ts'

const LIST = '/apis/packages.operators.coreos.com/v1/packagemanifests'
const HOUR = 3_600_000

t.test('health is open to all, everything else wants a certificate', async (t) => {
  const { ask } = await serve(t)
  for (const path of ['/healthz', '/livez', '/readyz']) {
    const reply = await ask(path, { anonymous: true })
    t.match(reply, { status: 200, text: 'ok', headers: { 'content-type': 'text/plain; charset=utf-8' } })
  }
  const refused = await ask('/apis', { anonymous: true })
  t.match(refused, { status: 401, json: { kind: 'Status', apiVersion: 'v1', reason: 'Unauthorized', code: 401 } })
  t.equal((await ask('/apis')).status, 200)
})

t.test('every refusal is a Status', async (t) => {
  const { ask } = await serve(t)
  const cases = [
    ['GET', '/nope', 404, 'NotFound'],
    ['GET', '/apis/x/v1/things', 404, 'NotFound'],
    ['POST', '/apis', 405, 'MethodNotAllowed'],
    ['PURGE', '/apis', 405, 'MethodNotAllowed'],
    ['GET', '/a//b', 400, 'BadRequest'],
    ['GET', '/apis/../x', 400, 'BadRequest'],
    ['GET', '/apis/%2e%2e/x', 400, 'BadRequest'],
    ['GET', '/apis/%2f/x', 400, 'BadRequest'],
    ['GET', '/apis/%5c', 400, 'BadRequest'],
    ['GET', '/apis/%00', 400, 'BadRequest'],
    ['GET', '/apis/%zz', 400, 'BadRequest'],
    ['GET', '/apis/%ff', 400, 'BadRequest'],
    ['GET', '//', 400, 'BadRequest'],
    ['GET', '*', 400, 'BadRequest'],
    ['GET', 'http://elsewhere/apis', 400, 'BadRequest'],
    ['GET', `/${'a'.repeat(64 * 1024)}`, 414, 'RequestURITooLong'],
    ['GET', `/apis?${'a'.repeat(64 * 1024)}`, 414, 'RequestURITooLong'],
    ['GET', `/${'a'.repeat(2 * 1024 * 1024)}`, 431, 'RequestHeaderFieldsTooLarge'],
  ] as const
  for (const [method, path, code, reason] of cases) {
    const reply = await ask(path, { method })
    t.match(
      reply.json,
      { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, code },
      `${method} ${path.slice(0, 40)}`,
    )
    t.equal(reply.status, code)
  }
  t.equal((await ask('/apis', { method: 'DELETE' })).headers.allow, 'GET, HEAD')
})

t.test('a user in a thousand groups comes through', async (t) => {
  const { ask } = await serve(t)
  const groups = Array.from({ length: 1000 }, (_, index) => `group-number-${index}-with-a-long-name`)
  t.equal((await ask('/apis', { headers: { 'x-remote-group': groups } })).status, 200)
  const most = Array.from({ length: 11_000 }, () => 'g')
  t.equal((await ask('/apis', { headers: { 'x-remote-group': most } })).status, 431)
})

async function dial(t: Test, { port, credentials }: Served): Promise<TLSSocket> {
  const { ca, cert, key } = tlsOptions(port, credentials)
  const socket = connect({ host: '127.0.0.1', port, ca, cert, key })
  t.teardown(() => socket.destroy())
  socket.on('error', () => undefined)
  socket.setEncoding('utf8')
  await once(socket, 'secureConnect')
  return socket
}

async function textUntilClosed(socket: TLSSocket): Promise<string> {
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  return text
}

t.test('what is no HTTP/1.1 is refused and closed', async (t) => {
  const served = await serve(t)
  const cases: [string, RegExp][] = [
    ['FOO / HTTP/1.1\r\nHost: x\r\n\r\n', /^HTTP\/1\.1 405 (.|\n|\r)*"reason":"MethodNotAllowed"/],
    ['GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', /^HTTP\/1\.1 400 /],
    [
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      /^HTTP\/1\.1 400 /,
    ],
    ['GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['GET / HTTP/1.1\nHost: x\n\n', /^HTTP\/1\.1 400 /],
    ['\u0000\u0001\r\n\r\n', /^HTTP\/1\.1 400 /],
  ]
  for (const [request, wanted] of cases) {
    const socket = await dial(t, served)
    socket.write(request)
    t.match(await textUntilClosed(socket), wanted, JSON.stringify(request.slice(0, 60)))
  }
})

t.test('a body is not read beyond its bound', async (t) => {
  const served = await serve(t, { bounds: { bodyBytes: 10_000 } })
  const small = await served.ask('/apis', { method: 'POST', body: '{}' })
  t.equal(small.status, 405)
  const socket = await dial(t, served)
  const reading = textUntilClosed(socket).catch(() => '')
  socket.write('POST /apis HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n')
  const feed = setInterval(() => socket.write('x'.repeat(5000)), 1)
  await eventually('the connection is closed', () => socket.destroyed || socket.readableEnded)
  clearInterval(feed)
  t.match(await reading, /^(HTTP\/1\.1 405 |$)/)
  const waiting = await dial(t, served)
  waiting.write('POST /apis HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n')
  const [first] = (await once(waiting, 'data')) as [string]
  t.match(first, /^HTTP\/1\.1 405 /, 'no leave is given to send a body')
})

t.test('headers that do not come are not waited for', async (t) => {
  const served = await serve(t, { bounds: { headersMilliseconds: 300, requestMilliseconds: 400 } })
  const socket = await dial(t, served)
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nSlow: ')
  t.match(await textUntilClosed(socket), /^HTTP\/1\.1 408 /)
})

t.test('certificates are judged at each request, not only at the handshake', async (t) => {
  const time = { offset: 0 }
  const clock = { now: () => Date.now() + time.offset, random: Math.random }
  const authority = await issueAuthority('mine', { now: Date.now(), lifetime: HOUR })
  let authorities = authoritiesOf(authority)
  const served = await serve(t, {
    clock,
    authenticate: composeAuthenticators({
      authenticators: [clientCertificateAuthenticator({ authorities: () => authorities, clock })],
      anonymous: true,
    }),
  })
  const own = await issueClient(authority, { user: 'u', groups: ['g'] }, { now: Date.now(), lifetime: HOUR })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  const request = { agent, cert: own.certificate, key: own.key }
  const status = async () => (await askServer(served.port, served.credentials, '/apis', request)).status
  t.equal(await status(), 200)
  time.offset = 2 * HOUR
  t.equal(await status(), 401, 'expired meanwhile, on the same connection')
  time.offset = 0
  t.equal(await status(), 200)
  authorities = authoritiesOf(await issueAuthority('another', { now: Date.now(), lifetime: HOUR }))
  t.equal(await status(), 401, 'its authority is no longer trusted')
  t.equal((await served.ask('/apis', { anonymous: true })).status, 403, 'no certificate: anonymous, who may nothing')
})

function holding(): { resource: Resource; release: () => void; asked: () => number } {
  const { promise, resolve } = Promise.withResolvers<void>()
  let asked = 0
  const answer = async (): Promise<Payload> => {
    asked += 1
    await promise
    return { contentType: 'application/json', etag: undefined, warnings: [], bytes: async () => [Buffer.from('{}')] }
  }
  const none = () => Promise.reject(pathNotFound())
  const resource: Resource = {
    definition: PACKAGE_MANIFEST_DEFINITION,
    get: none,
    list: answer,
    watch: none,
    getSubresource: none,
  }
  return { resource, release: resolve, asked: () => asked }
}

t.test('closing: unready first, running answers finish, new connections are refused (R028)', async (t) => {
  const { resource, release, asked } = holding()
  const served = await serve(t, { resources: [resource] })
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  t.equal((await served.ask('/readyz', { agent })).status, 200)
  const running = served.ask(LIST)
  await eventually('it is being answered', () => asked() === 1)
  const closed = served.server.close({ delayMilliseconds: 300 })
  const unready = await served.ask('/readyz?verbose')
  t.match(unready, { status: 500, text: /\[-\]shutdown failed/ })
  t.equal((await served.ask('/livez')).status, 200)
  t.equal((await served.ask('/apis')).status, 200, 'still served')
  await eventually('connections are refused', () =>
    served.ask('/livez').then(
      () => false,
      () => true,
    ),
  )
  release()
  t.equal((await running).status, 200)
  await closed
})

t.test('closing cuts what does not finish', async (t) => {
  const { resource, asked } = holding()
  const served = await serve(t, { resources: [resource] })
  const running = served.ask(LIST).then(
    () => 'answered',
    () => 'cut',
  )
  await eventually('it is being answered', () => asked() === 1)
  await served.server.close({ graceMilliseconds: 100 })
  t.equal(await running, 'cut')
})

t.test('too many requests at once: 429, but health and discovery have room', async (t) => {
  const { resource, release, asked } = holding()
  const served = await serve(t, { resources: [resource], bounds: { requestsInFlight: 2 } })
  const running = [served.ask(LIST), served.ask(LIST)]
  await eventually('both are being answered', () => asked() === 2)
  t.match(await served.ask(LIST), { status: 429, json: { reason: 'TooManyRequests' }, headers: { 'retry-after': '1' } })
  t.equal((await served.ask('/apis')).status, 200)
  t.equal((await served.ask('/readyz')).status, 200)
  release()
  for (const reply of await Promise.all(running)) t.equal(reply.status, 200)
  t.equal((await served.ask(LIST)).status, 200)
})

t.test('a connection full of requests that wait for no answer takes no more than its places', async (t) => {
  const { resource, release, asked } = holding()
  const served = await serve(t, { resources: [resource], bounds: { requestsPerConnection: 3 } })
  const socket = await dial(t, served)
  let text = ''
  socket.on('data', (chunk) => {
    text += String(chunk)
  })
  socket.write(`GET ${LIST} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(10))
  await eventually('its places are taken', () => asked() === 3)
  const other = served.ask(LIST)
  await eventually('another connection has its own', () => asked() === 4)
  release()
  t.equal((await other).status, 200)
  await eventually('all are answered, in order', () => text.match(/HTTP\/1\.1 /g)?.length === 10)
  const codes = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => code)
  t.same(codes, [...Array(3).fill('200'), ...Array(7).fill('429')])
})

t.test('a new serving certificate counts for new connections', async (t) => {
  const served = await serve(t)
  const validity = { now: Date.now(), lifetime: HOUR }
  const fresh = await issueServing(
    served.credentials.authority,
    { commonName: 'fresh', hosts: ['127.0.0.1'] },
    validity,
  )
  const old = await dial(t, served)
  t.equal(old.getPeerCertificate().subject.CN, 'localhost')
  served.server.setCertificate({ cert: fresh.certificate, key: fresh.key })
  t.throws(() => served.server.setCertificate({ cert: fresh.certificate, key: served.credentials.client.key }))
  t.equal((await dial(t, served)).getPeerCertificate().subject.CN, 'fresh')
  old.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
  const [text] = (await once(old, 'data')) as [string]
  t.match(text, /^HTTP\/1\.1 200 /)
})

t.test('handshakes that fail are told by cause (R032)', async (t) => {
  const codes: string[] = []
  const { port } = await serve(t, { onHandshakeFailure: (code) => codes.push(code) })
  const old = connect({
    host: '127.0.0.1',
    port,
    rejectUnauthorized: false,
    maxVersion: 'TLSv1.1',
    minVersion: 'TLSv1',
    ciphers: 'DEFAULT@SECLEVEL=0',
  })
  old.on('error', () => undefined)
  await eventually('it is told', () => codes.length === 1)
  t.match(codes[0], /UNSUPPORTED_PROTOCOL|WRONG_VERSION/)
})

t.test('what a request does, as a SubjectAccessReview carries it', async (t) => {
  const of = (method: string, url: string): Attributes => {
    const [path = '', query] = url.split('?')
    return attributesOf(method, parsePath(path), new URLSearchParams(query))
  }
  const base = { kind: 'resource', group: 'packages.operators.coreos.com', version: 'v1', resource: 'packagemanifests' }
  const named = '/apis/packages.operators.coreos.com/v1/namespaces/n/packagemanifests/a'
  const cases: [string, string, object][] = [
    ['GET', LIST, { ...base, verb: 'list', namespace: '', name: '', subresource: '' }],
    ['HEAD', LIST, { ...base, verb: 'list' }],
    ['GET', `${LIST}?watch=1`, { ...base, verb: 'watch' }],
    ['GET', `${LIST}?watch=0`, { ...base, verb: 'list' }],
    ['GET', `${LIST}?watch=1&limit=abc`, { ...base, verb: 'watch' }],
    ['GET', `${LIST}?fieldSelector=metadata.name%3Dx`, { ...base, verb: 'list', name: 'x' }],
    ['GET', `${LIST}?fieldSelector=metadata.name%3Da%2Fb`, { ...base, verb: 'list', name: '' }],
    [
      'GET',
      `${LIST}?labelSelector=a%3Db`,
      { ...base, labelRequirements: [{ key: 'a', operator: '=', values: ['b'] }] },
    ],
    ['GET', named, { ...base, verb: 'get', namespace: 'n', name: 'a' }],
    ['GET', `${named}?watch=1`, { ...base, verb: 'get', name: 'a' }],
    ['HEAD', named, { ...base, verb: 'get' }],
    ['GET', `${named}/icon`, { ...base, verb: 'get', subresource: 'icon', name: 'a' }],
    ['POST', named, { ...base, verb: 'create' }],
    ['PUT', named, { ...base, verb: 'update' }],
    ['PATCH', named, { ...base, verb: 'patch' }],
    ['DELETE', named, { ...base, verb: 'delete' }],
    ['DELETE', LIST, { ...base, verb: 'deletecollection' }],
    ['OPTIONS', named, { ...base, verb: '' }],
    ['GET', '/apis/g/v1/namespaces/n', { kind: 'resource', resource: 'namespaces', name: 'n' }],
    ['GET', '/openapi/v2', { kind: 'path', verb: 'get', path: '/openapi/v2' }],
    ['HEAD', '/version/', { kind: 'path', verb: 'get', path: '/version/' }],
    ['POST', '/', { kind: 'path', verb: 'post', path: '/' }],
  ]
  for (const [method, url, wanted] of cases) t.match(of(method, url), wanted, `${method} ${url}`)
})
