import { connect } from 'node:http2'
import { connect as connectTcp } from 'node:net'
import type { ClientReadableStream } from '@grpc/grpc-js'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { createRegistryServer, type RegistryServerOptions } from '../../src/registry/service.ts'
import { eventually } from '../fixtures/eventually.ts'
import { rawRegistry } from '../fixtures/raw-registry.ts'
import { bundleNamed, contentOf } from '../fixtures/registry-content.ts'

const log = pino({ level: 'silent' })

async function started(test: Test, options: Partial<RegistryServerOptions> = {}) {
  const server = await createRegistryServer({ address: '127.0.0.1:0', log, ...options })
  const registry = rawRegistry(server.address)
  test.teardown(async () => {
    registry.close()
    await server.close(0)
  })
  return { server, registry }
}

t.test('before there is content the port answers, and says that it does not serve (R101)', async (t) => {
  const { server, registry } = await started(t)
  t.match(await registry.ask('Check'), { status: 'NOT_SERVING' })
  await t.rejects(registry.ask('GetPackage', { name: 'a' }), { code: 14 })
  await t.rejects(registry.list('ListPackages'), { code: 14, details: /still being loaded/ })
  server.replace(contentOf('a'))
  t.match(await registry.ask('Check', { service: 'any' }), { status: 'SERVING' })
  t.match(await registry.list('ListPackages'), [{ name: 'a' }])
})

t.test('health Watch tells the status at once, then each change, and ends when the server closes', async (t) => {
  const { server, registry } = await started(t)
  const seen: unknown[] = []
  const watch = (registry.health as unknown as { Watch(request: object): ClientReadableStream<object> }).Watch({})
  const ended = new Promise((resolve) => watch.on('end', resolve))
  watch.on('data', (message) => seen.push(message.status))
  watch.on('error', () => undefined)
  await eventually('the first status', () => seen.length === 1)
  server.replace(contentOf('a'))
  server.replace(contentOf('b'))
  await eventually('the second status', () => seen.length === 2)
  await server.close()
  await ended
  t.same(seen, ['NOT_SERVING', 'SERVING', 'NOT_SERVING'])
})

t.test('a failed answer keeps its code and its text; a fault of our own is INTERNAL and logged once', async (t) => {
  const finished: unknown[] = []
  const { server, registry } = await started(t, { onFinished: ({ method, status }) => finished.push([method, status]) })
  server.replace(contentOf('a'))
  await t.rejects(registry.ask('GetBundleForChannel', {}), { code: 2, details: 'a: nothing "here" – é' })
  await t.rejects(registry.list('GetChannelEntriesThatProvide', {}), { code: 2, details: 'a: nothing "here" – é' })
  await t.rejects(registry.ask('GetBundleThatReplaces', {}), { code: 13, details: 'a fault of our own' })
  await registry.ask('GetPackage', { name: 'a' })
  t.same(finished, [
    ['GetBundleForChannel', 'UNKNOWN'],
    ['GetChannelEntriesThatProvide', 'UNKNOWN'],
    ['GetBundleThatReplaces', 'INTERNAL'],
    ['GetPackage', 'OK'],
  ])
})

t.test(
  'custom schemas: nothing without the header, INVALID_ARGUMENT without a schema, else the blobs (R114)',
  async (t) => {
    const { server, registry } = await started(t)
    server.replace(contentOf('a'))
    const call = 'ExperimentalListPackageCustomSchemas'
    const known = { 'x-acknowledge-experimental': 'true' }
    t.same(await registry.list(call, { schema: '' }), [])
    t.same(await registry.list(call, { schema: 'x.y' }, { 'x-acknowledge-experimental': 'yes' }), [])
    await t.rejects(registry.list(call, {}, known), { code: 3, details: 'schema is required' })
    const [blob] = await registry.list(call, { schema: 'x.y' }, known)
    t.match(blob, {
      fields: {
        schema: { stringValue: 'x.y' },
        text: { stringValue: '' },
        number: { numberValue: 1.5 },
        list: { listValue: { values: [{ boolValue: true }, { nullValue: 'NULL_VALUE' }, { structValue: {} }] } },
      },
    })
  },
)

