// What users reported about this API, each report's own input against a real process: the name of a test bears its number.
import t, { type Test } from 'tap'
import { eventually } from '../fixtures/eventually.ts'
import { type FaultWorld, startFaultWorld, type WorldAnswer } from '../fixtures/fault-world.ts'
import { manifest, onePackage, type ScriptedPackage } from '../fixtures/scripted-content.ts'
import { type ScriptedRegistry, scriptedRegistry } from '../fixtures/scripted-registry.ts'

const GROUP = '/apis/packages.operators.coreos.com/v1'
const ALL = `${GROUP}/packagemanifests`
const inNamespace = (namespace: string) => `${GROUP}/namespaces/${namespace}/packagemanifests`

interface Item {
  readonly metadata: {
    readonly name: string
    readonly namespace: string
    readonly labels: Readonly<Record<string, string>>
  }
  readonly status: {
    readonly catalogSource: string
    readonly catalogSourceNamespace: string
    readonly catalogSourceDisplayName: string
    readonly channels: readonly {
      readonly name: string
      readonly currentCSV: string
      readonly currentCSVDesc: { readonly version: string }
      readonly entries: readonly { readonly name: string; readonly version?: string }[]
    }[]
  }
}

function json<T>({ text }: WorldAnswer): T {
  return JSON.parse(text) as T
}

