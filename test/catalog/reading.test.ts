import t, { type Test } from 'tap'
import { decodeClusterServiceVersion } from '../../src/api/cluster-service-version.ts'
import { systemClock } from '../../src/catalog/clock.ts'
import { createHeadDecoder, type HeadDecoder } from '../../src/catalog/head-decoder.ts'
import { createLateCalls } from '../../src/catalog/late-calls.ts'
import { READING_LIMITS, type ReadingLimits, readRegistry, type WholeReading } from '../../src/catalog/reading.ts'
import { NOTHING_READ, type ReadingMemory } from '../../src/catalog/reading-memory.ts'
import { createDial } from '../../src/registry/client.ts'
import { NO_PROXIES } from '../../src/registry/proxy-route.ts'
import { createReadingCodec } from '../../src/registry/received-messages.ts'
import { manifest, manyPackages, onePackage, type ScriptedPackage } from '../fixtures/scripted-content.ts'
import {
  type Answer,
  type ScriptedCall,
  type ScriptedRegistry,
  scriptedRegistry,
} from '../fixtures/scripted-registry.ts'

const codec = createReadingCodec()
const MIB = 1024 * 1024

interface Reader {
  readonly registry: ScriptedRegistry
  readonly decoded: () => number
  /** Reads with what the last good reading left. */
  read(): Promise<WholeReading>
}

async function reader(
  test: Test,
  packages: readonly ScriptedPackage[],
  limits: Partial<ReadingLimits> = {},
): Promise<Reader> {
  const registry = await scriptedRegistry({ packages })
  const connection = createDial({ proxies: NO_PROXIES, maxMessageBytes: MIB }, codec)(registry.address)
  test.teardown(async () => {
    connection.close()
    await registry.close()
  })
  let decodings = 0
  const decoder: HeadDecoder = createHeadDecoder((text) => {
    decodings++
    return decodeClusterServiceVersion(text)
  })
  let memory: ReadingMemory = NOTHING_READ
  const late = createLateCalls()
  return {
    registry,
    decoded: () => decodings,
    async read() {
      const whole = await readRegistry({
        client: connection.client,
        decoder,
        memory,
        late,
        limits: { ...READING_LIMITS, ...limits },
        clock: systemClock(),
        signal: new AbortController().signal,
      })
      memory = whole.memory
      return whole
    },
  }
}

function on(method: string, answer: Answer, only: (call: ScriptedCall) => boolean = () => true) {
  return (call: ScriptedCall) => (call.method === method && only(call) ? answer : undefined)
}

t.test('what a whole reading holds', async (t) => {
  const packages: readonly ScriptedPackage[] = [
    {
      name: 'b',
      defaultChannel: 'no-such',
      deprecation: 'package gone',
      channels: [
        {
          name: 'stable',
          deprecation: 'channel gone',
          bundles: [
            {
              name: 'b.v2',
              version: '2.0.0',
              replaces: 'b.v1',
              skips: ['b.v1.5'],
              skipRange: '<2.0.0',
              csv: manifest('b', '2'),
            },
            { name: 'b.v1', deprecation: 'bundle gone' },
            { name: 'b.v0', version: '0.1.0', properties: [{ type: 'olm.deprecated', value: '{}' }] },
          ],
        },
      ],
    },
    onePackage('a'),
  ]
  const { read } = await reader(t, packages)
  const { snapshot } = await read()
  t.strictSame(
    snapshot.packages.map(({ name }) => name),
    ['a', 'b'],
  )
  const b = snapshot.packages[1]
  t.match(b, { deprecation: 'package gone', defaultChannel: 'no-such' })
  t.match(b?.channels, [{ name: 'stable', deprecation: 'channel gone', head: { name: 'b.v2', version: '2.0.0' } }])
  t.strictSame(b?.channels[0]?.entries, [
    { name: 'b.v1', version: '', deprecation: 'bundle gone', replaces: '', skips: [], skipRange: '' },
    {
      name: 'b.v2',
      version: '2.0.0',
      deprecation: undefined,
      replaces: 'b.v1',
      skips: ['b.v1.5'],
      skipRange: '<2.0.0',
    },
  ])
  t.strictSame(snapshot.leftOut, [])
  t.ok(snapshot.bytes > 500)
  t.ok(
    Object.isFrozen(snapshot) &&
      Object.isFrozen(snapshot.packages) &&
      Object.isFrozen(b) &&
      Object.isFrozen(b?.channels),
  )
})

