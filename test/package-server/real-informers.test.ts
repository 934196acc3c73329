// Informers that people use, against our server over TLS: after whatever happens, what they hold is what a fresh list says.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { KubeConfig, type KubernetesListObject, type KubernetesObject, makeInformer } from '@kubernetes/client-node'
import t, { type Test } from 'tap'
import { eventually } from '../fixtures/eventually.ts'
import { kubectlMissing } from '../fixtures/kubectl.ts'
import { bodyOf, catalogSource, listRequest, offer, selecting } from '../fixtures/offered-manifests.ts'
import type { ObjectList, StoredObject, WatchEvent } from '../fixtures/reflector.ts'
import { type SwitchedReplicas, switchedReplicas } from '../fixtures/switched-replicas.ts'

const PATH = '/apis/packages.operators.coreos.com/v1/packagemanifests'
const BOUND = 30_000
const a = catalogSource('olm/a', { priority: 1 })
const b = catalogSource('olm/b')
const team = catalogSource('team/own')

/** Name, namespace, number and content of each, the winner where names are shared; sorted. */
function texts(objects: readonly unknown[]): readonly string[] {
  const winners = new Map<string, string>()
  for (const object of objects) {
    const { kind, apiVersion, ...rest } = JSON.parse(JSON.stringify(object)) as {
      kind?: string
      apiVersion?: string
      metadata: { namespace: string; name: string; creationTimestamp: string }
    }
    const key = `${rest.metadata.namespace}/${rest.metadata.name}`
    rest.metadata.creationTimestamp = new Date(rest.metadata.creationTimestamp).toISOString()
    if (!winners.has(key)) winners.set(key, JSON.stringify(sortedDeep(rest)))
  }
  return [...winners.values()].toSorted()
}

function sortedDeep(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedDeep)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([x], [y]) => (x < y ? -1 : 1))
      .map(([k, v]) => [k, sortedDeep(v)]),
  )
}

interface Held {
  readonly what: string
  readonly namespace: string | undefined
  readonly selector: string
  readonly list: () => readonly unknown[]
}

/** `numbers`: an informer that a replica vouched for may hold an equal object under another number. */
async function agree(
  replicas: SwitchedReplicas,
  informers: readonly Held[],
  moment: string,
  numbers: boolean,
): Promise<void> {
  const plain = (all: readonly string[]) =>
    numbers ? all.join('\n') : all.join('\n').replaceAll(/"resourceVersion":"\d+"/g, '')
  for (const { what, namespace, selector, list } of informers) {
    await eventually(
      `${moment}: ${what} agrees`,
      async () => {
        const payload = await replicas.present().list(listRequest({ namespace, ...selecting(selector) }))
        const { items } = await bodyOf<ObjectList>(payload)
        return plain(texts(items)) === plain(texts(list()))
      },
      BOUND,
    )
  }
}

async function everythingHappens(t: Test, replicas: SwitchedReplicas, informers: readonly Held[]): Promise<void> {
  const steps: readonly (readonly [string, boolean, () => void | Promise<void>])[] = [
    [
      'a catalog comes',
      true,
      () =>
        replicas.replace(
          a,
          ['p', 'q', 'dup'].map((name) => offer(a, name)),
        ),
    ],
    [
      'another with a name in common',
      true,
      () =>
        replicas.replace(
          b,
          ['dup', 'only-b'].map((name) => offer(b, name)),
        ),
    ],
    [
      'a namespace has its own',
      true,
      () =>
        replicas.replace(
          team,
          ['dup'].map((name) => offer(team, name)),
        ),
    ],
    ['a package changes, one goes', true, () => replicas.replace(a, [offer(a, 'p', 2), offer(a, 'dup')])],
    ['the address switches', false, () => replicas.switchOver()],
    ['the loser changes there', false, () => replicas.replace(b, [offer(b, 'dup', 2)])],
    ['the winner goes', false, () => replicas.remove('olm/a')],
    ['the server restarts', false, () => replicas.restart()],
    ['a catalog comes back', false, () => replicas.replace(a, [offer(a, 'dup', 3)])],
    ['it switches again', false, () => replicas.switchOver()],
    ['everything goes', false, () => void ['olm/a', 'olm/b', 'team/own'].map((key) => replicas.remove(key))],
    ['and comes', false, () => replicas.replace(a, [offer(a, 'z')])],
  ]
  for (const [moment, numbers, happen] of steps) {
    await happen()
    await agree(replicas, informers, moment, numbers)
    t.pass(moment)
  }
}

t.test("client-node's informer", async (t) => {
  const replicas = await switchedReplicas(t, 'olm')
  const config = new KubeConfig()
  config.loadFromFile(replicas.kubeconfig)
  const informers = (
    [
      [undefined, ''],
      ['team', ''],
      ['default', ''],
      ['default', 'catalog=a,catalog-namespace=olm'],
      ['default', 'catalog=b,catalog-namespace=olm'],
    ] as const
  ).map(([namespace, selector]): Held => {
    const path =
      namespace === undefined ? PATH : PATH.replace('packagemanifests', `namespaces/${namespace}/packagemanifests`)
    const list = async (): Promise<KubernetesListObject<KubernetesObject>> => {
      const reply = await replicas.ask(`${path}?labelSelector=${encodeURIComponent(selector)}`)
      return reply.json as KubernetesListObject<KubernetesObject>
    }
    const informer = makeInformer(config, path, list, selector === '' ? undefined : selector)
    let stopped = false
    informer.on('error', () => {
      if (!stopped) setTimeout(() => void informer.start(), 50)
    })
    void informer.start()
    t.teardown(() => {
      stopped = true
      return informer.stop()
    })
    return { what: `${namespace ?? 'all'} ${selector}`, namespace, selector, list: () => informer.list() }
  })
  await everythingHappens(t, replicas, informers)
})

t.test('kubectl get -w (R053)', { skip: kubectlMissing() }, async (t) => {
  const replicas = await switchedReplicas(t, 'olm')
  await replicas.replace(
    a,
    ['p', 'dup'].map((name) => offer(a, name)),
  )
  const args = [
    '--kubeconfig',
    replicas.kubeconfig,
    'get',
    'packagemanifests',
    '-n',
    'default',
    '-w',
    '-o',
    'json',
    '--output-watch-events',
  ]
  const child = spawn('kubectl', args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, HOME: t.testdir() },
  })
  const ended = once(child, 'close')
  t.teardown(async () => {
    child.kill()
    await ended
  })
  const held = new Map<string, StoredObject>()
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (text + chunk).split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) {
      const { type, object } = JSON.parse(line) as WatchEvent
      if (type === 'DELETED') held.delete(object.metadata.name)
      else held.set(object.metadata.name, object)
    }
  })
  const informer: Held = { what: 'kubectl', namespace: 'default', selector: '', list: () => [...held.values()] }
  const steps: readonly (readonly [string, () => void | Promise<void>])[] = [
    ['the list', () => undefined],
    [
      'another with a name in common',
      () =>
        replicas.replace(
          b,
          ['dup', 'only-b'].map((name) => offer(b, name)),
        ),
    ],
    ['a package changes, one goes', () => replicas.replace(a, [offer(a, 'dup', 2)])],
    ['the winner goes', () => replicas.remove('olm/a')],
    ['everything goes', () => replicas.remove('olm/b')],
  ]
  for (const [moment, happen] of steps) {
    await happen()
    await agree(replicas, [informer], moment, true)
    t.pass(moment)
  }
})
