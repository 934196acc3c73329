import t, { type Test } from 'tap'
import { issueAuthority } from '../../src/certificates/issue.ts'
import { createListWatch, type ListWatchLimits } from '../../src/kube/list-watch.ts'
import { eventually } from '../fixtures/eventually.ts'
import { type KubeApi, type KubeApiOptions, startKubeApi } from '../fixtures/kube-api.ts'
import { fastClock, keptLog, kubeClient } from '../fixtures/kube-client.ts'
import type { KubeObject } from '../fixtures/kube-store.ts'

const PATH = '/apis/operators.coreos.com/v1alpha1/catalogsources'
const COLLECTION = 'operators.coreos.com/catalogsources'

function source(name: string, displayName = name): KubeObject & { apiVersion: string; kind: string } {
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'CatalogSource',
    metadata: { name, namespace: 'olm' },
    spec: { displayName },
  }
}

async function watching(
  t: Test,
  prepare: (api: KubeApi) => void = () => undefined,
  limits: Partial<ListWatchLimits> = {},
  cluster: KubeApiOptions & { readonly trusting?: string } = {},
) {
  const api = await startKubeApi(cluster)
  t.teardown(() => api.close())
  prepare(api)
  const client = await kubeClient(t, api, cluster.trusting === undefined ? {} : { ca: cluster.trusting })
  const { log, lines } = keptLog()
  const changes: string[] = []
  const listWatch = createListWatch({
    client,
    path: PATH,
    decode: (object) => (object.spec as { displayName?: string }).displayName,
    log,
    clock: fastClock,
    limits,
  })
  listWatch.subscribe({
    set: (key, item) => changes.push(`set ${key}=${item}`),
    removed: (key) => changes.push(`removed ${key}`),
    synced: (items) => changes.push(`synced ${items.size}`),
  })
  const stop = new AbortController()
  const ended = listWatch.run(stop.signal)
  t.teardown(async () => {
    stop.abort()
    await ended
  })
  const open = () => eventually('an open watch', () => api.watches.count(COLLECTION) === 1)
  const lists = () =>
    api.requests.filter((request) => request.path.startsWith(PATH) && !request.path.includes('watch=')).length
  return { api, listWatch, changes, lines, stop, ended, open, lists }
}

t.test('lists, then tells each change, slim', async (t) => {
  const { api, listWatch, changes, open } = await watching(t, (api) => api.put(source('a')))
  await open()
  t.same(changes, ['set olm/a=a', 'synced 1'])
  await eventually('connected', () => listWatch.state.connected)
  t.match(listWatch.state, { synced: true, reason: undefined })
  api.put(source('b'))
  api.put(source('a', 'A'))
  api.take('CatalogSource', 'olm', 'b')
  await eventually('three changes', () => changes.length === 5)
  t.same(changes.slice(2), ['set olm/b=b', 'set olm/a=A', 'removed olm/b'])
  t.same([...listWatch.items], [['olm/a', 'A']])
})

t.test('a late subscriber hears the whole set first', async (t) => {
  const { listWatch, open } = await watching(t, (api) => api.put(source('a')))
  await open()
  const heard: string[] = []
  const stop = listWatch.subscribe({ set: (key) => heard.push(key), synced: () => heard.push('synced') })
  t.same(heard, ['olm/a', 'synced'])
  stop()
})

t.test('pages: a list longer than one page is one set', async (t) => {
  const { listWatch, lists, open } = await watching(
    t,
    (api) => {
      for (let index = 0; index < 25; index += 1) api.put(source(`c${index}`))
    },
    { pageSize: 10 },
  )
  await open()
  t.equal(listWatch.items.size, 25)
  t.equal(lists(), 3)
})

t.test('a lost connection resumes where it was: no second list, nothing missed, nothing twice', async (t) => {
  const { api, changes, lists, open } = await watching(t, (api) => api.put(source('a')))
  await open()
  for (let round = 0; round < 5; round += 1) {
    api.watches.drop()
    api.put(source(`r${round}`))
    await eventually('the change', () => changes.includes(`set olm/r${round}=r${round}`))
    await open()
  }
  t.equal(lists(), 1)
  t.equal(changes.length, 7)
})