t.test('one call for each distinct head, one list each, a bounded number at a time (R108)', async (t) => {
  const bundles = [{ name: 'p.v1', version: '1.0.0' }]
  const shared = ['a', 'b', 'c'].map((name) => ({ name, bundles }))
  const { registry, read, decoded } = await reader(t, [{ name: 'p', channels: shared }, ...manyPackages(20)], {
    concurrency: 4,
  })
  let now = 0
  let most = 0
  registry.script = ({ method }) => {
    if (!method.startsWith('Get')) return undefined
    most = Math.max(most, ++now)
    setImmediate(() => now--)
    return { delayMs: 1 }
  }
  const { snapshot } = await read()
  t.equal(snapshot.packages.at(-1)?.channels.length, 1)
  t.equal(snapshot.packages.find(({ name }) => name === 'p')?.channels.length, 3)
  t.equal(registry.count('ListBundles'), 1)
  t.equal(registry.count('ListPackages'), 1)
  t.equal(registry.count('GetPackage'), 21)
  t.equal(registry.count('GetBundleForChannel'), 21)
  t.equal(decoded(), 21)
  t.ok(most <= 4, `${most} at a time`)
})

t.test('nothing changed: nothing is decoded, the packages are the same objects', async (t) => {
  const { registry, read, decoded } = await reader(t, manyPackages(5))
  const first = (await read()).snapshot
  const second = (await read()).snapshot
  t.equal(decoded(), 5)
  t.equal(second.hash, first.hash)
  t.equal(second.packages, first.packages)
  t.ok(second.readAt >= first.readAt)
  registry.packages = [...registry.packages].reverse()
  t.equal((await read()).snapshot.hash, first.hash, 'order counts for nothing')

  registry.packages = [onePackage('p0', 'new'), ...registry.packages.filter(({ name }) => name !== 'p0')]
  const third = (await read()).snapshot
  t.equal(decoded(), 6)
  t.not(third.hash, first.hash)
  t.not(third.packages[0], first.packages[0])
  t.equal(third.packages[1], first.packages[1], 'the others are kept')
})

const DISCARDED: readonly (readonly [string, ScriptedRegistry['script'], RegExp])[] = [
  [
    'ListPackages cut by UNAVAILABLE',
    on('ListPackages', { first: 3, ending: { status: 14 } }),
    /^ListPackages: UNAVAILABLE/,
  ],
  ['ListBundles cut by a reset', on('ListBundles', { first: 3, ending: 'reset' }), /^ListBundles: INTERNAL/],
  ['ListBundles DATA_LOSS', on('ListBundles', { first: 3, ending: { status: 15 } }), /^ListBundles: DATA_LOSS/],
  [
    'ListBundles UNIMPLEMENTED',
    on('ListBundles', { messages: [], ending: { status: 12 } }),
    /^ListBundles: UNIMPLEMENTED/,
  ],
  [
    'ListPackages that never ends',
    on('ListPackages', { ending: 'hang' }),
    /^ListPackages: DEADLINE_EXCEEDED: no whole answer within 0.3 s/,
  ],
  ['GetPackage UNAVAILABLE', on('GetPackage', { messages: [], ending: { status: 14 } }), /^GetPackage: UNAVAILABLE/],
  ['GetPackage CANCELLED', on('GetPackage', { messages: [], ending: { status: 1 } }), /^GetPackage: CANCELLED/],
  [
    'one GetBundleForChannel UNAVAILABLE',
    on('GetBundleForChannel', { messages: [], ending: { status: 14 } }, ({ before }) => before === 13),
    /^GetBundleForChannel: UNAVAILABLE/,
  ],
  [
    'one GetBundleForChannel whose connection drops',
    on('GetBundleForChannel', { messages: [], ending: 'drop' }, ({ before }) => before === 13),
    /UNAVAILABLE/,
  ],
  [
    'one GetBundleForChannel reset',
    on('GetBundleForChannel', { messages: [], ending: 'reset' }, ({ before }) => before === 13),
    /INTERNAL/,
  ],
  [
    'garbage among packages',
    on('ListPackages', { messages: [Buffer.from([0xff, 0xff, 0xff])] }),
    /ListPackages: INTERNAL: an answer is not a message of this protocol/,
  ],
  [
    'garbage among bundles',
    on('ListBundles', { messages: [Buffer.from([0xff, 0xff, 0xff])] }),
    /ListBundles: INTERNAL: an answer is not/,
  ],
  [
    'a head that ListBundles lacks',
    on('ListBundles', { messages: [] }),
    /answers contradict each other: "p0.v1.1.0" heads channel "stable" of "p0"/,
  ],
  [
    'another package than asked for',
    on('GetPackage', { messages: [{ name: 'x' }] }),
    /GetPackage "p\d" answered with "x"/,
  ],
  ['empty packages', on('GetPackage', { messages: [{}] }), /GetPackage "p\d" answered with ""/],
  [
    'another head than announced',
    on('GetBundleForChannel', { messages: [{ csvName: 'x', csvJson: '{}' }] }),
    /is headed by "p\d.v1.1.0" and by "x"/,
  ],
  ['all calls late', on('GetPackage', { messages: [], ending: 'hang' }), /^GetPackage: DEADLINE_EXCEEDED/],
]
for (const [name, script, reason] of DISCARDED) {
  t.test(`${name} discards the reading (R023)`, async (t) => {
    const { registry, read } = await reader(t, manyPackages(10), { callDeadlineMs: 300, listDeadlineMs: 300 })
    const before = (await read()).snapshot
    registry.packages = manyPackages(10, 'new')
    registry.script = script
    await t.rejects(read(), { message: reason })
    registry.script = () => undefined
    const after = (await read()).snapshot
    t.equal(after.packages.length, before.packages.length)
    t.not(after.hash, before.hash)
  })
}

