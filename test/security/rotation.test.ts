// Everything that is trusted changes under load: ten keep-alive callers and a watch. No rightful request fails, and nothing of
// the old trust is accepted once it is gone; no restart, no closed listener.
import { Agent, request as httpsRequest } from 'node:https'
import t, { type Test } from 'tap'
import { issueAuthority, type KeyPair } from '../../src/certificates/issue.ts'
import { issueDated, issueServer, issueUser, trustConfigMap } from '../fixtures/cluster-trust.ts'
import { type DelegatedServer, startDelegatedServer } from '../fixtures/delegated-server.ts'
import { eventually } from '../fixtures/eventually.ts'

const LIST = '/apis/packages.operators.coreos.com/v1/packagemanifests'
const ADMIN = { 'X-Remote-User': 'admin', 'X-Remote-Group': 'system:masters' }
const CALLERS = 10

interface Load {
  /** Of rightful requests: everything that was not 200. */
  readonly failures: string[]
  count(): number
  stop(): Promise<void>
}

/** Ten callers, one kept connection each, one request after the other; each asks `identity` who it is now. */
function load(
  t: Test,
  cluster: DelegatedServer,
  identity: () => { pair: KeyPair; headers: Record<string, string> },
  ca: () => string,
): Load {
  const failures: string[] = []
  let count = 0
  let running = true
  const callers = Array.from({ length: CALLERS }, async () => {
    let shown: KeyPair | undefined
    let agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (running) {
      const { pair, headers } = identity()
      // A caller with a new certificate makes a new connection, as a front proxy does.
      if (pair !== shown) {
        agent.destroy()
        agent = new Agent({ keepAlive: true, maxSockets: 1, cert: pair.certificate, key: pair.key, ca: ca() })
        shown = pair
      }
      const outcome = await get(cluster.port, agent, headers)
      count += 1
      if (outcome !== '200') failures.push(outcome)
    }
    agent.destroy()
  })
  const stop = async () => {
    running = false
    await Promise.all(callers)
  }
  t.teardown(stop)
  return { failures, count: () => count, stop }
}

function get(port: number, agent: Agent, headers: Record<string, string>): Promise<string> {
  return new Promise((resolve) => {
    const request = httpsRequest({ host: '127.0.0.1', port, path: `${LIST}?limit=1`, agent, headers }, (response) => {
      response.resume()
      response.on('end', () => resolve(String(response.statusCode)))
      response.on('error', (error) => resolve(error.message))
    })
    request.on('error', (error) => resolve(error.message))
    request.end()
  })
}

/** A watch of the front proxy; resolves when it ends. */
function watch(cluster: DelegatedServer, as: KeyPair) {
  let ended = false
  const reply = cluster.ask(`${LIST}?watch=1`, { as, headers: ADMIN }).then(() => {
    ended = true
  })
  reply.catch(() => undefined)
  return { ended: () => ended }
}

async function more(of: Load, requests = 200): Promise<void> {
  const from = of.count()
  await eventually(`${requests} more requests`, () => of.count() - from >= requests, 30_000)
}

const HOUR = { now: Date.now(), lifetime: 3_600_000 }

t.test('the request-header authority: new beside old, then the callers, then the old one goes (R034)', async (t) => {
  const cluster = await startDelegatedServer(t)
  const { api, authorities } = cluster
  const clientCa = authorities.client.certificate
  const old = authorities.proxy.certificate
  const next = await issueAuthority('front-proxy-ca-2', HOUR)
  const nextProxy = await issueUser(next, 'front-proxy-client')
  let pair = cluster.frontProxy
  const running = load(
    t,
    cluster,
    () => ({ pair, headers: ADMIN }),
    () => authorities.serving.certificate,
  )
  const oldWatch = watch(cluster, cluster.frontProxy)
  await more(running)
  t.equal((await cluster.ask(LIST, { as: nextProxy, headers: ADMIN })).status, 401, 'not trusted yet')

  api.put(trustConfigMap({ clientCa, proxyCa: `${old}${next.certificate}` }))
  await eventually(
    'both trusted',
    async () => (await cluster.ask(LIST, { as: nextProxy, headers: ADMIN })).status === 200,
  )
  await more(running)
  pair = nextProxy
  await more(running)

  // A connection of the old proxy that is open all the while.
  const agent = new Agent({
    keepAlive: true,
    maxSockets: 1,
    cert: cluster.frontProxy.certificate,
    key: cluster.frontProxy.key,
    ca: authorities.serving.certificate,
  })
  t.teardown(() => agent.destroy())
  t.equal(await get(cluster.port, agent, ADMIN), '200')
  api.put(trustConfigMap({ clientCa, proxyCa: next.certificate }))
  await eventually(
    'the old one refused on its own connection',
    async () => (await get(cluster.port, agent, ADMIN)) === '401',
  )
  const outcomes = await Promise.all(Array.from({ length: 50 }, () => get(cluster.port, agent, ADMIN)))
  t.ok(
    outcomes.every((outcome) => outcome === '401'),
    'none of fifty accepted from the old trust',
  )
  t.equal((await cluster.ask(LIST, { as: cluster.frontProxy, headers: ADMIN })).status, 401, 'nor on a new one')
  await more(running)
  await running.stop()
  t.same(running.failures, [])
  t.notOk(oldWatch.ended(), 'the watch lived through it')
  t.comment(`${running.count()} requests`)
})

