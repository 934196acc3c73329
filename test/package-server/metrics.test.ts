// Names of metrics by Prometheus' rules, and what is counted of made-up facts: labels stay bounded whatever comes.
import t from 'tap'
import type { CatalogFacts } from '../../src/package-server/catalog-facts.ts'
import { PACKAGE_SERVER_METRICS } from '../../src/package-server/metrics.ts'
import { createObservation } from '../../src/package-server/observation.ts'

const NOW = 1_800_000_000_000
const UNIT = /_(seconds|bytes|total|info)$/
/** Gauges of plain counts need no unit. */
const COUNTS = new Set([
  'package_server_requests_in_flight',
  'package_server_watches',
  'package_server_catalogs',
  'package_server_catalog_failing',
  'package_server_catalog_packages',
  'package_server_catalog_left_out',
])

t.test('names by the rules of promtool check metrics', async (t) => {
  const names = Object.values(PACKAGE_SERVER_METRICS).map(({ name }) => name)
  t.equal(new Set(names).size, names.length)
  for (const { kind, name, help, ...more } of Object.values(PACKAGE_SERVER_METRICS)) {
    t.match(name, /^package_server_[a-z][a-z0-9]*(_[a-z0-9]+)*$/)
    t.equal(name.endsWith('_total'), kind === 'counter', `${name}: _total is for counters`)
    t.ok(UNIT.test(name) || COUNTS.has(name), `${name} ends with a unit`)
    t.notMatch(name, /_(milliseconds|minutes|hours|kilobytes|count|sum|bucket|counter|gauge|histogram)$/)
    t.match(help, /\.$|[:;] 1/, `${name} has help`)
    for (const label of 'labels' in more ? more.labels : []) t.match(label, /^[a-z][a-z_]*[a-z]$/)
  }
})

function facts(name: string, more: Partial<CatalogFacts> = {}): CatalogFacts {
  const source = {
    ...{ namespace: 'olm', name, uid: undefined, creationTimestamp: undefined, labels: {} },
    ...{ displayName: '', publisher: '', priority: 0, address: 'a:1' },
  }
  const connection = { state: 'READY', since: NOW }
  return { source, connection, reading: undefined, failure: undefined, ...more }
}

function observe(catalogs: readonly CatalogFacts[]) {
  const observation = createObservation({
    clock: { now: () => NOW },
    version: '1.2.3',
    nodeVersion: 'v24.0.0',
    resources: ['packagemanifests', 'catalogstatuses'],
    certificateEnd: () => NOW + 1000,
  })
  observation.watch({ catalogs: () => catalogs, attemptedAt: () => NOW, requestsInFlight: () => 3, watches: () => 5 })
  return observation
}

async function lines(observation: ReturnType<typeof observe>): Promise<readonly string[]> {
  return (await observation.text()).split('\n').filter((line) => line.startsWith('package_server_'))
}

t.test('a catalog, as it is', async (t) => {
  const reading = {
    ...{ readAt: NOW - 60_000, packages: 7, channels: 9, bytes: 1234 },
    leftOut: [
      { package: 'a', channel: 'stable', reason: 'GetBundleForChannel: DEADLINE_EXCEEDED: no answer' },
      { package: 'b', channel: 'x', reason: 'its ClusterServiceVersion is not JSON' },
      { package: 'c', channel: undefined, reason: 'the answer to GetPackage is not a message of this protocol' },
    ],
  }
  const observation = observe([facts('good', { reading }), facts('bad', { failure: { since: NOW, reason: 'x' } })])
  observation.read('olm/good', 2500)
  const found = await lines(observation)
  const of = (name: string) => `{catalog_namespace="olm",catalog="${name}"}`
  const left = (what: string, reason: string) =>
    `package_server_catalog_left_out{catalog_namespace="olm",catalog="good",what="${what}",reason="${reason}"} 1`
  for (const line of [
    `package_server_catalog_failing${of('good')} 0`,
    `package_server_catalog_failing${of('bad')} 1`,
    `package_server_catalog_packages${of('good')} 7`,
    `package_server_catalog_age_seconds${of('good')} 60`,
    `package_server_catalog_reading_bytes${of('good')} 1234`,
    `package_server_catalog_reading_duration_seconds${of('good')} 2.5`,
    `package_server_catalog_last_success_timestamp_seconds${of('good')} ${(NOW - 60_000) / 1000}`,
    left('channel', 'call'),
    left('channel', 'content'),
    left('package', 'message'),
    'package_server_catalogs{state="READY"} 2',
    'package_server_requests_in_flight 3',
    'package_server_watches 5',
    `package_server_certificate_not_after_timestamp_seconds ${NOW / 1000 + 1}`,
    'package_server_build_info{version="1.2.3",node_version="v24.0.0"} 1',
    'package_server_aggregator_last_request_timestamp_seconds 0',
  ])
    t.ok(found.includes(line), line)
})

