// What grows with the number of packages, per package: at ten thousand it must not be more than at four hundred.
import { setTimeout as pause } from 'node:timers/promises'
import { type ListedServer, withListedServer } from './listed-server.ts'
import { load } from './load.ts'
import { PACKAGES } from './measured-server.ts'
import type { Row } from './result.ts'
import type { Run } from './run-bench.ts'

interface Costs {
  readonly loadCpu: number
  readonly heldKB: number
  readonly listCpu: number
  readonly newNamespaceCpu: number
  /** Of one get, which must not grow at all. */
  readonly getCpu: number
}

/** Growing more slowly than the packages, with room for what the machine does meanwhile. */
const LINEAR = 1.25

export async function growthRows(run: Run): Promise<readonly Row[]> {
  const sizes = run.quick ? [412, 1462] : [412, 921, 1462, 5000, 10_000]
  const costs: Costs[] = []
  for (const packages of sizes)
    costs.push(await withListedServer(run, packages, (server) => costsOf(server, packages, run.quick)))
  const rows = sizes.flatMap((packages, index) => costRows(packages, costs[index]))
  const [first, last] = [costs[0], costs.at(-1)]
  const group = `Growth from ${sizes[0]} to ${sizes.at(-1)} packages`
  if (first === undefined || last === undefined) return rows
  const growth = (name: string, cost: keyof Costs): Row => ({
    group,
    name,
    unit: '×',
    value: last[cost] / first[cost],
    goal: { atMost: LINEAR },
  })
  return [
    ...rows,
    growth('CPU of loading, per package', 'loadCpu'),
    growth('memory, per package', 'heldKB'),
    growth('CPU of a kept list, per package', 'listCpu'),
    growth('CPU of the first list in a namespace, per package', 'newNamespaceCpu'),
    growth('CPU of a get', 'getCpu'),
  ]
}

async function costsOf(
  { process, contestant, client }: ListedServer,
  packages: number,
  quick: boolean,
): Promise<Costs> {
  const loaded = await process.observe('rest')
  const seconds = quick ? 1.5 : 3
  const headers = { 'accept-encoding': 'gzip' }
  const one = JSON.parse((await client.ask(`${PACKAGES}?limit=1`)).body.toString()) as {
    items: { metadata: { name: string } }[]
  }
  await client.ask(PACKAGES, headers)
  await client.ask(PACKAGES, headers)
  await pause(packages / 2 + 1000)
  const costs = { headers, status: 200, seconds, connections: 4 }
  const list = await load(contestant, { ...costs, paths: [PACKAGES] })
  const spread = Array.from({ length: 4000 }, (_, index) =>
    PACKAGES.replace('packagemanifests', `namespaces/n-${index}/packagemanifests`),
  )
  const first = await load(contestant, { ...costs, paths: spread })
  const get = await load(contestant, {
    ...costs,
    paths: [PACKAGES.replace('packagemanifests', `namespaces/olm/packagemanifests/${one.items[0]?.metadata.name}`)],
  })
  await process.observe('collect')
  const { heldMB } = await process.observe('collect')
  return {
    loadCpu: loaded.cpuMs / packages,
    heldKB: (heldMB * 1024) / packages,
    listCpu: (list.cpuMs ?? Number.NaN) / packages,
    newNamespaceCpu: (first.cpuMs ?? Number.NaN) / packages,
    getCpu: get.cpuMs ?? Number.NaN,
  }
}

function costRows(packages: number, costs: Costs | undefined): Row[] {
  if (costs === undefined) return []
  const group = `${packages} packages`
  return [
    { group, name: 'loading, CPU per package', unit: 'ms', value: costs.loadCpu },
    { group, name: 'memory per package', unit: 'kB', value: costs.heldKB },
    { group, name: 'a kept list, CPU', unit: 'ms', value: costs.listCpu * packages },
    {
      group,
      name: 'the first list in a namespace, CPU',
      unit: 'ms',
      value: costs.newNamespaceCpu * packages,
      ...(packages === 412 ? { goal: { atMost: 20 } } : {}),
    },
    { group, name: 'a get, CPU', unit: 'ms', value: costs.getCpu },
  ]
}
