import { X509Certificate } from 'node:crypto'
import t, { type Test } from 'tap'
import { verifyChain } from '../../src/certificates/certificate-chain.ts'
import { issueAuthority } from '../../src/certificates/issue.ts'
import type { ServingCertificate } from '../../src/http/tls.ts'
import { createEventRecorder } from '../../src/kube/events.ts'
import { createSelfManagedCertificates } from '../../src/package-server/self-managed-certificates.ts'
import { eventually } from '../fixtures/eventually.ts'
import { type KubeApi, startKubeApi } from '../fixtures/kube-api.ts'
import { fastClock, keptLog, kubeClient } from '../fixtures/kube-client.ts'

const NAME = 'v1.packages.operators.coreos.com'
const HOSTS = ['packageserver-service.olm.svc', 'packageserver-service.olm', 'packageserver-service']
const DAY = 86_400_000
const SECRETS = '/secrets'
const lifetimes = { authority: 100 * DAY, serving: 10 * DAY, settle: 60_000, grace: 3_600_000 }

function apiService(caBundle = '', more: object = {}) {
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: NAME },
    spec: { group: 'packages.operators.coreos.com', version: 'v1', caBundle, ...more },
  }
}

async function cluster(t: Test): Promise<KubeApi> {
  const api = await startKubeApi()
  t.teardown(() => api.close())
  api.put(apiService('', { insecureSkipTLSVerify: true }))
  return api
}

async function replica(t: Test, api: KubeApi, time: { now: number } = { now: Date.now() }) {
  const client = await kubeClient(t, api)
  const { log, lines } = keptLog()
  const clock = { ...fastClock, now: () => time.now }
  const taken: ServingCertificate[] = []
  const faults: string[] = []
  const certificates = createSelfManagedCertificates({
    ...{ client, namespace: 'olm', secret: 'own', apiServices: [NAME], hosts: HOSTS, clock, log, lifetimes },
    events: createEventRecorder({ client, log, clock, namespace: 'olm', instance: 'pod-1' }),
    onChange(certificate) {
      taken.push(certificate)
      // The invariant of it all: nothing is served that is not trusted at that moment.
      if (!isTrusted(api, certificate, time.now)) faults.push('served before it was trusted')
    },
  })
  const stop = new AbortController()
  const ended = certificates.run(stop.signal)
  const close = async () => {
    stop.abort()
    await ended
  }
  t.teardown(close)
  return { certificates, taken, faults, lines, close }
}

function bundleOf(api: KubeApi): readonly X509Certificate[] {
  const spec = api.store.get('apiregistration.k8s.io/apiservices', undefined, NAME)?.spec as { caBundle?: string }
  const text = Buffer.from(spec.caBundle ?? '', 'base64').toString()
  return (text.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ?? []).map((pem) => new X509Certificate(pem))
}

function isTrusted(api: KubeApi, { cert }: ServingCertificate, now: number): boolean {
  const leaf = new X509Certificate(cert)
  return verifyChain({ chain: [leaf], roots: bundleOf(api), usage: 'server', now }).trusted
}

function authorities(api: KubeApi): string[] {
  return bundleOf(api).map((one) => one.fingerprint256)
}

async function ready({ certificates }: Awaited<ReturnType<typeof replica>>) {
  return eventually('a trusted pair', () => (certificates.fault() === undefined ? certificates.current() : undefined))
}

t.test('five starts make one authority and one certificate (R037)', async (t) => {
  const api = await cluster(t)
  const served = new Set<string>()
  const bundles = new Set<string>()
  for (let start = 0; start < 5; start += 1) {
    const one = await replica(t, api)
    const pair = await ready(one)
    served.add(String(pair.cert))
    bundles.add(authorities(api).join())
    t.ok(isTrusted(api, pair, Date.now()))
    t.same(one.faults, [])
    await one.close()
  }
  t.equal(served.size, 1)
  t.equal(bundles.size, 1)
  const spec = api.store.get('apiregistration.k8s.io/apiservices', undefined, NAME)?.spec
  t.notHas(spec, { insecureSkipTLSVerify: true })
  const writes = api.requests.filter((request) => request.method !== 'GET' && !request.path.includes('events'))
  t.same(
    writes.map((request) => request.method),
    ['POST', 'PATCH'],
  )
  t.equal(api.store.list('events.k8s.io/events', 'olm').length, 1)
})

t.test('three replicas that start at once agree, every time', async (t) => {
  for (let round = 0; round < 10; round += 1) {
    const api = await cluster(t)
    const all = await Promise.all([replica(t, api), replica(t, api), replica(t, api)])
    const pairs = await Promise.all(all.map(ready))
    t.equal(new Set(pairs.map((pair) => pair.cert)).size, 1)
    t.equal(authorities(api).length, 1)
    t.same(
      all.flatMap((one) => one.faults),
      [],
    )
    await Promise.all(all.map((one) => one.close()))
  }
})

