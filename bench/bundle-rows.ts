// The bundles: how large, and how soon a server without catalogs is ready.
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { median } from './load.ts'
import { startMeasuredServer } from './measured-server.ts'
import { until } from './observed-process.ts'
import type { Row } from './result.ts'
import type { Run } from './run-bench.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DIST = join(ROOT, 'dist')
const MEGABYTE = 2 ** 20

export async function buildBundles(): Promise<void> {
  await promisify(execFile)(process.execPath, [join(ROOT, 'build', 'main.ts')])
}

export async function bundleRows({ folder, quick }: Run): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const name of (await readdir(DIST)).sort()) {
    if (!name.endsWith('.mjs')) continue
    const { size } = await stat(join(DIST, name))
    rows.push({
      group: 'Bundle and start',
      name: `dist/${name}`,
      unit: 'MiB',
      value: size / MEGABYTE,
      goal: { atMost: 10 },
    })
  }
  const own = await mkdtemp(join(folder, 'start-'))
  const starts: { seconds: number; cpuSeconds: number; rssMB: number }[] = []
  // The first one makes certificates and is not counted.
  for (let round = 0; round <= (quick ? 3 : 7); round++) {
    const server = await startMeasuredServer({ folder: own, addresses: [] })
    await until(server.process, async () => ((await server.client.ask('/readyz')).status === 200 ? true : undefined))
    const seconds = (performance.now() - server.begun) / 1000
    const { cpuMs, rssMB } = await server.process.observe()
    if (round > 0) starts.push({ seconds, cpuSeconds: cpuMs / 1000, rssMB })
    await server.stop()
  }
  const figure = (name: 'seconds' | 'cpuSeconds' | 'rssMB') => median(starts.map((start) => start[name]))
  const group = 'Bundle and start'
  return [
    ...rows,
    { group, name: 'ready without catalogs', unit: 's', value: figure('seconds'), goal: { atMost: 0.5 } },
    { group, name: 'ready without catalogs, CPU', unit: 's', value: figure('cpuSeconds') },
    { group, name: 'resident without catalogs', unit: 'MB', value: figure('rssMB') },
  ]
}
