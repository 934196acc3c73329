// Events as the API server receives them: counted where they repeat, bounded whatever happens, and never anybody's trouble.
import t, { type Test } from 'tap'
import { createEventRecorder } from '../../src/kube/events.ts'
import { type KubeApi, startKubeApi } from '../fixtures/kube-api.ts'
import { keptLog, kubeClient } from '../fixtures/kube-client.ts'

const SUBJECT = {
  ...{ apiVersion: 'operators.coreos.com/v1alpha1', kind: 'CatalogSource' },
  ...{ name: 'a', namespace: 'olm', uid: 'u1' },
}
const FACTS = { type: 'Warning', reason: 'CatalogUnreadable', action: 'Read', note: 'no' } as const

async function recorder(t: Test) {
  const api = await startKubeApi()
  t.teardown(() => api.close())
  const { log, lines } = keptLog()
  let now = 1_800_000_000_000
  const client = await kubeClient(t, api)
  const events = createEventRecorder({ client, log, clock: { now: () => now }, namespace: 'olm', instance: 'pod-1' })
  return {
    ...{ api, events, lines },
    pass(milliseconds: number) {
      now += milliseconds
    },
  }
}

function stored(api: KubeApi) {
  return api.store.list('events.k8s.io/events', 'olm')
}

t.test('the same again is counted in the same Event', async (t) => {
  const { api, events } = await recorder(t)
  for (let times = 0; times < 3; times++) await events.record(SUBJECT, FACTS)
  await events.record(SUBJECT, { ...FACTS, reason: 'CatalogRecovered', type: 'Normal' })
  const byReason = stored(api).toSorted((a, b) => (String(a.reason) < String(b.reason) ? 1 : -1))
  t.match(byReason, [
    {
      regarding: { kind: 'CatalogSource', name: 'a', namespace: 'olm', uid: 'u1' },
      reportingInstance: 'pod-1',
      series: { count: 3, lastObservedTime: '2027-01-15T08:00:00.000000Z' },
      note: 'no',
    },
    { reason: 'CatalogRecovered' },
  ])
})

t.test('one object causes but so many calls; what happened meanwhile is told with the next', async (t) => {
  const { api, events, pass } = await recorder(t)
  const calls = () => api.requests.filter(({ path }) => path.includes('/events')).length
  for (let times = 0; times < 50; times++) await events.record(SUBJECT, FACTS)
  t.equal(calls(), 10)
  await events.record({ ...SUBJECT, name: 'b', uid: 'u2' }, FACTS)
  t.equal(calls(), 11, 'another object has its own')
  pass(60_000)
  await events.record(SUBJECT, FACTS)
  t.equal(calls(), 12)
  t.match(
    stored(api).find(({ regarding }) => (regarding as { name: string }).name === 'a'),
    { series: { count: 51 } },
  )
})

t.test('an Event that the API server forgot is made anew', async (t) => {
  const { api, events } = await recorder(t)
  await events.record(SUBJECT, FACTS)
  const [first] = stored(api)
  if (first === undefined) throw new Error('there is no Event')
  api.store.remove('events.k8s.io/events', 'olm', first.metadata.name)
  await events.record(SUBJECT, FACTS)
  t.equal(stored(api).length, 1)
})

t.test('refused: a line at debug level, nothing else', async (t) => {
  const { api, events, lines } = await recorder(t)
  api.faults.add({ on: '/events', times: 2, answer: { status: 403 } })
  await events.record(SUBJECT, FACTS)
  await events.record(SUBJECT, FACTS)
  t.match(
    lines.map(({ level }) => level),
    [20, 20],
  )
})
