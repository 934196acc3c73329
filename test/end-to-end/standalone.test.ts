// The process of `npm start`: starting, starting again, who is let in, what it says, how it ends.
import { cpSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { issueAuthority, issueClient, issueServing } from '../../src/certificates/issue.ts'
import { eventually } from '../fixtures/eventually.ts'
import { samplePackage } from '../fixtures/sample-catalogs.ts'
import { credentialsOf, secureGet } from '../fixtures/secure-request.ts'
import { type Standalone, startStandalone } from '../fixtures/standalone-process.ts'

const LIST = '/apis/packages.operators.coreos.com/v1/packagemanifests'

interface List {
  readonly items: readonly {
    readonly metadata: { readonly name: string }
    readonly status: { readonly catalogSource: string }
  }[]
}

async function names(server: string, dataDir: string): Promise<readonly string[]> {
  const { body } = await secureGet(`${server}${LIST}`, credentialsOf(dataDir))
  return (JSON.parse(body.toString()) as List).items.map(({ metadata }) => metadata.name)
}

/** A bound that holds on a machine that does nothing else, stretched where the start itself took longer than a second. */
function busy(milliseconds: number, server: Standalone): number {
  return milliseconds * Math.max(1, server.startedWithin / 1000)
}

t.test('the embedded catalogs: listed within five seconds of the start', async (t) => {
  const data = join(t.testdir({}), 'data')
  const begun = performance.now()
  const server = await startStandalone(data)
  t.teardown(() => server.stop())
  t.equal(
    (await secureGet(`${server.server}${LIST}`, credentialsOf(data))).status,
    200,
    'the printed command works at once',
  )
  await eventually('every catalog is listed', async () =>
    /^catalogs-tried|\[\+\]catalogs-tried ok/m.test(
      (await secureGet(`${server.server}/readyz?verbose`, credentialsOf(data))).body.toString(),
    ),
  )
  const took = performance.now() - begun
  const listed = await names(server.server, data)
  t.ok(listed.length >= 14, `${listed.length} packages`)
  t.ok(new Set(listed).size < listed.length, 'a name that two catalogs offer')
  t.ok(took < busy(5000, server), `${Math.round(took)} ms`)
  t.comment(`listed after ${Math.round(took)} ms`)
  const counts = server.stderr().match(/^\S+\/\S+: \d+ packages/gm) ?? []
  t.ok(counts.length >= 2, 'one line per catalog with its count')
})

t.test('a second start uses the same certificates; those not good any more are made anew', async (t) => {
  const base = t.testdir({ none: {} })
  const data = join(base, 'data')
  const files = () =>
    Object.fromEntries(readdirSync(data).map((name) => [name, readFileSync(join(data, name), 'utf8')]))
  const start = () => startStandalone(data, '--catalogs', join(base, 'none'), '--secure-port', '0')

  const first = await start()
  t.equal(await first.stop(), 0)
  const before = files()
  for (const name of Object.keys(before))
    if (/\.key$|^kubeconfig$/.test(name)) t.equal(statSync(join(data, name)).mode & 0o777, 0o600, name)
  const second = await start()
  t.equal(await second.stop(), 0)
  t.notMatch(second.stderr(), /made anew/)
  for (const name of Object.keys(before)) if (name !== 'kubeconfig') t.equal(files()[name], before[name], name)

  const past = { now: Date.now() - 86_400_000, lifetime: 3_600_000 }
  const authority = { certificate: before['ca.crt'] ?? '', key: before['ca.key'] ?? '' }
  const expired = await issueServing(authority, { commonName: 'x', hosts: ['localhost', '127.0.0.1', '::1'] }, past)
  const foreign = await issueClient(
    await issueAuthority('foreign', { ...past, lifetime: 1e10 }),
    { user: 'x', groups: [] },
    { ...past, lifetime: 1e10 },
  )
  const { writeFileSync } = await import('node:fs')
  writeFileSync(join(data, 'serving.crt'), expired.certificate)
  writeFileSync(join(data, 'serving.key'), expired.key)
  writeFileSync(join(data, 'client.crt'), foreign.certificate)
  writeFileSync(join(data, 'client.key'), foreign.key)
  const third = await start()
  t.teardown(() => third.stop())
  t.match(third.stderr(), /serving\.crt made anew: expired at /)
  t.match(third.stderr(), /client\.crt made anew: signed by an unknown authority/)
  t.equal(files()['ca.crt'], before['ca.crt'], 'the authority stays')
  t.equal((await secureGet(`${third.server}${LIST}`, credentialsOf(data))).status, 200)
})

t.test('who is let in', async (t) => {
  const base = t.testdir({ none: {} })
  const data = join(base, 'data')
  const server = await startStandalone(data, '--catalogs', join(base, 'none'))
  t.teardown(() => server.stop())
  const { ca, cert, key } = credentialsOf(data)
  const year = { now: Date.now(), lifetime: 3_600_000 }
  const foreign = await issueClient(
    await issueAuthority('olm standalone', year),
    { user: 'admin', groups: ['system:masters'] },
    year,
  )
  for (const path of [LIST, '/apis', '/version', '/openapi/v2', '/nope', '/']) {
    for (const [who, credentials] of [
      ['nobody', { ca }],
      ['a stranger', { ca, cert: foreign.certificate, key: foreign.key }],
    ] as const) {
      const { status, body } = await secureGet(`${server.server}${path}`, credentials)
      t.equal(status, 401, `${who} at ${path}`)
      t.match(JSON.parse(body.toString()), { kind: 'Status', status: 'Failure', reason: 'Unauthorized', code: 401 })
    }
  }
  for (const path of ['/healthz', '/livez', '/readyz']) {
    const { status, body } = await secureGet(`${server.server}${path}`, { ca })
    t.strictSame([status, body.toString()], [200, 'ok'], `${path} is open to all`)
  }
  t.equal((await secureGet(`${server.server}${LIST}`, { ca, cert, key })).status, 200)
})

t.test('signals: exit 0 within two seconds, also under load', async (t) => {
  const base = t.testdir({ catalogs: { one: { 'a.json': samplePackage({ name: 'a' }) } } })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const data = join(base, signal)
    const server = await startStandalone(data, '--catalogs', join(base, 'catalogs'))
    const credentials = credentialsOf(data)
    await eventually('listed', async () => (await names(server.server, data)).length === 1)
    const watch = secureGet(`${server.server}${LIST}?watch=true`, credentials).catch(() => undefined)
    const asked = Array.from({ length: 20 }, () =>
      secureGet(`${server.server}${LIST}`, credentials).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    await Promise.all(asked)
    const begun = performance.now()
    server.child.kill(signal)
    t.equal(await server.ended, 0, `${signal}: exit code`)
    t.ok(performance.now() - begun < busy(2000, server), `${signal}: ${Math.round(performance.now() - begun)} ms`)
    await watch
    t.notMatch(server.stderr(), /Error|at .*\.ts:/, 'no stack')
  }
})

t.test('catalogs that come, change, break and go while it runs', async (t) => {
  const base = t.testdir({
    catalogs: { one: { 'a.json': samplePackage({ name: 'a' }) } },
    ready: { two: { 'b.json': samplePackage({ name: 'b' }) } },
  })
  const { rmSync, writeFileSync } = await import('node:fs')
  const data = join(base, 'data')
  const catalogs = join(base, 'catalogs')
  const server = await startStandalone(data, '--catalogs', catalogs)
  t.teardown(() => server.stop())
  const listed = async (wanted: string) => {
    const begun = performance.now()
    await eventually(wanted, async () => (await names(server.server, data)).join(' ') === wanted, 10_000)
    return performance.now() - begun
  }
  await listed('a')
  cpSync(join(base, 'ready/two'), join(catalogs, 'two'), { recursive: true })
  const added = await listed('a b')
  writeFileSync(join(catalogs, 'two/c.json'), samplePackage({ name: 'c' }))
  const changed = await listed('a b c')
  writeFileSync(join(catalogs, 'two/c.json'), '{"schema": "olm.package"')
  await listed('a')
  t.match(server.stderr(), /^olm\/two: left out: c\.json:1/m, 'file, line and reason')
  writeFileSync(join(catalogs, 'two/c.json'), samplePackage({ name: 'c' }))
  await listed('a b c')
  rmSync(join(catalogs, 'two'), { recursive: true })
  const removed = await listed('a')
  for (const [what, took] of Object.entries({ added, changed, removed }))
    t.ok(took < busy(2000, server), `${what} within ${Math.round(took)} ms`)
})
