// How long one object takes to get, alone and while sixteen clients take lists as fast as they can. The lists are taken by
// another thread, so that only the server is late, not the one who measures.
import autocannon from 'autocannon'
import type { ListedServer } from './listed-server.ts'
import { PACKAGES } from './measured-server.ts'
import type { Row } from './result.ts'
import type { SecureClient } from './secure-client.ts'

const LISTS = 16
const GROUP = 'One object, how long'
const GZIP = { 'accept-encoding': 'gzip' }

export async function latencyRows(server: ListedServer, seconds: number): Promise<readonly Row[]> {
  const { client, origin, credentials } = server
  const { body } = await client.ask(`${PACKAGES}?limit=1`)
  const [item] = (JSON.parse(body.toString()) as { items: { metadata: { name: string; namespace: string } }[] }).items
  const path = PACKAGES.replace(
    'packagemanifests',
    `namespaces/${item?.metadata.namespace}/packagemanifests/${item?.metadata.name}`,
  )
  await timesOf(client, path, 1)
  const idle = await timesOf(client, path, seconds)
  const lists = autocannon({
    url: origin,
    connections: LISTS,
    duration: seconds + 2,
    workers: 1,
    tlsOptions: { ...credentials },
    requests: [{ path: PACKAGES, headers: GZIP }],
  })
  await timesOf(client, path, 1)
  const loaded = await timesOf(client, path, seconds)
  await lists
  const ratio = percentile(loaded, 99) / percentile(idle, 99)
  return [
    ...tail('alone', idle),
    ...tail(`while ${LISTS} lists run`, loaded),
    {
      group: GROUP,
      name: 'p99 while lists run, as a multiple of p99 alone',
      unit: '×',
      value: ratio,
      goal: { atMost: 10 },
    },
  ]
}

function tail(when: string, times: readonly number[]): Row[] {
  return [50, 99, 99.9].map((share) => ({
    group: GROUP,
    name: `p${share} ${when}`,
    unit: 'ms',
    value: percentile(times, share),
  }))
}

/** Sorted milliseconds. */
async function timesOf(client: SecureClient, path: string, seconds: number): Promise<readonly number[]> {
  const end = performance.now() + seconds * 1000
  const times: number[] = []
  while (performance.now() < end) {
    const begun = performance.now()
    await client.ask(path, GZIP)
    times.push(performance.now() - begun)
  }
  return times.sort((a, b) => a - b)
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * share) / 100))] ?? Number.NaN
}