const COSTS_ITS_CHANNEL: readonly (readonly [string, ScriptedPackage | undefined, Answer | undefined, RegExp])[] = [
  [
    'UNKNOWN',
    undefined,
    { messages: [], ending: { status: 2, details: 'no such bundle' } },
    /^GetBundleForChannel: UNKNOWN: no such bundle$/,
  ],
  ['RESOURCE_EXHAUSTED', undefined, { messages: [], ending: { status: 8 } }, /RESOURCE_EXHAUSTED/],
  ['DATA_LOSS', undefined, { messages: [], ending: { status: 15 } }, /DATA_LOSS/],
  [
    'a manifest of 2 MiB over a limit of 1',
    onePackage('p2', 'x'.repeat(2 * MIB)),
    undefined,
    /has \d+ bytes, more than the 1048576 that are accepted/,
  ],
  ['garbage', undefined, { messages: [Buffer.from([0xff, 0xff, 0xff])] }, /not a message of this protocol/],
  ['no manifest', undefined, { messages: [{ csvName: 'p2.v1.1.0' }] }, /carries no ClusterServiceVersion/],
  ['a manifest that does not decode', undefined, { messages: [{ csvJson: '{"metadata": {"name": 5}}' }] }, /name/],
]
for (const [name, odd, answer, reason] of COSTS_ITS_CHANNEL) {
  t.test(`a bundle with ${name} costs only its channel`, async (t) => {
    const packages = manyPackages(5).map((one) => (one.name === odd?.name ? odd : one))
    const { registry, read } = await reader(t, packages)
    if (answer) registry.script = on('GetBundleForChannel', answer, ({ request }) => request.pkgName === 'p2')
    const { snapshot } = await read()
    t.match(snapshot.leftOut, [{ package: 'p2', channel: 'stable', reason }])
    t.equal(snapshot.leftOut.length, 1)
    t.strictSame(
      snapshot.packages.map(({ channels }) => channels.length),
      [1, 1, 0, 1, 1],
    )
    t.equal((await read()).snapshot.packages, snapshot.packages, 'and the next reading finds nothing new')
  })
}