t.test(
  'the certificate is renewed by the same authority; then the authority, with both trusted during the change',
  async (t) => {
    const api = await cluster(t)
    const time = { now: Date.now() }
    const one = await replica(t, api, time)
    const other = await replica(t, api, time)
    const replicas = [one, other]
    const first = await ready(one)
    await ready(other)
    const [authority] = authorities(api)
    const agree = (different: ServingCertificate) =>
      eventually('both on a new pair', () => {
        const [a, b] = replicas.map((each) => each.certificates.current())
        return a !== undefined && a.cert !== different.cert && a.cert === b?.cert ? a : undefined
      })
    // A change that means nothing, so that they look at the time.
    let touched = 0
    const nudge = () => {
      const service = api.store.get('apiregistration.k8s.io/apiservices', undefined, NAME)
      if (service === undefined) return
      touched += 1
      const metadata = { ...service.metadata, resourceVersion: '', annotations: { touched: String(touched) } }
      api.store.update('apiregistration.k8s.io/apiservices', { ...service, metadata })
    }

    time.now += 9.5 * DAY
    nudge()
    const second = await agree(first)
    t.same(authorities(api), [authority], 'the same authority')

    // In steps smaller than a certificate's life, as time passes.
    let last = second
    for (let day = 0; day < 82; day += 9) {
      time.now += 9.1 * DAY
      nudge()
      await eventually('a step', () => authorities(api).length === 2 || one.certificates.current()?.cert !== last.cert)
      if (authorities(api).length === 2) break
      last = await agree(last)
    }
    t.equal(authorities(api).length, 2, 'old and new authority')
    t.equal(authorities(api)[1], authority)
    const during = await eventually('a pair', () => one.certificates.current())
    t.ok(isTrusted(api, during, time.now))
    time.now += lifetimes.settle + 1
    nudge()
    const switched = await agree(during)
    const newest = bundleOf(api)[0]
    t.ok(newest !== undefined && new X509Certificate(switched.cert).checkIssued(newest), 'signed by the new authority')
    time.now += lifetimes.grace + 1
    nudge()
    await eventually('the old authority gone', () => authorities(api).length === 1)
    t.ok(isTrusted(api, switched, time.now))
    t.same(
      replicas.flatMap((each) => each.faults),
      [],
    )
  },
)

t.test(
  'a foreign bundle, an expired one, none: written over; by a writer that insists: not at full speed',
  async (t) => {
    const api = await cluster(t)
    const foreign = await issueAuthority('foreign', { now: Date.now(), lifetime: DAY })
    const theirs = Buffer.from(foreign.certificate).toString('base64')
    api.put(apiService(theirs))
    const one = await replica(t, api)
    await ready(one)
    const ours = authorities(api)
    t.equal(ours.length, 1)
    const patches = () => api.requests.filter((request) => request.method === 'PATCH').length
    const before = patches()
    for (let round = 0; round < 10; round += 1) {
      api.put(apiService(theirs))
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    t.ok(patches() - before <= 2, `${patches() - before} writes against ten`)
    t.ok(one.lines.some((line) => String(line.msg).includes('somebody else writes')))
  },
)

t.test('no right to write: a reason and the way out, once; given later: goes on by itself', async (t) => {
  const api = await cluster(t)
  const binding = api.store.remove('rbac.authorization.k8s.io/rolebindings', 'olm', 'packageserver')
  const one = await replica(t, api)
  await eventually('a reason', () => one.certificates.fault()?.includes('403'))
  t.equal(one.certificates.current(), undefined)
  api.store.create('rbac.authorization.k8s.io/rolebindings', binding)
  await ready(one)
})

t.test('no right to write the APIService: nothing is served as trusted', async (t) => {
  const api = await cluster(t)
  api.put(apiService(''))
  api.faults.add({ on: 'PATCH', times: 1000, answer: { status: 403 } })
  const one = await replica(t, api)
  await eventually('a reason', () => one.certificates.fault()?.includes('403'))
  api.faults.clear()
  await ready(one)
  t.same(one.faults, [])
})

t.test('what is in the Secret but no good is made anew', async (t) => {
  const junk: readonly Readonly<Record<string, string>>[] = [
    {},
    { 'tls.crt': 'x', 'tls.key': 'y' },
    {
      'tls.crt': '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
      'tls.key': 'k',
      'ca.crt': '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
      'ca.key': 'k',
    },
  ]
  for (const data of junk) {
    const api = await cluster(t)
    const encoded = Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
    )
    api.put({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'own', namespace: 'olm' }, data: encoded })
    const one = await replica(t, api)
    t.ok(isTrusted(api, await ready(one), Date.now()))
  }
})

t.test('all expired while nobody ran: made anew', async (t) => {
  const api = await cluster(t)
  const time = { now: Date.now() }
  const one = await replica(t, api, time)
  const first = await ready(one)
  await one.close()
  time.now += 200 * DAY
  const next = await replica(t, api, time)
  const pair = await eventually('a good pair', () =>
    next.certificates.fault() === undefined ? next.certificates.current() : undefined,
  )
  t.not(pair.cert, first.cert)
  t.ok(isTrusted(api, pair, time.now))
  t.equal(authorities(api).length, 1, 'the dead authority is trusted no more')
})

t.test('the Secret deleted under a running server: made anew, never untrusted', async (t) => {
  const api = await cluster(t)
  const one = await replica(t, api)
  const first = await ready(one)
  api.take('Secret', 'olm', 'own')
  await eventually('a new pair', () => one.certificates.current()?.cert !== first.cert)
  t.same(one.faults, [])
})

t.test('no key and no certificate in any log line', async (t) => {
  const api = await cluster(t)
  const one = await replica(t, api)
  await ready(one)
  t.notMatch(JSON.stringify(one.lines), /BEGIN|PRIVATE/)
  t.ok(api.requests.some((request) => request.path.includes(SECRETS)))
})
