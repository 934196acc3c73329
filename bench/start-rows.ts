// Cold start: how soon packages are listed, what that costs, how long the loop is held up; then the memory after load and
// during readings.
import { setTimeout as pause } from 'node:timers/promises'
import { type ListedServer, withListedServer } from './listed-server.ts'
import { load } from './load.ts'
import { PACKAGES } from './measured-server.ts'
import type { Row } from './result.ts'
import type { Run } from './run-bench.ts'

/** The set whose memory has a goal. */
const JUDGED = 1462

export async function startRows(run: Run): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const packages of run.quick ? [JUDGED] : [921, JUDGED, 5000]) {
    rows.push(
      ...(await withListedServer(run, packages, (server) => coldStart(server, packages, run), { interval: '20s' })),
    )
  }
  return rows
}

async function coldStart(server: ListedServer, packages: number, run: Run): Promise<readonly Row[]> {
  const { process, times, contestant } = server
  const group = `Cold start, ${packages} packages`
  const started = await process.observe()
  await process.observe('watch-loop')
  const lists = { paths: [PACKAGES], status: 200, seconds: run.quick ? 2 : 4 }
  await load(contestant, { ...lists, headers: { 'accept-encoding': 'gzip' }, connections: 16 })
  await load(contestant, { ...lists, headers: {}, connections: 4 })
  const loaded = await process.observe()
  await nextReadings(run)
  const reread = await process.observe()
  await process.observe('collect')
  const collected = await process.observe('collect')
  const judged = packages === JUDGED
  return [
    { group, name: 'first packages listed', unit: 's', value: times.first },
    { group, name: 'all packages listed', unit: 's', value: times.all },
    { group, name: 'CPU until then', unit: 's', value: started.cpuMs / 1000 },
    {
      group,
      name: 'longest turn of the loop meanwhile, CPU',
      unit: 'ms',
      value: started.loop.longestCpuMs,
      goal: { atMost: 50 },
    },
    { group, name: 'event-loop delay meanwhile, p99', unit: 'ms', value: started.loop.p99Ms },
    { group, name: 'event-loop delay meanwhile, maximum', unit: 'ms', value: started.loop.maxMs },
    {
      group,
      name: 'longest turn of the loop while lists run, CPU',
      unit: 'ms',
      value: loaded.loop.longestCpuMs,
      goal: { atMost: 50 },
    },
    { group, name: 'event-loop delay while lists run, p99', unit: 'ms', value: loaded.loop.p99Ms },
    { group, name: 'event-loop delay while lists run, maximum', unit: 'ms', value: loaded.loop.maxMs },
    { group, name: 'resident when all is listed', unit: 'MB', value: started.rssMB },
    { group, name: 'resident after lists', unit: 'MB', value: loaded.rssMB },
    {
      group,
      name: 'resident after readings',
      unit: 'MB',
      value: reread.rssMB,
      ...(judged ? { goal: { atMost: 220 } } : {}),
    },
    { group, name: 'held after a garbage collection', unit: 'MB', value: collected.heldMB },
    { group, name: 'peak', unit: 'MB', value: reread.peakMB, ...(judged ? { goal: { atMost: 350 } } : {}) },
  ]
}

/** Until every catalog has been read twice more. */
async function nextReadings({ registries, quick }: Run): Promise<void> {
  const before = (await registries.counts()).lists
  const wanted = quick ? 4 : 8
  while ((await registries.counts()).lists - before < wanted) await pause(200)
  await pause(1000)
}
