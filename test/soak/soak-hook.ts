// Loaded into the server's process by the soak: on SIGWINCH it collects garbage and says what is open; once a second how long the loop
// was held up. One JSON object a line, to standard error.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import process from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const delay = monitorEventLoopDelay({ resolution: 10 })
delay.enable()

setInterval(() => {
  process.stderr.write(`${JSON.stringify({ soak: 'delay', ms: delay.percentile(99) / 1e6 })}\n`)
  delay.reset()
}, 1000).unref()

process.on('SIGWINCH', () => {
  collect()
  collect()
  const open: Record<string, number> = {}
  for (const kind of process.getActiveResourcesInfo()) open[kind] = (open[kind] ?? 0) + 1
  process.stderr.write(`${JSON.stringify({ soak: 'open', open, heap: process.memoryUsage().heapUsed })}\n`)
})