t.test('a watch that the server ends is opened again, from the last bookmark', async (t) => {
  const { api, open, lists } = await watching(t)
  await open()
  api.put({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'other', namespace: 'olm' } })
  api.watches.bookmark()
  const version = String(api.store.version)
  api.watches.end()
  const resumed = await eventually(
    'a second watch',
    () => api.requests.filter((request) => request.path.includes('watch=true'))[1],
  )
  t.match(resumed?.path, `resourceVersion=${version}&`)
  t.equal(lists(), 1)
})

t.test('410 on resuming lists again and tells what happened meanwhile', async (t) => {
  const { api, changes, lists, listWatch, open } = await watching(t, (api) => {
    api.put(source('stays'))
    api.put(source('goes'))
  })
  await open()
  api.faults.add({ on: 'watch=true', answer: 'reset' })
  api.watches.drop()
  api.take('CatalogSource', 'olm', 'goes')
  api.put(source('comes'))
  api.store.compact()
  await eventually('a second list', () => lists() === 2 && listWatch.items.has('olm/comes'))
  t.same([...listWatch.items.keys()].sort(), ['olm/comes', 'olm/stays'])
  t.ok(changes.includes('removed olm/goes'))
  t.equal(
    changes.filter((change) => change === 'set olm/stays=stays').length,
    1,
    'what did not change is not told again',
  )
})

t.test('410 in the middle of a paged list begins it anew', async (t) => {
  const { api, listWatch, open } = await watching(
    t,
    (api) => {
      for (let index = 0; index < 15; index += 1) api.put(source(`c${index}`))
      api.faults.add({ on: 'continue=', answer: { status: 410 } })
    },
    { pageSize: 10 },
  )
  await open()
  t.equal(listWatch.items.size, 15)
  t.ok(api.requests.length > 3)
})

t.test('a watch that stays open and says nothing is given up after its bound, and nothing is lost', async (t) => {
  const { api, changes, open } = await watching(t, () => undefined, { silence: 150 })
  await open()
  api.watches.mute(true)
  api.put(source('unheard'))
  await eventually(
    'the silent watch given up',
    () => api.requests.filter((request) => request.path.includes('watch=true')).length >= 2,
  )
  api.watches.mute(false)
  await eventually('the change', () => changes.includes('set olm/unheard=unheard'))
})

t.test('every refusal is survived, said once and over by itself', async (t) => {
  const troubles = [
    { name: '429 with Retry-After', answer: { status: 429, headers: { 'retry-after': '1' } } },
    { name: '500', answer: { status: 500 } },
    { name: 'cut connection', answer: 'reset' as const },
    { name: 'garbage', answer: { status: 200, body: 'not json' } },
    { name: 'JSON that is no list', answer: { status: 200, body: [1, 2] } },
    { name: 'items that are no list', answer: { status: 200, body: { metadata: {}, items: 3 } } },
  ]
  for (const trouble of troubles) {
    await t.test(trouble.name, async (t) => {
      const { api, listWatch, lines, open } = await watching(t, (api) => {
        api.put(source('a'))
        api.faults.add({ on: PATH, times: 4, answer: trouble.answer })
      })
      await eventually('a reason', () => listWatch.state.reason !== 'not read yet')
      t.equal(listWatch.state.synced, false)
      await open()
      t.equal(listWatch.items.size, 1)
      t.equal(
        lines.filter((line) => line.msg === 'not watching, will try again').length,
        1,
        'one line for four failures',
      )
      t.ok(api.requests.length >= 6)
    })
  }
})