t.test('a thousand catalogs and callers that make names up: the number of lines is bounded', async (t) => {
  const observation = observe(Array.from({ length: 1000 }, (_, index) => facts(`c${index}`)))
  for (let index = 0; index < 1000; index++) {
    const attributes = { kind: 'resource', verb: `verb${index}`, resource: `made-up-${index}` } as never
    const answer = { auditId: '', method: 'GET', identity: undefined, path: '/', code: 404, bytes: 1, milliseconds: 1 }
    observation.answered({ ...answer, attributes })
  }
  const found = await lines(observation)
  t.ok(found.length < 2000, String(found.length))
  t.ok(found.includes('package_server_requests_total{verb="other",resource="other",code="404"} 1000'))
  t.ok(found.includes('package_server_catalogs{state="READY"} 1000'), 'all are counted')
})

t.test('handshakes that fail are counted by cause', async (t) => {
  const observation = observe([])
  for (const cause of ['ERR_SSL_HTTP_REQUEST', 'ECONNRESET', 'ECONNRESET']) observation.handshakeFailed(cause)
  const found = (await lines(observation)).filter((line) => line.startsWith('package_server_tls_handshake'))
  t.same(found, [
    'package_server_tls_handshake_failures_total{cause="ERR_SSL_HTTP_REQUEST"} 1',
    'package_server_tls_handshake_failures_total{cause="ECONNRESET"} 2',
  ])
})

t.test('a catalog that is gone is shown no more', async (t) => {
  const catalogs = [facts('a'), facts('b')]
  const observation = observe(catalogs)
  t.match((await lines(observation)).join('\n'), 'catalog="b"')
  catalogs.pop()
  t.notMatch((await lines(observation)).join('\n'), 'catalog="b"')
})

t.test('both formats, asked for at once', async (t) => {
  const observation = observe([facts('a')])
  const [open, plain] = await Promise.all([
    observation.inFormat('application/openmetrics-text;version=1.0.0,text/plain;q=0.5'),
    observation.inFormat('text/plain'),
  ])
  t.match(open.contentType, 'application/openmetrics-text')
  t.match(open.body, /# EOF\n$/)
  t.match(plain.contentType, 'text/plain')
  t.notMatch(plain.body, '# EOF')
})

t.test('who asked, and may they (R043)', async (t) => {
  const observation = observe([])
  const identity = (user: string) => ({ user, uid: '', groups: [], extra: {} })
  const asked = observation.authenticate(async (facts) => identity(String(facts)))
  await asked('system:anonymous' as never)
  await asked('jane' as never)
  await t.rejects(observation.authenticate(() => Promise.reject(new Error('away')))('x' as never), { message: 'away' })
  await observation.authorize(async () => ({ allowed: false, reason: '' }))(identity('jane'), {} as never)
  observation.accessAsked('denied', 20)
  observation.frontProxyAsked()
  const found = await lines(observation)
  for (const line of [
    'package_server_authentications_total{result="anonymous"} 1',
    'package_server_authentications_total{result="accepted"} 1',
    'package_server_authentications_total{result="error"} 1',
    'package_server_authorizations_total{result="denied"} 1',
    'package_server_access_reviews_total{result="denied"} 1',
    `package_server_aggregator_last_request_timestamp_seconds ${NOW / 1000}`,
  ])
    t.ok(found.includes(line), line)
})
