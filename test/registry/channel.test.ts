// A channel over time: idle, moved, nameless, closed in the middle.
import dns from 'node:dns'
import t, { type Test } from 'tap'
import { openChannel } from '../../src/registry/channel.ts'
import { createDial } from '../../src/registry/client.ts'
import { NO_PROXIES } from '../../src/registry/proxy-route.ts'
import { createReadingCodec } from '../../src/registry/received-messages.ts'
import { eventually } from '../fixtures/eventually.ts'
import { gateway } from '../fixtures/gateway.ts'
import { manyPackages } from '../fixtures/scripted-content.ts'
import { scriptedRegistry } from '../fixtures/scripted-registry.ts'

const codec = createReadingCodec()
const options = { deadlineMs: 5000, signal: new AbortController().signal }
const settings = { proxies: NO_PROXIES, maxMessageBytes: 1e6 }

/** What the resolver of this machine is made to say. */
function resolveTo(
  test: Test,
  answer: () => Promise<readonly { readonly address: string; readonly family: number }[]>,
): { readonly asked: number } {
  const counted = { asked: 0 }
  const lookup = dns.promises.lookup
  test.teardown(() => Object.assign(dns.promises, { lookup }))
  Object.assign(dns.promises, {
    lookup: () => {
      counted.asked++
      return answer()
    },
  })
  return counted
}

t.test('R050: a channel that nobody used is IDLE, and the next call wakes it', async (t) => {
  const registry = await scriptedRegistry({ packages: manyPackages(1) })
  const connection = createDial({ ...settings, idleTimeoutMs: 1000 }, codec)(registry.address)
  t.teardown(async () => {
    connection.close()
    await registry.close()
  })
  await connection.client.getPackage({ name: 'p0' }, options)
  await eventually('idle', () => connection.state() === 'IDLE')
  registry.packages = manyPackages(2)
  t.equal((await connection.client.getPackage({ name: 'p1' }, options)).decode().name, 'p1')
})

t.test('R049: a registry that comes back with another address behind its name is found', async (t) => {
  const first = await scriptedRegistry({ packages: manyPackages(1) })
  let address = '127.0.0.1'
  const looked = resolveTo(t, async () => [{ address, family: 4 }])
  const connection = createDial(settings, codec)(`cat.ns.svc:${first.port}`)
  t.teardown(() => connection.close())
  await connection.client.getPackage({ name: 'p0' }, options)
  t.equal(looked.asked, 1)
  await first.close()
  await eventually('it is noticed', () => connection.state() !== 'READY')
  await t.rejects(connection.client.getPackage({ name: 'p0' }, options), { message: /ECONNREFUSED/ })
  address = '127.0.0.2'
  const second = await scriptedRegistry({ packages: manyPackages(2), port: first.port, host: address })
  t.teardown(() => second.close())
  await eventually(
    'found',
    () =>
      connection.client.getPackage({ name: 'p1' }, options).then(
        () => true,
        () => false,
      ),
    10_000,
  )
  t.ok(looked.asked > 1)
})

t.test('a name that nobody knows is a reason, and is looked up again', async (t) => {
  const registry = await scriptedRegistry({ packages: manyPackages(1) })
  let known = false
  resolveTo(t, async () => {
    if (!known) throw Object.assign(new Error('getaddrinfo ENOTFOUND cat.ns.svc'), { code: 'ENOTFOUND' })
    return [{ address: '127.0.0.1', family: 4 }]
  })
  const connection = createDial(settings, codec)(`cat.ns.svc:${registry.port}`)
  t.teardown(async () => {
    connection.close()
    await registry.close()
  })
  const message = `GetPackage: UNAVAILABLE: no address is known for the name in cat.ns.svc:${registry.port}`
  await t.rejects(connection.client.getPackage({ name: 'p0' }, options), { message })
  known = true
  await eventually(
    'found',
    async () => (await connection.client.getPackage({ name: 'p0' }, options).catch(() => undefined)) !== undefined,
    10_000,
  )
})

t.test('a resolver that never answers ends with the deadline of the call', async (t) => {
  resolveTo(t, () => new Promise(() => {}))
  const connection = createDial(settings, codec)('cat.ns.svc:1')
  t.teardown(() => connection.close())
  const call = connection.client.getPackage({ name: 'p0' }, { ...options, deadlineMs: 100 })
  await t.rejects(call, { message: /DEADLINE_EXCEEDED/ })
})

t.test('closed in the middle of a handshake with a proxy: no socket is left', async (t) => {
  const proxy = await gateway({ mute: true })
  t.teardown(() => proxy.close())
  const channel = openChannel('cat.ns.svc:1', {
    ...settings,
    proxies: { proxy: `socks5://127.0.0.1:${proxy.port}`, noProxy: '' },
  })
  channel.connect()
  await eventually('it is under way', () => proxy.connections === 1)
  channel.close()
  await eventually('nothing is left', () => proxy.connections === 0)
  t.equal(channel.state(), 'SHUTDOWN')
  channel.close()
})

t.test('a proxy that cannot be used fails at once', async (t) => {
  t.throws(() => openChannel('cat.ns.svc:1', { ...settings, proxies: { proxy: 'ftp://x', noProxy: '' } }), {
    code: 'USAGE',
  })
})
