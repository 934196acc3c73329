// Loaded into a measured process ahead of its program (`node --import`): answers questions about its memory, its CPU time and
// its event loop over the channel to its parent. Costs nothing until it is asked to watch the loop.
import { Session } from 'node:inspector/promises'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import process from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Figures, ObserverQuestion } from './observed-process.ts'

const TURN_MS = 5
const MEGABYTE = 2 ** 20
const SAMPLE_MICROSECONDS = 500

const session = new Session()
const delays = monitorEventLoopDelay({ resolution: TURN_MS })
let longestCpuMs = 0
let watching: NodeJS.Timeout | undefined

/** Between two turns of a timer lies one turn of the loop: the CPU time in it is what nobody else on the machine adds to. */
function watchLoop(): void {
  clearInterval(watching)
  delays.reset()
  delays.enable()
  longestCpuMs = 0
  let before = process.threadCpuUsage()
  watching = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before)
    before = process.threadCpuUsage()
    longestCpuMs = Math.max(longestCpuMs, (user + system) / 1000)
  }, TURN_MS).unref()
}

function figures(): Figures {
  const { rss, heapUsed, external } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return {
    cpuMs: (user + system) / 1000,
    rssMB: rss / MEGABYTE,
    peakMB: process.resourceUsage().maxRSS / 1024,
    heldMB: (heapUsed + external) / MEGABYTE,
    heapMB: heapUsed / MEGABYTE,
    loop: { p99Ms: delays.percentile(99) / 1e6 - TURN_MS, maxMs: delays.max / 1e6 - TURN_MS, longestCpuMs },
    at: performance.now(),
  }
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
}

/** The sampling profiler of V8: what `--cpu-prof` writes at the end of a process, of one stretch of its life. */
async function profile(action: 'start' | 'stop'): Promise<string> {
  if (action === 'start') {
    session.connect()
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_MICROSECONDS })
    await session.post('Profiler.start')
    return ''
  }
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  return JSON.stringify(profile)
}

process.on('message', async (question: ObserverQuestion) => {
  if (question.profile !== undefined) process.send?.({ profile: await profile(question.profile) })
  if (question.observe === undefined) return
  if (question.observe === 'watch-loop') watchLoop()
  if (question.observe === 'collect') collectGarbage()
  if (question.observe === 'rest') {
    clearInterval(watching)
    delays.disable()
  }
  process.send?.({ figures: figures() })
})
// Nobody measures any more: a bench that was cut off leaves nothing behind.
process.on('disconnect', () => process.exit())