t.test('the client authority: the same', async (t) => {
  const cluster = await startDelegatedServer(t)
  const { api, authorities } = cluster
  const proxyCa = authorities.proxy.certificate
  const next = await issueAuthority('kubernetes-ca-2', HOUR)
  const before = await issueUser(authorities.client, 'admin', ['system:masters'])
  const after = await issueUser(next, 'admin', ['system:masters'])
  let pair = before
  const running = load(
    t,
    cluster,
    () => ({ pair, headers: {} }),
    () => authorities.serving.certificate,
  )
  await more(running)
  api.put(trustConfigMap({ clientCa: `${authorities.client.certificate}${next.certificate}`, proxyCa }))
  await eventually('both trusted', async () => (await cluster.ask(LIST, { as: after })).status === 200)
  pair = after
  await more(running)
  api.put(trustConfigMap({ clientCa: next.certificate, proxyCa }))
  await eventually('the old one refused', async () => (await cluster.ask(LIST, { as: before })).status === 401)
  await more(running)
  await running.stop()
  t.same(running.failures, [])
})

t.test('the serving certificate: open connections live on, new ones see the new one', async (t) => {
  const cluster = await startDelegatedServer(t)
  const { authorities } = cluster
  const ca = `${authorities.serving.certificate}${authorities.foreign.certificate}`
  const running = load(
    t,
    cluster,
    () => ({ pair: cluster.frontProxy, headers: ADMIN }),
    () => ca,
  )
  const open = watch(cluster, cluster.frontProxy)
  await more(running)
  for (let round = 0; round < 5; round += 1) {
    const issuer = round % 2 === 0 ? authorities.foreign : authorities.serving
    const next = await issueServer(issuer, ['127.0.0.1'], `round ${round}`)
    cluster.server.setCertificate({ cert: next.certificate, key: next.key })
    const socket = await cluster.open().catch((error: Error) => error)
    // Only the original authority is trusted by this one: it sees the change at once.
    t.equal(socket instanceof Error, issuer === authorities.foreign)
    if (!(socket instanceof Error)) socket.destroy()
    await more(running, 100)
  }
  t.throws(() => cluster.server.setCertificate({ cert: authorities.serving.certificate, key: cluster.frontProxy.key }))
  await more(running, 100)
  await running.stop()
  t.same(running.failures, [])
  t.notOk(open.ended())
})

t.test('a trust that does not decode, or goes: the last good one stays', async (t) => {
  const cluster = await startDelegatedServer(t)
  const { api, authorities } = cluster
  const running = load(
    t,
    cluster,
    () => ({ pair: cluster.frontProxy, headers: ADMIN }),
    () => authorities.serving.certificate,
  )
  for (const data of [
    { 'requestheader-client-ca-file': 'junk' },
    { 'requestheader-client-ca-file': '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' },
    {},
  ]) {
    const broken = trustConfigMap({ proxyCa: 'x' })
    api.put({
      ...broken,
      data: {
        ...(broken.data as object),
        ...data,
        ...(Object.keys(data).length === 0 ? { 'requestheader-client-ca-file': '' } : {}),
      },
    })
    await more(running, 50)
  }
  api.take('ConfigMap', 'kube-system', 'extension-apiserver-authentication')
  await more(running, 50)
  await running.stop()
  t.same(running.failures, [])
})

t.test('a certificate that ends while its connection lives is refused from then on', async (t) => {
  let now = Date.now()
  const cluster = await startDelegatedServer(t, { clock: { now: () => now } })
  const short = await issueDated(cluster.authorities.proxy, 'front-proxy-client', 0, 600_000)
  const agent = new Agent({
    keepAlive: true,
    maxSockets: 1,
    cert: short.certificate,
    key: short.key,
    ca: cluster.authorities.serving.certificate,
  })
  t.teardown(() => agent.destroy())
  t.equal(await get(cluster.port, agent, ADMIN), '200')
  now += 601_000
  t.equal(await get(cluster.port, agent, ADMIN), '401')
})

t.test('a watch of the old trust ends when it is asked about again', async (t) => {
  const cluster = await startDelegatedServer(t, { server: { bounds: { reauthorizeMilliseconds: 100 } } })
  const { api, authorities } = cluster
  const old = watch(cluster, cluster.frontProxy)
  await eventually('an open watch', () => cluster.server.watches === 1)
  const next = await issueAuthority('front-proxy-ca-2', HOUR)
  api.put(
    trustConfigMap({
      clientCa: authorities.client.certificate,
      proxyCa: `${authorities.proxy.certificate}${next.certificate}`,
    }),
  )
  await new Promise((resolve) => setTimeout(resolve, 1500))
  t.notOk(old.ended(), 'not while the old authority is trusted too')
  api.put(trustConfigMap({ clientCa: authorities.client.certificate, proxyCa: next.certificate }))
  await eventually('its end', old.ended)
})
