// The operator registry as a process on large catalogs: how soon it serves, what memory that takes, whether probes are
// answered meanwhile, how fast it answers. Figures, each with the catalog's size.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type RawRegistry, rawRegistry } from '../test/fixtures/raw-registry.ts'

const MAIN = fileURLToPath(new URL('../src/operator-registry/main.ts', import.meta.url))
const SAMPLE_MS = 20

export interface StartFigures {
  /** From the start of the process to SERVING. */
  readonly seconds: number
  /** Of the serving process, when it serves. */
  readonly residentMB: number
  /** The most that the serving and the loading process had together; a page that they share counts once. */
  readonly peakMB: number
  readonly probes: { readonly count: number; readonly medianMs: number; readonly maxMs: number }
}

export interface AnswerFigures {
  readonly bundles: number
  readonly listBundlesMs: number
  readonly heads: number
  readonly headsPerSecond: number
  readonly providersMedianMs: number
}

/** Serves `catalog` with a cache in `cache`: the first start is cold if that is empty, the next is warm. */
export async function measureServing(
  catalog: string,
  cache: string,
  withAnswers: boolean,
): Promise<{ readonly start: StartFigures; readonly answers: AnswerFigures | undefined }> {
  const begun = performance.now()
  const flags = ['-p', '0', '--bind-address=127.0.0.1', '-t', '', '--cache-dir', cache]
  const child = spawn(process.execPath, [MAIN, 'serve', catalog, ...flags, '--cache-enforce-integrity=false'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let told = ''
  child.stderr?.on('data', (piece: Buffer) => {
    told += piece.toString()
  })
  try {
    while (!told.includes('port open')) await pause(SAMPLE_MS)
    const registry = rawRegistry(/port open address=(\S+)/.exec(told)?.[1] ?? '')
    const start = await untilServing(child, registry, begun)
    const answers = withAnswers ? await measureAnswers(registry) : undefined
    registry.close()
    return { start, answers }
  } finally {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
}

async function untilServing(child: ChildProcess, registry: RawRegistry, begun: number): Promise<StartFigures> {
  const probes: number[] = []
  let peak = 0
  for (;;) {
    const asked = performance.now()
    const { status } = await registry.ask('Check')
    probes.push(performance.now() - asked)
    peak = Math.max(peak, await familyMB(child.pid ?? 0))
    if (status === 'SERVING') break
    await pause(SAMPLE_MS)
  }
  const seconds = (performance.now() - begun) / 1000
  await pause(500)
  const residentMB = await residentMBOf(child.pid ?? 0)
  probes.sort((a, b) => a - b)
  const medianMs = probes[probes.length >> 1] ?? Number.NaN
  return { seconds, residentMB, peakMB: peak, probes: { count: probes.length, medianMs, maxMs: probes.at(-1) ?? 0 } }
}

async function measureAnswers(registry: RawRegistry): Promise<AnswerFigures> {
  const listed = performance.now()
  const bundles = await registry.list('ListBundles')
  const listBundlesMs = performance.now() - listed
  const heads = [...new Map(bundles.map((bundle) => [`${bundle.packageName}/${bundle.channelName}`, bundle])).values()]
  const some = heads.slice(0, 200)
  const asked = performance.now()
  for (const { packageName, channelName } of some) {
    await registry.ask('GetBundleForChannel', { pkgName: packageName, channelName })
  }
  const headsPerSecond = some.length / ((performance.now() - asked) / 1000)
  const apis = bundles.flatMap((bundle) => (bundle.providedApis as Record<string, unknown>[]).slice(0, 1)).slice(0, 200)
  const times: number[] = []
  for (const api of apis) {
    const begun = performance.now()
    await registry.list('GetChannelEntriesThatProvide', api)
    times.push(performance.now() - begun)
  }
  times.sort((a, b) => a - b)
  const providersMedianMs = times[times.length >> 1] ?? Number.NaN
  return { bundles: bundles.length, listBundlesMs, heads: heads.length, headsPerSecond, providersMedianMs }
}

/** A process and its children, each with its share of the pages that several use, as Linux counts; 0 where it does not tell. */
async function familyMB(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  const pids = [pid, ...children.split(' ').filter(Boolean).map(Number)]
  const texts = await Promise.all(pids.map((one) => readFile(`/proc/${one}/smaps_rollup`, 'utf8').catch(() => '')))
  const kilobytes = texts.map((text) => Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0))
  return Math.round(kilobytes.reduce((sum, size) => sum + size, 0) / 1024)
}

async function residentMBOf(pid: number): Promise<number> {
  const status = await readFile(join('/proc', String(pid), 'status'), 'utf8').catch(() => '')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}