async function items(world: FaultWorld, path: string): Promise<readonly Item[]> {
  const answer = await world.ask(path)
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`)
  return json<{ items: Item[] }>(answer).items
}

interface CatalogFacts {
  readonly namespace?: string
  readonly priority?: number
  readonly packages: readonly ScriptedPackage[]
}

async function offer(t: Test, world: FaultWorld, name: string, facts: CatalogFacts): Promise<ScriptedRegistry> {
  const registry = await scriptedRegistry({ packages: facts.packages })
  t.teardown(() => registry.close())
  put(world, name, registry.address, facts)
  await eventually(
    `${name} is listed`,
    async () => (await items(world, `${ALL}?labelSelector=catalog%3D${name}`)).length > 0,
  )
  return registry
}

function put(
  world: FaultWorld,
  name: string,
  address: string,
  { namespace = 'olm', priority = 0 }: Partial<CatalogFacts>,
): void {
  world.api.put({
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'CatalogSource',
    metadata: { name, namespace },
    spec: { sourceType: 'grpc', address, displayName: name, publisher: 'P', priority },
  })
}

function withIcon(name: string, text: string): ScriptedPackage {
  const made = manifest(name, '1.1.0') as { spec: object }
  const icon = [{ base64data: Buffer.from(text).toString('base64'), mediatype: 'image/svg+xml' }]
  const csv = { ...made, spec: { ...made.spec, icon } }
  return { name, channels: [{ name: 'stable', bundles: [{ name: `${name}.v1.1.0`, version: '1.1.0', csv }] }] }
}

t.setTimeout(170_000)

t.test('the same name in several catalogs', { timeout: 170_000 }, async (t) => {
  const world = await startFaultWorld(t)
  const [svgA, svgB] = ['a', 'b'].map((mark) => `<svg xmlns="http://www.w3.org/2000/svg"><title>${mark}</title></svg>`)
  await offer(t, world, 'a', { packages: [withIcon('dup', svgA ?? ''), onePackage('only-a')] })
  await offer(t, world, 'b', { priority: 10, packages: [withIcon('dup', svgB ?? '')] })
  await offer(t, world, 'own', { namespace: 'mine', priority: -5, packages: [onePackage('dup')] })

  await t.test('R001: the same answer every time; the losers stay in the list', async (t) => {
    const answers = new Set<string>()
    for (let turn = 0; turn < 200; turn++) answers.add((await world.ask(`${inNamespace('default')}/dup`)).text)
    t.equal(answers.size, 1)
    t.match(JSON.parse([...answers][0] ?? ''), { status: { catalogSource: 'b' } })
    const dups = (await items(world, inNamespace('default'))).filter(({ metadata }) => metadata.name === 'dup')
    t.same(dups.map(({ status }) => status.catalogSource).sort(), ['a', 'b'])
    t.equal((await items(world, `${inNamespace('default')}?labelSelector=catalog%3Da`)).length, 2)
  })

  await t.test('R003: one catalog by selectors; none that fits is an empty list', async (t) => {
    const asked = (catalog: string) =>
      items(
        world,
        `${inNamespace('default')}?fieldSelector=metadata.name%3Ddup&labelSelector=catalog%3D${catalog},catalog-namespace%3Dolm`,
      )
    t.match(await asked('b'), [{ status: { catalogSource: 'b' } }])
    t.equal((await asked('b')).length, 1)
    t.same(await asked('nobody'), [])
  })

  await t.test('R005: own namespace first, then priority, in the same order every time', async (t) => {
    t.match(json(await world.ask(`${inNamespace('mine')}/dup`)), { status: { catalogSource: 'own' } })
    const order = async () =>
      (await items(world, inNamespace('mine')))
        .filter(({ metadata }) => metadata.name === 'dup')
        .map(({ status }) => status.catalogSource)
    const first = await order()
    t.equal(first.length, 3)
    for (let turn = 0; turn < 20; turn++) t.same(await order(), first)
  })

  await t.test('R006: each once, in the global namespace and in all', async (t) => {
    for (const path of [inNamespace('olm'), ALL]) {
      const keys = (await items(world, path)).map(({ metadata, status }) =>
        [status.catalogSourceNamespace, status.catalogSource, metadata.name].join('/'),
      )
      t.equal(new Set(keys).size, keys.length, path)
    }
  })

  await t.test('R007: the icon of the winner, or of the catalog that is hinted at', async (t) => {
    const icon = `${inNamespace('default')}/dup/icon`
    const winner = await world.ask(icon)
    for (let turn = 0; turn < 20; turn++) t.equal((await world.ask(icon)).text, winner.text)
    t.match(winner.text, /<title>b/)
    const other = await world.ask(`${icon}?catalog=a&catalog-namespace=olm`)
    t.match(other.text, /<title>a/)
    t.not(other.headers.etag, winner.headers.etag)
  })

  await t.test('R014: an unknown name is a whole Status; a global one shows in every namespace', async (t) => {
    const unknown = await world.ask(`${inNamespace('default')}/nobody`)
    t.equal(unknown.status, 404)
    const details = { name: 'nobody', group: 'packages.operators.coreos.com', kind: 'packagemanifests' }
    t.match(json(unknown), { kind: 'Status', reason: 'NotFound', details })
    const found = json<Item>(await world.ask(`${inNamespace('default')}/only-a`))
    t.match(found, { metadata: { namespace: 'default' }, status: { catalogSourceNamespace: 'olm' } })
  })

  await t.test('R015: in all namespaces each item has that of its catalog', async (t) => {
    for (const { metadata, status } of await items(world, ALL)) {
      t.equal(metadata.namespace, status.catalogSourceNamespace)
    }
  })

  await t.test('R055: what is no verb of this API is 405 with Allow and a Status', async (t) => {
    const sent = await fetchWith(world, 'POST', inNamespace('default'))
    t.equal(sent.status, 405)
    t.match(sent.text, /"reason":"MethodNotAllowed"/)
    t.match(String(sent.headers.allow), /GET/)
  })
})

async function fetchWith(world: FaultWorld, method: string, path: string): Promise<WorldAnswer> {
  const { request } = await import('node:https')
  return new Promise((resolve, reject) => {
    const { port, headers, tls } = world
    const sent = request({ host: '127.0.0.1', port, path, method, headers, ...tls, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers, ms: 0 }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

t.test('what a catalog holds, and how it changes', { timeout: 170_000 }, async (t) => {
  const world = await startFaultWorld(t)

  await t.test('R019: a catalog that is not ready is an empty list with a hint', async (t) => {
    put(world, 'mute', '127.0.0.1:1', {})
    const warned = await eventually('a warning', async () => {
      const answer = await world.ask(inNamespace('default'))
      return String(answer.headers.warning ?? '').includes('olm/mute') && answer
    })
    t.equal(warned.status, 200)
    t.same(json<{ items: unknown[] }>(warned).items, [])
    world.api.take('CatalogSource', 'olm', 'mute')
  })

  await t.test('R009: YAML where JSON is expected is listed all the same', async (t) => {
    const csv = 'kind: ClusterServiceVersion\nmetadata:\n  name: y.v1\nspec:\n  displayName: Why\n  version: 1.0.0\n'
    const bundles = [{ name: 'y.v1', version: '1.0.0', csv }]
    await offer(t, world, 'yaml', { packages: [{ name: 'y', channels: [{ name: 'stable', bundles }] }] })
    const [found] = await items(world, `${ALL}?labelSelector=catalog%3Dyaml`)
    t.match(found?.status.channels, [{ currentCSV: 'y.v1', currentCSVDesc: { displayName: 'Why' } }])
  })

  await t.test('R060, R061, R062, R071: channels sorted, entries complete, versions of each head', async (t) => {
    const bundle = (version: string) => ({ name: `m.v${version}`, version })
    const channel = (name: string, ...versions: readonly string[]) => ({ name, bundles: versions.map(bundle) })
    const channels = [
      channel('stable', '1.2.0', '1.1.0', '1.0.0'),
      channel('alpha', '2.0.0-rc.1'),
      channel('candidate-1.10', '1.10.0', '1.10.0-rc.1', '1.9.0', '1.10.0+build.2', ''),
      channel('candidate-1.9', '1.9.0'),
    ]
    await offer(t, world, 'many', { packages: [{ name: 'm', channels }] })
    const [found] = await items(world, `${ALL}?labelSelector=catalog%3Dmany`)
    const shown = found?.status.channels ?? []
    t.same(
      shown.map(({ name, currentCSVDesc }) => [name, currentCSVDesc.version]),
      [
        ['alpha', '2.0.0-rc.1'],
        ['candidate-1.10', '1.10.0'],
        ['candidate-1.9', '1.9.0'],
        ['stable', '1.2.0'],
      ],
    )
    t.same(
      shown.at(-1)?.entries.map(({ version }) => version),
      ['1.2.0', '1.1.0', '1.0.0'],
    )
    const candidates = shown[1]?.entries ?? []
    t.equal(candidates.length, 5, 'one without a version is an entry too')
    t.equal(candidates.at(-2)?.version, '1.9.0')
  })

  await t.test('R011: a name and a label that change are shown without reading again', async (t) => {
    const registry = await offer(t, world, 'renamed', { packages: [onePackage('r')] })
    const connections = registry.accepted
    world.putCatalog('renamed', registry.address, { labels: { x: 'y' } })
    await eventually('the label', async () => (await items(world, `${ALL}?labelSelector=x%3Dy`)).length === 1)
    world.putCatalog('renamed', registry.address, { labels: {} })
    await eventually('no label', async () => (await items(world, `${ALL}?labelSelector=x%3Dy`)).length === 0)
    t.equal(registry.accepted, connections, 'no new connection')
  })

  await t.test('R054: an informer sees a package that a catalog adds', async (t) => {
    const registry = await offer(t, world, 'grows', { packages: [onePackage('g1')] })
    const { request } = await import('node:https')
    const { port, headers, tls } = world
    let seen = ''
    const path = `${ALL}?watch=true&labelSelector=catalog%3Dgrows`
    const sent = request({ host: '127.0.0.1', port, path, headers, ...tls, agent: false }, (got) => {
      got.on('error', () => undefined)
      got.setEncoding('utf8').on('data', (piece: string) => {
        seen += piece
      })
    })
    sent.on('error', () => undefined).end()
    await eventually('the first', () => seen.includes('"name":"g1"'))
    registry.packages = [onePackage('g1'), onePackage('g2')]
    await eventually('the second', () => /"type":"ADDED"[^\n]*"name":"g2"/.test(seen))
    sent.destroy()
    t.pass('seen')
  })
})