t.test(
  'a stream that runs when the content is replaced finishes on the old one, which is closed after it',
  async (t) => {
    const { server, registry } = await started(t)
    const many = (name: string): ReturnType<typeof contentOf> =>
      contentOf(
        name,
        Array.from({ length: 400 }, () => bundleNamed(name, { csvJson: 'x'.repeat(10_000) })),
      )
    const [old, next] = [many('old'), many('new')]
    server.replace(old)
    const names: string[] = []
    const call = (
      registry.client as unknown as { ListBundles(r: object): ClientReadableStream<{ csvName: string }> }
    ).ListBundles({})
    await new Promise<void>((resolve, reject) => {
      call.on('error', reject).on('end', resolve)
      call.on('data', (bundle) => {
        names.push(bundle.csvName)
        if (names.length === 1) server.replace(next)
        if (names.length === 2) t.notOk(old.closed, 'still read')
      })
    })
    t.same([names.length, ...new Set(names)], [400, 'old'])
    await eventually('the old content to be closed', () => old.closed)
    t.same([...new Set((await registry.list('ListBundles')).map(({ csvName }) => csvName))], ['new'])
  },
)

t.test(
  'a reader who does not read costs a bounded number of messages, and releases the content when it goes',
  async (t) => {
    const { server } = await started(t)
    function* endless() {
      for (;;) yield bundleNamed('big', { csvJson: 'x'.repeat(100_000) })
    }
    const content = contentOf('big', endless())
    server.replace(content)
    const session = connect(`http://${server.address}`)
    t.teardown(() => session.destroy())
    const call = session.request({
      ':method': 'POST',
      ':path': '/api.Registry/ListBundles',
      'content-type': 'application/grpc',
      te: 'trailers',
    })
    call.end(Buffer.alloc(5))
    call.pause()
    await eventually('some bundles to be made', () => content.bundlesMade > 5)
    let before = -1
    let rests = 0
    await eventually('the stream to rest', () => {
      rests = content.bundlesMade === before ? rests + 1 : 0
      before = content.bundlesMade
      return rests > 10
    })
    t.ok(before < 100, `${before} bundles of 100 kB were made`)
    server.replace(contentOf('small'))
    t.notOk(content.closed)
    session.destroy()
    await eventually('the content to be closed', () => content.closed)
  },
)

t.test('what is no gRPC, and a request that is too large, harm nobody', async (t) => {
  const { server, registry } = await started(t, { maxReceiveBytes: 100_000 })
  server.replace(contentOf('a'))
  for (const bytes of ['GET / HTTP/1.1\r\nHost: x\r\n\r\n', Buffer.alloc(10_000, 0xff), '']) {
    const socket = connectTcp(server.port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.end(bytes)
    await new Promise((resolve) => socket.resume().on('close', resolve))
  }
  await t.rejects(registry.ask('GetPackage', { name: 'x'.repeat(200_000) }), { code: 8 })
  const malformed = new Promise((resolve) =>
    registry.client.makeUnaryRequest('/api.Registry/GetPackage', () => Buffer.from([0x0f]), String, {}, resolve),
  )
  t.match(await malformed, { code: 13 })
  const unknown = new Promise((resolve) =>
    registry.client.makeUnaryRequest('/api.Registry/NoSuch', () => Buffer.alloc(0), String, {}, resolve),
  )
  t.match(await unknown, { code: 12 })
  t.match(await registry.list('ListPackages'), [{ name: 'a' }])
})

t.test('answers carry no empty fields', async (t) => {
  const { server, registry } = await started(t)
  server.replace(contentOf('a'))
  const bytes = await new Promise<Buffer>((resolve, reject) =>
    registry.client.makeUnaryRequest(
      '/api.Registry/GetPackage',
      () => Buffer.alloc(0),
      (answer) => answer,
      {},
      (error, answer) => (answer === undefined ? reject(error) : resolve(answer)),
    ),
  )
  t.same(bytes, Buffer.from([0x0a, 1, 0x61]))
})

t.test('a port in use is said so', async (t) => {
  const { server } = await started(t)
  await t.rejects(createRegistryServer({ address: server.address, log }), {
    code: 'PORT_IN_USE',
    message: `${server.address}: port in use: choose another with --port`,
  })
  await t.rejects(createRegistryServer({ address: 'no.such.host.invalid:0', log }), { code: 'LISTEN_FAILED' })
})

t.test('closing lets a running call finish, then takes no more', async (t) => {
  const { server, registry } = await started(t)
  const content = contentOf(
    'a',
    Array.from({ length: 200 }, () => bundleNamed('a', { csvJson: 'x'.repeat(10_000) })),
  )
  server.replace(content)
  const listed = registry.list('ListBundles')
  await eventually('the call to run', () => content.bundlesMade > 0)
  await server.close(10_000)
  t.equal((await listed).length, 200)
  t.ok(content.closed)
})
