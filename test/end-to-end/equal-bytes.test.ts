// The same question has the same answer, byte for byte: in two runs, from two servers, in whatever order catalogs arrive.
// resourceVersions are clocks and put aside.
import { cpSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { eventually } from '../fixtures/eventually.ts'
import { catalogSourceYaml, samplePackage } from '../fixtures/sample-catalogs.ts'
import { credentialsOf, secureGet } from '../fixtures/secure-request.ts'
import { serveRegistry } from '../fixtures/served-registries.ts'
import { type Standalone, startStandalone } from '../fixtures/standalone-process.ts'

const API = '/apis/packages.operators.coreos.com/v1'
const QUESTIONS = [
  `${API}/packagemanifests`,
  `${API}/namespaces/anywhere/packagemanifests`,
  `${API}/namespaces/olm/packagemanifests/alpha`,
  `${API}/namespaces/anywhere/packagemanifests/alpha`,
  `${API}/namespaces/olm/packagemanifests/alpha/icon`,
  `${API}/packagemanifests?labelSelector=catalog%3Dtwo`,
  `${API}/packagemanifests?fieldSelector=metadata.name%3Dbeta&pretty=true`,
  API,
  '/apis',
]

async function answersOf(server: string, dataDir: string): Promise<Readonly<Record<string, string>>> {
  const answers: Record<string, string> = {}
  for (const path of QUESTIONS) {
    const plain = await secureGet(`${server}${path}`, credentialsOf(dataDir))
    const zipped = await secureGet(`${server}${path}`, credentialsOf(dataDir), { 'accept-encoding': 'gzip' })
    const body = zipped.headers['content-encoding'] === 'gzip' ? gunzipSync(zipped.body) : zipped.body
    if (!body.equals(plain.body)) throw new Error(`${path}: gzip holds other bytes`)
    answers[path] =
      `${plain.status} ${plain.body.toString().replace(/"resourceVersion": ?"\d+"/g, '"resourceVersion":""')}`
    // The port of the server is part of discovery's answer.
    answers[path] = answers[path].replaceAll(new URL(server).port, 'PORT')
  }
  return answers
}

function packagesOf(server: Standalone, dataDir: string): Promise<number> {
  return secureGet(`${server.server}${API}/packagemanifests`, credentialsOf(dataDir)).then(
    ({ body }) => (JSON.parse(body.toString()) as { items: unknown[] }).items.length,
  )
}

t.test('two runs, and two servers at a time', async (t) => {
  const folder = t.testdir({
    catalogs: {
      one: { 'alpha.json': samplePackage({ name: 'alpha' }), 'beta.json': samplePackage({ name: 'beta' }) },
      two: { 'alpha.json': samplePackage({ name: 'alpha', version: '2.0.0' }) },
    },
  })
  const start = async (data: string) => {
    const server = await startStandalone(join(folder, data), '--catalogs', join(folder, 'catalogs'))
    await eventually('three packages', async () => (await packagesOf(server, join(folder, data))) === 3, 20_000)
    return server
  }
  const first = await start('one')
  const other = await start('two')
  t.teardown(() => other.stop())
  const answers = await answersOf(first.server, join(folder, 'one'))
  t.strictSame(await answersOf(other.server, join(folder, 'two')), answers, 'two servers')
  await first.stop()
  const again = await start('one')
  t.teardown(() => again.stop())
  t.strictSame(await answersOf(again.server, join(folder, 'one')), answers, 'two runs')
})

t.test('in whatever order catalogs arrive', async (t) => {
  const folder = t.testdir({
    none: {},
    sources: { a: {}, b: {} },
    waiting: {},
    catalogs: {
      one: { 'alpha.json': samplePackage({ name: 'alpha' }), 'beta.json': samplePackage({ name: 'beta' }) },
      two: { 'alpha.json': samplePackage({ name: 'alpha', version: '2.0.0' }) },
      three: {
        'alpha.json': samplePackage({ name: 'alpha', version: '3.0.0' }),
        'beta.json': samplePackage({ name: 'beta', version: '3.0.0' }),
      },
    },
  })
  const names = ['one', 'two', 'three'] as const
  const priorities = { one: 0, two: 5, three: 5 }
  for (const name of names) {
    const address = await serveRegistry(t, join(folder, 'catalogs', name))
    writeFileSync(join(folder, `${name}.yaml`), catalogSourceYaml(name, address, { priority: priorities[name] }))
  }
  const collect = async (key: 'a' | 'b', order: readonly (typeof names)[number][], sizes: readonly number[]) => {
    const data = join(folder, `data-${key}`)
    const sources = join(folder, 'sources', key)
    const server = await startStandalone(data, '--catalogs', join(folder, 'none'), '--catalog-sources', sources)
    t.teardown(() => server.stop())
    for (const [index, name] of order.entries()) {
      // In one step: a file is never seen half-written.
      cpSync(join(folder, `${name}.yaml`), join(folder, `waiting/${name}.tmp`))
      renameSync(join(folder, `waiting/${name}.tmp`), join(sources, `${name}.yaml`))
      await eventually(`${name} listed`, async () => (await packagesOf(server, data)) === sizes[index], 20_000)
    }
    return answersOf(server.server, data)
  }
  const forth = await collect('a', ['one', 'two', 'three'], [2, 3, 5])
  const back = await collect('b', ['three', 'two', 'one'], [2, 3, 5])
  t.strictSame(back, forth)
  t.match(
    forth[`${API}/namespaces/olm/packagemanifests/alpha`],
    /"catalogSource":"three"/,
    'the higher priority, then the name',
  )
})
