// Field reports R046 and R047: through a proxy the name is resolved by the proxy; one host that it refuses costs no other.
import dns from 'node:dns'
import t, { type Test } from 'tap'
import { createDial } from '../../src/registry/client.ts'
import { createReadingCodec } from '../../src/registry/received-messages.ts'
import { eventually } from '../fixtures/eventually.ts'
import { type Gateway, type GatewayOptions, gateway } from '../fixtures/gateway.ts'
import { manyPackages } from '../fixtures/scripted-content.ts'
import { scriptedRegistry } from '../fixtures/scripted-registry.ts'

const codec = createReadingCodec()
const options = { deadlineMs: 5000, signal: new AbortController().signal }

async function setUp(test: Test, gatewayOptions: GatewayOptions = {}) {
  const registry = await scriptedRegistry({ packages: manyPackages(3) })
  const proxy: Gateway = await gateway(gatewayOptions)
  test.teardown(async () => {
    await proxy.close()
    await registry.close()
  })
  const ask = async (address: string, scheme: string, noProxy = '') => {
    const proxies = { proxy: `${scheme}${proxy.port}`, noProxy }
    const connection = createDial({ proxies, maxMessageBytes: 1e6 }, codec)(address)
    test.teardown(() => connection.close())
    const names: string[] = []
    for await (const message of connection.client.listPackages(options)) names.push(message.decode().name)
    return names
  }
  return { registry, proxy, ask }
}

/** Every name that is looked up on this machine while the test runs. */
function watchLookups(test: Test): readonly string[] {
  const names: string[] = []
  const lookup = dns.promises.lookup
  test.teardown(() => Object.assign(dns.promises, { lookup }))
  Object.assign(dns.promises, {
    lookup: (name: string, ...rest: unknown[]) => {
      names.push(name)
      return Reflect.apply(lookup, dns.promises, [name, ...rest])
    },
  })
  return names
}

for (const [scheme, kind] of [
  ['socks5://127.0.0.1:', 'socks5'],
  ['http://127.0.0.1:', 'http-connect'],
] as const) {
  t.test(`R046: ${kind} is given the name, and no name is looked up here`, async (t) => {
    const looked = watchLookups(t)
    const { registry, proxy, ask } = await setUp(t)
    proxy.routes.set('cat.ns.svc:50051', registry.address)
    t.strictSame(await ask('cat.ns.svc:50051', scheme), ['p0', 'p1', 'p2'])
    t.match(proxy.requests, [{ kind, host: 'cat.ns.svc', port: 50051 }])
    if (kind === 'socks5') t.equal(proxy.requests[0]?.addressType, 3)
    t.strictSame(looked, [])
  })

  t.test(`${kind} with a user name and a password`, async (t) => {
    const { registry, proxy, ask } = await setUp(t, { credentials: 'user:pass word' })
    proxy.routes.set('cat.ns.svc:50051', registry.address)
    t.equal((await ask('cat.ns.svc:50051', scheme.replace('//', '//user:pass%20word@'))).length, 3)
    const wrong = ask('cat.ns.svc:50051', scheme.replace('//', '//user:secret@'))
    await t.rejects(wrong, { status: 'UNAVAILABLE', message: /proxy 127.0.0.1:\d+: / })
    await t.rejects(wrong, { message: /^(?!.*secret)/ })
  })
}

t.test('R046: what NO_PROXY names is dialled directly', async (t) => {
  const { registry, proxy, ask } = await setUp(t)
  const lookup = dns.promises.lookup
  t.teardown(() => Object.assign(dns.promises, { lookup }))
  Object.assign(dns.promises, { lookup: async () => [{ address: '127.0.0.1', family: 4 }] })
  const address = `cat.ns.svc:${registry.port}`
  for (const noProxy of ['cat.ns.svc', '.svc', `cat.ns.svc:${registry.port}`, 'x,svc', '*']) {
    t.equal((await ask(address, 'socks5://127.0.0.1:', noProxy)).length, 3, noProxy)
  }
  t.strictSame(proxy.requests, [])
  t.equal((await ask(registry.address, 'socks5://127.0.0.1:')).length, 3, 'this machine is never asked for by proxy')
  t.strictSame(proxy.requests, [])
})

t.test('R046: proxies for HTTP in the environment are not used', async (t) => {
  const { registry, proxy, ask } = await setUp(t)
  const before = { ...process.env }
  t.teardown(() => {
    process.env = before
  })
  for (const name of ['http_proxy', 'https_proxy', 'grpc_proxy']) process.env[name] = 'http://127.0.0.1:1'
  proxy.routes.set('cat.ns.svc:50051', registry.address)
  t.equal((await ask('cat.ns.svc:50051', 'socks5://127.0.0.1:')).length, 3)
  t.equal((await ask(registry.address, 'socks5://127.0.0.1:')).length, 3)
})

t.test('R047: a host that the proxy refuses costs no other', async (t) => {
  const { registry, proxy, ask } = await setUp(t)
  proxy.routes.set('good.ns.svc:50051', registry.address)
  const refused = t.rejects(ask('bad.ns.svc:50051', 'socks5://127.0.0.1:'), {
    status: 'UNAVAILABLE',
    message: /no connection: proxy 127.0.0.1:\d+: bad.ns.svc:50051: host unreachable$/,
  })
  t.equal((await ask('good.ns.svc:50051', 'socks5://127.0.0.1:')).length, 3)
  await refused
})

t.test('a proxy that says nothing, or something else, ends in a reason', async (t) => {
  const registry = await scriptedRegistry()
  t.teardown(() => registry.close())
  const proxies = { proxy: `socks5://${registry.address}`, noProxy: '' }
  const wrong = createDial({ proxies, maxMessageBytes: 1e6 }, codec)('cat.ns.svc:1')
  t.teardown(() => wrong.close())
  await t.rejects(wrong.client.getPackage({ name: 'x' }, options), {
    message: /does not speak SOCKS5|closed the connection/,
  })

  const { proxy, ask } = await setUp(t, { mute: true })
  const call = ask('cat.ns.svc:50051', 'http://127.0.0.1:').catch(() => 'failed')
  await eventually('it waits', () => proxy.connections === 1)
  proxy.cut()
  t.equal(await call, 'failed')
})
