// A whole run, part by part in a fixed order. Receives options, hands on the result. Whatever it started has ended when it returns.
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { BenchOptions } from './bench-options.ts'
import { buildBundles, bundleRows } from './bundle-rows.ts'
import { baseFolders } from './catalog-base.ts'
import { growthRows } from './growth-rows.ts'
import { readingRows } from './reading-rows.ts'
import { startRegistries } from './registries.ts'
import { registryRows } from './registry-rows.ts'
import { requestPart } from './request-part.ts'
import { type BenchResult, type Row, round, thisMachine } from './result.ts'
import { startRows } from './start-rows.ts'
import { watchRows } from './watch-rows.ts'

export interface Run extends BenchOptions {
  /** For everything that is written. */
  readonly folder: string
  readonly registries: ReturnType<typeof startRegistries>
}

const PARTS: Readonly<Record<string, (run: Run) => Promise<readonly Row[]>>> = {
  bundle: bundleRows,
  requests: requestPart,
  watch: watchRows,
  start: startRows,
  readings: readingRows,
  growth: growthRows,
  registry: registryRows,
}

export async function runBench(options: BenchOptions): Promise<BenchResult> {
  const machine = thisMachine()
  const begun = performance.now()
  const folders = baseFolders(options.quick)
  options.say('npm run build')
  await buildBundles()
  const folder = await mkdtemp(join(tmpdir(), 'olm-bench-'))
  const registries = startRegistries(folders)
  const rows: Row[] = []
  try {
    for (const [name, part] of Object.entries(PARTS)) {
      if (options.only.length > 0 && !options.only.includes(name)) continue
      options.say(`${name} …`)
      for (const row of await attempted(name, part, { ...options, folder, registries })) {
        rows.push(row)
        options.say(
          `  ${row.name}: ${round(row.value)} ${row.unit}${row.ratio === undefined ? '' : `, ratio ${round(row.ratio)}, of CPU ${round(row.cpuRatio ?? Number.NaN)} (${round(row.cpuMs ?? Number.NaN)} ms)`}`,
        )
      }
    }
  } finally {
    await registries.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return {
    date: new Date().toISOString(),
    seconds: (performance.now() - begun) / 1000,
    quick: options.quick,
    base: folders.map((path) => basename(path)).join(', '),
    machine,
    loadAtEnd: round(loadavg()[0] ?? 0),
    rows,
  }
}

/** A part that fails costs its own rows alone. */
async function attempted(name: string, part: (run: Run) => Promise<readonly Row[]>, run: Run): Promise<readonly Row[]> {
  try {
    return await part(run)
  } catch (thrown) {
    run.say(`${name}: left out: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
    return []
  }
}