t.test('trouble after a good reading leaves the set as it is', async (t) => {
  const { api, listWatch, changes, open } = await watching(t, (api) => api.put(source('a')))
  await open()
  api.faults.add({ on: PATH, times: 6, answer: { status: 503 } })
  api.watches.drop()
  await eventually('disconnected', () => listWatch.state.status === 503)
  t.match(listWatch.state, { synced: true, connected: false })
  t.same([...listWatch.items], [['olm/a', 'a']])
  await open()
  await eventually('connected', () => listWatch.state.connected)
  t.same(changes, ['set olm/a=a', 'synced 1'])
})

t.test('forbidden, then allowed; absent (no CustomResourceDefinition), then there', async (t) => {
  const { api, listWatch, open } = await watching(t, (api) => {
    api.put(source('a'))
    api.unserved.add(COLLECTION)
    api.store.remove('rbac.authorization.k8s.io/clusterrolebindings', undefined, 'packageserver')
  })
  await eventually('403', () => listWatch.state.status === 403)
  t.match(
    listWatch.state.reason,
    /answered 403: catalogsources is forbidden: User "system:serviceaccount:olm:packageserver" cannot list/,
  )
  api.put({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'packageserver' },
    roleRef: { kind: 'ClusterRole', name: 'packageserver' },
    subjects: [{ kind: 'ServiceAccount', name: 'packageserver', namespace: 'olm' }],
  })
  await eventually('404', () => listWatch.state.status === 404)
  api.unserved.delete(COLLECTION)
  await open()
  t.equal(listWatch.items.size, 1)
})

t.test('a garbled or endless watch is left and the collection read again', async (t) => {
  const { api, listWatch, lists, open } = await watching(t, (api) => api.put(source('a')))
  await open()
  api.watches.inject('{"type":"ADDED","object":\n')
  await eventually('listed again', () => lists() >= 2)
  await open()
  api.put(source('b'))
  await eventually('going on', () => listWatch.items.size === 2)
})

t.test('an object that does not decode is left out, a listener that throws harms nobody', async (t) => {
  const { api, listWatch, lines, changes, open } = await watching(t, (api) => {
    api.put({ ...source('bad'), spec: null })
    api.put(source('good'))
  })
  listWatch.subscribe({
    set() {
      throw new Error('listener')
    },
  }) // told nothing yet: throws only on changes
  await open()
  t.same([...listWatch.items.keys()], ['olm/good'])
  t.ok(lines.some((line) => line.msg === 'object left out' && line.object === 'olm/bad'))
  api.put(source('next'))
  await eventually('the other listener', () => changes.includes('set olm/next=next'))
})

t.test('the API server goes away, and comes back on the same port with another history', async (t) => {
  const authority = await issueAuthority('kube-ca', { now: Date.now(), lifetime: 3_600_000 })
  const { api, listWatch, open } = await watching(t, (api) => api.put(source('a')), {}, { authority })
  await open()
  await api.close()
  await eventually('disconnected', () => listWatch.state.reason?.includes('ECONNREFUSED'))
  t.equal(listWatch.items.size, 1)
  const next = await startKubeApi({ port: Number(new URL(api.url).port), authority })
  t.teardown(() => next.close())
  next.put(source('b'))
  next.store.compact()
  await eventually('the new set', () => listWatch.items.has('olm/b') && !listWatch.items.has('olm/a'))
  await eventually('connected', () => listWatch.state.connected)
})

t.test('an API server with an unknown certificate is a reason, never an exit', async (t) => {
  const foreign = await issueAuthority('foreign', { now: Date.now(), lifetime: 3_600_000 })
  const { api, listWatch } = await watching(t, () => undefined, {}, { trusting: foreign.certificate })
  await eventually('a reason', () => listWatch.state.reason !== 'not read yet')
  t.match(listWatch.state.reason, /certificate/)
  t.equal(api.requests.length, 0, 'no token was sent')
})

t.test('hundreds of short watches do not become a storm', async (t) => {
  const { api, open } = await watching(t)
  await open()
  api.faults.add({ on: 'watch=true', times: 1000, answer: { status: 200, body: '' } })
  api.watches.end()
  const before = api.requests.length
  await eventually('some time', () => api.requests.length - before >= 8, 10_000)
  t.ok(api.requests.length - before < 50)
})
