import t, { type Test } from 'tap'
import { isRegistryCallError } from '../../src/registry/call-error.ts'
import { createDial, type RegistryConnection } from '../../src/registry/client.ts'
import { NO_PROXIES } from '../../src/registry/proxy-route.ts'
import { createReadingCodec } from '../../src/registry/received-messages.ts'
import { eventually } from '../fixtures/eventually.ts'
import { manyPackages, onePackage } from '../fixtures/scripted-content.ts'
import { type Answer, type ScriptedRegistry, scriptedRegistry } from '../fixtures/scripted-registry.ts'

const MIB = 1024 * 1024
const codec = createReadingCodec()
const never = new AbortController().signal
const options = { deadlineMs: 5000, signal: never }

async function connected(test: Test, answer?: Answer): Promise<[ScriptedRegistry, RegistryConnection]> {
  const registry = await scriptedRegistry({ packages: manyPackages(10), script: () => answer })
  const connection = createDial({ proxies: NO_PROXIES, maxMessageBytes: MIB }, codec)(registry.address)
  test.teardown(async () => {
    connection.close()
    await registry.close()
  })
  return [registry, connection]
}

async function all<T>(messages: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const message of messages) found.push(message)
  return found
}

async function failure(call: Promise<unknown>) {
  try {
    await call
  } catch (error) {
    if (isRegistryCallError(error)) return error
    throw error
  }
  throw new Error('the call did not fail')
}

t.test('streams and single calls arrive, with equal digests for equal bytes', async (t) => {
  const [, { client }] = await connected(t)
  const names = await all(client.listPackages(options))
  t.strictSame(
    names.map((name) => name.decode().name),
    Array.from({ length: 10 }, (_, index) => `p${index}`),
  )
  const bundles = await all(client.listBundles(options))
  t.equal(bundles.length, 20)
  t.match(bundles[0]?.decode(), { csvName: 'p0.v1.1.0', replaces: 'p0.v1.0.0', deprecation: null })
  const one = await client.getPackage({ name: 'p3' }, options)
  const again = await client.getPackage({ name: 'p3' }, options)
  t.equal(one.digest, again.digest)
  t.match(one.decode(), { name: 'p3', defaultChannelName: 'stable', channels: [{ csvName: 'p3.v1.1.0' }] })
  const head = await client.getBundleForChannel({ pkgName: 'p3', channelName: 'stable' }, options)
  t.match(JSON.parse(Buffer.from(head.decode().csvJson).toString()), { metadata: { name: 'p3.v1.1.0' } })
})

const CUTS: readonly (readonly [string, Answer, string, boolean])[] = [
  ['UNAVAILABLE in the middle', { first: 3, ending: { status: 14, details: 'going away' } }, 'UNAVAILABLE', false],
  ['DATA_LOSS in the middle', { first: 3, ending: { status: 15 } }, 'DATA_LOSS', false],
  ['a reset stream', { first: 3, ending: 'reset' }, 'INTERNAL', true],
  ['a plea for calm', { first: 3, ending: 'calm' }, 'RESOURCE_EXHAUSTED', true],
  ['a lost connection', { first: 3, ending: 'drop' }, 'UNAVAILABLE', false],
  ['an end without a status', { first: 3, ending: 'bare' }, 'INTERNAL', true],
]
for (const [name, answer, status, cut] of CUTS) {
  t.test(`a stream that ends with ${name} throws`, async (t) => {
    const [, { client }] = await connected(t, answer)
    const error = await failure(all(client.listPackages(options)))
    t.match(error, { status, cut, code: 'REGISTRY_CALL' })
  })
}

t.test('a deadline and a signal end a call that never answers', async (t) => {
  const [registry, { client }] = await connected(t, { messages: [], ending: 'hang' })
  const late = await failure(all(client.listPackages({ deadlineMs: 50, signal: never })))
  t.equal(late.message, 'ListPackages: DEADLINE_EXCEEDED: no whole answer within 0.05 s')
  const control = new AbortController()
  const call = failure(client.getPackage({ name: 'p1' }, { deadlineMs: 60_000, signal: control.signal }))
  await eventually('the call has arrived', () => registry.count('GetPackage') === 1)
  control.abort()
  t.equal((await call).status, 'CANCELLED')
  t.equal((await failure(all(client.listBundles({ deadlineMs: 50, signal: control.signal })))).status, 'CANCELLED')
})

t.test('a status of the registry is told by name, with its text', async (t) => {
  const [, { client }] = await connected(t)
  const error = await failure(client.getPackage({ name: 'none' }, options))
  t.match(error, { status: 'UNKNOWN', cut: false, message: 'GetPackage: UNKNOWN: not found' })
})

t.test('a message that is too large fails its call alone; a listing then has more room', async (t) => {
  const [registry, { client }] = await connected(t)
  const large = 'x'.repeat(2 * MIB)
  registry.packages = [onePackage('p0', large), onePackage('p1')]
  const error = await failure(client.getBundleForChannel({ pkgName: 'p0', channelName: 'stable' }, options))
  t.match(error, { status: 'RESOURCE_EXHAUSTED', tooLarge: true, cut: false })
  await client.getBundleForChannel({ pkgName: 'p1', channelName: 'stable' }, options)

  const messages = [{ csvName: 'a', packageName: 'p0', channelName: 'stable', csvJson: large, version: '1.0.0' }]
  registry.script = () => ({ messages })
  t.match(await failure(all(client.listBundles(options))), { tooLarge: true })
  const [bundle] = await all(client.listBundles(options))
  t.match(bundle?.decode(), { csvName: 'a', packageName: 'p0', version: '1.0.0' })
  t.notOk('csvJson' in (bundle?.decode() ?? {}))
})

t.test('nobody listens: UNAVAILABLE with a reason that is the same each time', async (t) => {
  const [registry, { client }] = await connected(t)
  await registry.close()
  const first = await failure(all(client.listPackages(options)))
  const second = await failure(all(client.listPackages(options)))
  t.match(first, { status: 'UNAVAILABLE' })
  t.match(first.message, /ECONNREFUSED/)
  t.equal(first.message, second.message)
})

t.test('states are told, and closing leaves no connection', async (t) => {
  const [registry, connection] = await connected(t)
  const states: string[] = []
  connection.onState((state) => states.push(state))
  t.equal(connection.state(), 'IDLE')
  connection.connect()
  await eventually('ready', () => connection.state() === 'READY')
  t.strictSame(states, ['CONNECTING', 'READY'])
  registry.dropConnections()
  await eventually('idle', () => connection.state() === 'IDLE')
  connection.connect()
  await eventually('ready', () => connection.state() === 'READY')
  connection.close()
  t.equal(connection.state(), 'SHUTDOWN')
  await eventually('no connection', () => registry.connections === 0)
})
