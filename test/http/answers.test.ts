// Answers of a resource: conditional reads, encodings, warnings, HEAD, slices. The resource is scripted: what it makes is known.
import { connect } from 'node:tls'
import { gunzipSync, gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import type { Payload, Resource } from '../../src/http/resource.ts'
import { serviceUnavailable } from '../../src/http/status.ts'
import { PACKAGE_MANIFEST_DEFINITION } from '../../src/package-server/package-manifest-definition.ts'
import { eventually } from '../fixtures/eventually.ts'
import { type Served, type ServeOptions, serve, tlsOptions } from '../fixtures/http-server.ts'

const LIST = '/apis/packages.operators.coreos.com/v1/packagemanifests'
const ONE = '/apis/packages.operators.coreos.com/v1/namespaces/n/packagemanifests/a'

function payload(body: string | readonly Uint8Array[], more: Partial<Payload> = {}): Payload {
  const parts = typeof body === 'string' ? [Buffer.from(body)] : body
  return {
    contentType: 'application/json',
    etag: undefined,
    warnings: [],
    bytes: async (encoding) => (encoding === 'gzip' ? [gzipSync(Buffer.concat(parts))] : parts),
    ...more,
  }
}

function serveAnswer(t: Test, answer: () => Promise<Payload>, options: ServeOptions = {}): Promise<Served> {
  const resource: Resource = {
    definition: PACKAGE_MANIFEST_DEFINITION,
    get: answer,
    list: answer,
    watch: () => Promise.reject(serviceUnavailable('none', 1)),
    getSubresource: answer,
  }
  return serve(t, { resources: [resource], ...options })
}

t.test('conditional reads (R075)', async (t) => {
  const { ask } = await serveAnswer(t, async () => payload('{"a":1}', { etag: 'x1' }))
  const first = await ask(LIST)
  t.match(first, { status: 200, headers: { etag: 'W/"x1"', 'cache-control': 'no-cache, private' }, text: '{"a":1}' })
  for (const tags of ['W/"x1"', '"x1"', '"y", W/"x1"', '*']) {
    const again = await ask(LIST, { headers: { 'if-none-match': tags } })
    t.match(again, { status: 304, text: '', headers: { etag: 'W/"x1"' } }, tags)
    t.equal(again.headers['content-length'], undefined)
    t.equal(again.headers['content-type'], undefined)
  }
  for (const tags of ['"x"', 'x1', 'W/"x11"', '""', '']) {
    t.equal((await ask(LIST, { headers: { 'if-none-match': tags } })).status, 200, tags)
  }
  const yaml = await ask(LIST, { headers: { accept: 'application/yaml', 'if-none-match': 'W/"x1"' } })
  t.match(yaml, { status: 200, text: 'a: 1\n', headers: { 'content-type': 'application/yaml' } })
  t.not(yaml.headers.etag, 'W/"x1"')
  const known = await ask(LIST, { headers: { accept: 'application/yaml', 'if-none-match': String(yaml.headers.etag) } })
  t.equal(known.status, 304)
})

t.test('without a tag there are no conditional reads', async (t) => {
  const { ask } = await serveAnswer(t, async () => payload('{}'))
  const reply = await ask(LIST, { headers: { 'if-none-match': '*' } })
  t.equal(reply.status, 200)
  t.equal(reply.headers.etag, undefined)
})

t.test('gzip where it is accepted and there', async (t) => {
  const { ask } = await serveAnswer(t, async () => payload('{"a":"b"}'))
  const zipped = await ask(LIST, { headers: { 'accept-encoding': 'gzip' } })
  t.equal(zipped.headers['content-encoding'], 'gzip')
  t.equal(Number(zipped.headers['content-length']), zipped.body.length)
  t.equal(gunzipSync(zipped.body).toString(), '{"a":"b"}')
  t.match(zipped.headers.vary, /Accept-Encoding/)
  const bare = await serveAnswer(t, async () => {
    const bytes: Payload['bytes'] = async (encoding) => (encoding === 'gzip' ? undefined : [Buffer.from('{}')])
    return { ...payload('{}'), bytes }
  })
  const plain = await bare.ask(LIST, { headers: { 'accept-encoding': 'gzip' } })
  t.match(plain, { status: 200, text: '{}' })
  t.equal(plain.headers['content-encoding'], undefined)
  const large = await serveAnswer(t, async () => payload(JSON.stringify({ a: 'x'.repeat(5000) })))
  const pretty = await large.ask(`${LIST}?pretty=1`, { headers: { 'accept-encoding': 'gzip' } })
  t.match(gunzipSync(pretty.body).toString(), /^\{\n {2}"a": "x+"\n\}$/)
})

t.test('HEAD is GET without a body', async (t) => {
  const { ask } = await serveAnswer(t, async () => payload('{"a":1}', { etag: 'e' }))
  for (const path of [LIST, ONE, `${ONE}/icon`, `${LIST}?watch=1`, '/apis', '/healthz']) {
    const [head, get] = [await ask(path, { method: 'HEAD' }), await ask(path.replace('?watch=1', ''))]
    t.equal(head.status, 200, path)
    t.equal(head.text, '')
    for (const name of ['content-length', 'content-type', 'etag', 'cache-control']) {
      t.equal(head.headers[name], get.headers[name], name)
    }
  }
})

t.test('warnings: few, once each, never a broken header', async (t) => {
  const texts = [
    'olm/a is stale',
    'olm/a is stale',
    'say "so" \\ naïve ✓',
    'line\r\nSet-Cookie: x',
    ...Array(9).keys(),
  ].map(String)
  const { ask } = await serveAnswer(t, async () => payload('{}', { warnings: texts }))
  const { headers } = await ask(LIST)
  const warnings = String(headers.warning).split(', 299').length
  t.equal(warnings, 5)
  t.match(headers.warning, /^299 - "olm\/a is stale", 299 - "say \\"so\\" \\\\ na/)
  t.match(headers.warning, /299 - "line {2}Set-Cookie: x"/)
  t.equal(headers['set-cookie'], undefined)
})

t.test('headers of a payload win; an audit id of the caller is echoed', async (t) => {
  const { ask } = await serveAnswer(t, async () => payload('{}', { headers: { 'cache-control': 'max-age=9' } }))
  const reply = await ask(LIST, { headers: { 'audit-id': 'from-the-api-server' } })
  t.match(reply.headers, { 'cache-control': 'max-age=9', 'audit-id': 'from-the-api-server' })
  const odd = await ask(LIST, { headers: { 'audit-id': 'a b' } })
  t.match(odd.headers['audit-id'], /^[0-9a-f-]{36}$/)
})

t.test('a fault of ours is a 500 that tells nothing, and is observed', async (t) => {
  const seen: number[] = []
  const { ask } = await serveAnswer(t, () => Promise.reject(new Error('a secret')), {
    observe: ({ code }) => seen.push(code),
  })
  const reply = await ask(LIST)
  t.match(reply, { status: 500, json: { kind: 'Status', reason: 'InternalError' } })
  t.notMatch(reply.text, /secret/)
  await eventually('it is observed', () => seen.includes(500))
})

t.test('an answer of megabytes is whole; readers that stall cost a slice each', async (t) => {
  const big = Buffer.alloc(24 * 2 ** 20, 'x')
  const small = Array.from({ length: 5000 }, (_, index) => Buffer.from(`[${index}]`))
  const body = [Buffer.from('"'), big, ...small, Buffer.from('"')]
  const sent: number[] = []
  const served = await serveAnswer(t, async () => payload(body), {
    bounds: { stallMilliseconds: 2000 },
    observe: ({ bytes }) => sent.push(bytes),
  })
  const whole = await served.ask(LIST)
  t.ok(whole.body.equals(Buffer.concat(body)), 'the same bytes')
  t.equal(Number(whole.headers['content-length']), whole.body.length)

  const { ca, cert, key } = tlsOptions(served.port, served.credentials)
  const before = process.memoryUsage.rss()
  const sockets = Array.from({ length: 20 }, () => connect({ host: '127.0.0.1', port: served.port, ca, cert, key }))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
  })
  for (const socket of sockets) {
    socket.on('error', () => undefined)
    socket.pause()
    socket.write(`GET ${LIST} HTTP/1.1\r\nHost: x\r\n\r\n`)
  }
  await eventually('all are being answered', () => sockets.every((one) => one.bytesRead > 50_000), 20_000)
  const grown = (process.memoryUsage.rss() - before) / 2 ** 20
  t.ok(grown < 100, `${grown.toFixed(1)} MiB for 20 stalled readers of 24 MiB, both ends of each in this process`)
  await eventually('all are cut off', () => sent.length === 21, 20_000)
  t.same(sent.filter((bytes) => bytes === whole.body.length).length, 1, 'before they had it all')
})
