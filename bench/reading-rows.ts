// Readings where nothing changed, beside a bare grpc-js client that makes the same calls; readings where one in a hundred
// packages did; and what an idle hour costs.
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type ListedServer, withListedServer } from './listed-server.ts'
import { median } from './load.ts'
import { PACKAGES } from './measured-server.ts'
import { type ObservedProcess, startObserved } from './observed-process.ts'
import { CATALOGS, type Registries } from './registries.ts'
import type { Row } from './result.ts'
import type { Run } from './run-bench.ts'

const PACKAGE_COUNT = 921
const GROUP = `Readings of ${PACKAGE_COUNT} packages in ${CATALOGS} catalogs`
const BARE_READER = fileURLToPath(new URL('./bare-reader.ts', import.meta.url))
/** Readings in an hour at the default interval of five minutes and its mean jitter of a twentieth. */
const READINGS_AN_HOUR = 60 / 5 / 1.05
const IDLE_SECONDS = 10
/** What follows the last answer of a reading is over by then. */
const SETTLE_MS = 500

export function readingRows(run: Run): Promise<readonly Row[]> {
  return withListedServer(run, PACKAGE_COUNT, async (server) => {
    const { registries } = run
    const heads = (await registries.counts()).heads
    await server.process.observe('rest')
    const idle = await idleCpu(server)
    const bareReader = startObserved([BARE_READER, ...registries.addresses()])
    const ours: number[] = []
    const bare: number[] = []
    const version = await listVersion(server)
    try {
      // Once to warm up, for both.
      await readingCpu(server, registries, heads)
      await cpuOf(bareReader, () => bareReader.ask({ read: true }))
      for (let round = 0; round < (run.quick ? 3 : 7); round++) {
        ours.push(await readingCpu(server, registries, heads))
        bare.push(await cpuOf(bareReader, () => bareReader.ask({ read: true })))
      }
    } finally {
      await bareReader.stop()
    }
    const renumbered = (await listVersion(server)) === version ? 0 : 1
    await registries.change(Math.ceil(PACKAGE_COUNT / CATALOGS / 100))
    const changed = await readingCpu(server, registries, heads)
    const changeSeen = (await listVersion(server)) === version ? 0 : 1
    if (changeSeen === 0) throw new Error('a change was not seen')
    const unchanged = median(ours)
    const ratio = median(ours.map((cpu, round) => cpu / (bare[round] ?? Number.NaN)))
    const hour = (unchanged / 1000) * READINGS_AN_HOUR + idle
    return [
      { group: GROUP, name: 'nothing changed, CPU', unit: 's', value: unchanged / 1000 },
      { group: GROUP, name: 'the same calls by a bare client, CPU', unit: 's', value: median(bare) / 1000 },
      { group: GROUP, name: 'nothing changed, as a multiple of that', unit: '×', value: ratio, goal: { atMost: 1.3 } },
      { group: GROUP, name: 'new versions although nothing changed', unit: '', value: renumbered, goal: { atMost: 0 } },
      { group: GROUP, name: 'one in a hundred changed, CPU', unit: 's', value: changed / 1000 },
      { group: GROUP, name: 'an idle hour, CPU, its readings included', unit: 's', value: hour },
      { group: GROUP, name: 'an idle hour, CPU, without readings', unit: 's', value: idle },
    ]
  })
}

/** CPU milliseconds of one reading of every catalog. */
function readingCpu(server: ListedServer, registries: Registries, heads: number): Promise<number> {
  return cpuOf(server.process, async () => {
    const before = (await registries.counts()).heads
    await server.readNow()
    while ((await registries.counts()).heads - before < heads) await pause(50)
    await pause(SETTLE_MS)
  })
}

async function cpuOf(process: ObservedProcess, work: () => Promise<unknown>): Promise<number> {
  const before = (await process.observe()).cpuMs
  await work()
  return (await process.observe()).cpuMs - before
}

async function listVersion({ client }: ListedServer): Promise<string> {
  const { body } = await client.ask(`${PACKAGES}?limit=1`)
  return /"resourceVersion":"(\d+)"/.exec(body.toString())?.[1] ?? ''
}

/** CPU seconds in an hour of nothing at all. */
async function idleCpu({ process }: ListedServer): Promise<number> {
  await pause(3000)
  const cpu = await cpuOf(process, () => pause(IDLE_SECONDS * 1000))
  return (cpu / 1000) * (3600 / IDLE_SECONDS)
}