t.test('a package that the registry cannot give costs only itself', async (t) => {
  const { registry, read } = await reader(t, manyPackages(3))
  registry.script = on(
    'GetPackage',
    { messages: [], ending: { status: 2, details: 'gone' } },
    ({ request }) => request.name === 'p1',
  )
  const { snapshot } = await read()
  t.strictSame(snapshot.leftOut, [{ package: 'p1', channel: undefined, reason: 'GetPackage: UNKNOWN: gone' }])
  t.strictSame(
    snapshot.packages.map(({ name }) => name),
    ['p0', 'p2'],
  )
})

t.test('a call that alone is late costs its channel in the third reading in a row', async (t) => {
  const { registry, read } = await reader(t, manyPackages(10), { callDeadlineMs: 200 })
  const hang = on('GetBundleForChannel', { messages: [], ending: 'hang' }, ({ request }) => request.pkgName === 'p4')
  registry.script = hang
  await t.rejects(read(), { message: /DEADLINE_EXCEEDED/ })
  await t.rejects(read(), { message: /DEADLINE_EXCEEDED/ })
  const third = (await read()).snapshot
  t.match(third.leftOut, [{ package: 'p4', channel: 'stable', reason: /DEADLINE_EXCEEDED/ }])
  t.match((await read()).snapshot.leftOut, [{ package: 'p4' }], 'and in the fourth')
  registry.script = () => undefined
  t.strictSame((await read()).snapshot.leftOut, [])
  registry.script = hang
  await t.rejects(read(), { message: /DEADLINE_EXCEEDED/ }, 'then it has three again')
})

t.test('a registry that changes while it is read is not mixed', async (t) => {
  const { registry, read } = await reader(t, manyPackages(6))
  await read()
  registry.script = ({ method, before }) => {
    if (method === 'GetPackage' && before === 6 + 3) registry.packages = [...manyPackages(6, 'new'), onePackage('more')]
    return undefined
  }
  registry.packages = [...manyPackages(6), onePackage('other')]
  await t.rejects(read(), { code: 'READING_INCONSISTENT' })
  t.equal((await read()).snapshot.packages.length, 7)
})

t.test('half and empty lists that end well are believed; doubles count once', async (t) => {
  const { registry, read } = await reader(t, manyPackages(6))
  await read()
  registry.packages = manyPackages(3)
  t.equal((await read()).snapshot.packages.length, 3)
  registry.packages = []
  t.strictSame((await read()).snapshot.packages, [])
  registry.packages = [...manyPackages(2), ...manyPackages(2)]
  const { snapshot } = await read()
  t.equal(snapshot.packages.length, 2)
  t.equal(snapshot.packages[0]?.channels[0]?.entries.length, 2)
})

t.test('a listed bundle larger than the limit costs nothing but a second stream', async (t) => {
  const { registry, read } = await reader(t, manyPackages(3))
  const listed = (name: string, csvJson: string) => ({
    csvName: `${name}.v1.1.0`,
    packageName: name,
    channelName: 'stable',
    csvJson,
  })
  registry.script = on('ListBundles', {
    messages: [listed('p0', 'x'.repeat(2 * MIB)), listed('p1', ''), listed('p2', '')],
  })
  const { snapshot } = await read()
  t.equal(snapshot.packages.length, 3)
  t.equal(registry.count('ListBundles'), 2)
  await read()
  t.equal(registry.count('ListBundles'), 3)
})

t.test('a catalog without bounds is not read', async (t) => {
  const { registry, read } = await reader(t, manyPackages(6), { mostListed: 12 })
  await read()
  registry.packages = manyPackages(7)
  await t.rejects(read(), { code: 'READING_TOO_LARGE', message: /too large: ListBundles lists more than 12/ })

  const byBytes = await reader(t, [onePackage('a', 'x'.repeat(5000)), onePackage('b', 'y'.repeat(5000))], {
    mostBytes: 8000,
  })
  await t.rejects(byBytes.read(), { message: /too large: its answers have more than 8000 bytes/ })
})

t.test('what a registry says cannot reach a terminal as it is', async (t) => {
  const { registry, read } = await reader(t, manyPackages(2))
  registry.script = on('GetBundleForChannel', { messages: [], ending: { status: 2, details: 'no\u001b[31m\r\nsuch' } })
  const { snapshot } = await read()
  t.equal(snapshot.leftOut[0]?.reason, 'GetBundleForChannel: UNKNOWN: no\ufffd[31m such')
})
