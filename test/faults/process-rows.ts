// What can happen to the process itself: signals, kills, no descriptors, no disk, no memory, a loop that stands still. Each row has a
// world of its own.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { request as httpsRequest } from 'node:https'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { connect, type TLSSocket } from 'node:tls'
import { eventually } from '../fixtures/eventually.ts'
import { type FaultWorld, freshness, look, observe, openSite, shows, startFaultWorld } from '../fixtures/fault-world.ts'
import type { FaultRow, Measured } from './fault-row.ts'

const GROUP = '/apis/packages.operators.coreos.com/v1'
const LIST = `${GROUP}/namespaces/olm/packagemanifests`

const KILLED_WITH_STATE: FaultRow = {
  fault: 'SIGKILL and restart with --state-dir, no registry to be reached',
  promise: 'the last good list from the first second on, marked stale; fresh when the registry is back',
  fast: true,
  async run(t, stage) {
    const world = await startFaultWorld(t, { flags: ['--state-dir={folder}/state'] })
    const site = await openSite(t, world, stage.name)
    await eventually('kept', () => existsSync(join(world.folder, 'state')))
    await shows(site, 'm0', 20)
    await wait(300)
    site.network.accept = 'reset'
    site.network.cut()
    await world.restart('SIGKILL')
    const began = performance.now()
    await eventually('listed', async () => (await look(world, site.name).catch(() => undefined))?.count === 20, 20_000)
    const listedMs = Math.round(performance.now() - began)
    t.equal(await freshness(world, site.name), 'False', 'marked stale')
    const { headers } = await world.ask(LIST)
    t.match(String(headers.warning), `catalog olm/${site.name}: shown as read`)
    const watching = observe(site)
    await eventually('ready', async () => (await world.ask('/readyz')).status === 200)
    site.publish(25, 'm1')
    site.network.accept = 'pass'
    const recoveredMs = Math.round(await shows(site, 'm1', 25))
    return { ...(await watching.stop()), recoveredMs, note: `listed ${listedMs} ms after the port was open` }
  },
}

const KILLED_WITHOUT_STATE: FaultRow = {
  fault: 'SIGKILL and restart without state',
  promise: 'unready until read; an unknown name is 503, not 404, meanwhile; then as before',
  fast: true,
  async run(t, stage) {
    const world = await startFaultWorld(t)
    const site = await openSite(t, world, stage.name)
    site.network.stalled = true
    await world.restart('SIGKILL')
    t.equal((await world.ask(`${LIST}/p1`)).status, 503)
    t.equal((await world.ask('/readyz')).status, 500)
    site.network.stalled = false
    return { lost: 0, recoveredMs: Math.round(await shows(site, 'm0', 20)) }
  },
}

const TERMINATED: FaultRow = {
  fault: 'SIGTERM while starting, while reading, and while serving watchers',
  promise: 'exit code 0 within the grace period, watches end',
  fast: true,
  async run(t, stage) {
    const times: number[] = []
    const end = async (world: FaultWorld) => {
      const began = performance.now()
      t.equal(await world.end('SIGTERM'), 0)
      times.push(Math.round(performance.now() - began))
    }
    const prepare = (api: FaultWorld['api']) => api.faults.add({ on: '/api', times: 1000, answer: 'hang' })
    await end(await startFaultWorld(t, { prepare, ready: false }))

    const reading = await startFaultWorld(t)
    const site = await openSite(t, reading, stage.name)
    site.registry.script = () => ({ messages: [], ending: 'hang' })
    const calls = site.registry.calls.length
    await eventually('reading', () => site.registry.calls.length > calls)
    await end(reading)

    const serving = await startFaultWorld(t)
    await openSite(t, serving, stage.name)
    const watch = httpsRequest({
      ...{ host: '127.0.0.1', port: serving.port, path: `${LIST}?watch=true`, agent: false },
      ...{ headers: serving.headers, ...serving.tls },
    })
    const { promise, resolve } = Promise.withResolvers<boolean>()
    watch.on('error', () => resolve(false))
    watch.on('response', (response) => {
      response.on('error', () => resolve(false))
      response.on('end', () => resolve(response.complete)).resume()
    })
    watch.end()
    await wait(300)
    await end(serving)
    t.equal(await promise, true, 'the watch ended cleanly')
    return { note: `ended within ${times.join(', ')} ms` }
  },
}

const NO_DESCRIPTORS: FaultRow = {
  fault: 'out of file descriptors',
  promise: 'the process lives, what was read stays, connections are taken again when there are descriptors',
  denied: () => tool('prlimit'),
  async run(t, stage) {
    const world = await startFaultWorld(t, { launch: ['prlimit', '--nofile=120:120'] })
    const site = await openSite(t, world, stage.name)
    const sockets: TLSSocket[] = Array.from({ length: 200 }, () => {
      const socket = connect({ host: '127.0.0.1', port: world.port, ...world.tls })
      socket.on('error', () => undefined)
      return socket
    })
    await wait(2000)
    t.equal(world.child.exitCode, null, 'it lives')
    for (const socket of sockets) socket.destroy()
    site.publish(25, 'm1')
    const recoveredMs = Math.round(await shows(site, 'm1', 25))
    t.equal((await world.ask(GROUP, { fresh: true })).status, 200)
    return { lost: 0, wrong: 0, recoveredMs }
  },
}

const NO_DISK: FaultRow = {
  fault: 'disk full for the state (tmpfs of 16 KiB)',
  promise: 'one line; everything else goes on',
  fast: true,
  denied: mounts,
  async run(t, stage) {
    const script = 'mkdir -p "$0/state" && mount -t tmpfs -o size=16k none "$0/state" && exec "$@"'
    const launch = ['unshare', '-m', 'sh', '-c', script, '{folder}']
    const world = await startFaultWorld(t, { launch, flags: ['--state-dir={folder}/state'] })
    const site = await openSite(t, world, stage.name, 60)
    await eventually('said', () => /ENOSPC/.test(world.log()))
    const watching = observe(site)
    site.publish(70, 'm1')
    const recoveredMs = Math.round(await shows(site, 'm1', 70))
    const lines = world.log().split('cannot be kept').length - 1
    t.ok(lines <= 2, `${lines} lines`)
    return { ...(await watching.stop()), recoveredMs }
  },
}

const BLOCKED: FaultRow = {
  fault: 'the event loop stands still for three seconds (a hook of the test)',
  promise: 'liveness notices: no answer within a second; afterwards all is as before',
  fast: true,
  async run(t, stage) {
    const hook = `data:text/javascript,${encodeURIComponent(
      "process.on('SIGWINCH', () => { const end = Date.now() + 3000; while (Date.now() < end); })",
    )}`
    const world = await startFaultWorld(t, { env: { NODE_OPTIONS: `--import=${hook}` } })
    const site = await openSite(t, world, stage.name)
    t.equal((await world.ask('/livez')).status, 200)
    world.child.kill('SIGWINCH')
    await wait(100)
    const silent = await world.ask('/livez', { fresh: true, timeout: 1000 }).then(
      () => false,
      () => true,
    )
    t.ok(silent, 'liveness got no answer')
    const recoveredMs = Math.round(await shows(site, 'm0', 20))
    t.equal((await world.ask('/livez')).status, 200)
    return { lost: 0, wrong: 0, recoveredMs }
  },
}

const CGROUP = '/sys/fs/cgroup/memory/olm-faults'

const NO_MEMORY: FaultRow = {
  fault: 'memory limit (cgroup) of 1.2 × the resident size, under a storm of lists',
  promise:
    'works on under the limit where it can; what the kernel kills cannot keep promises, a restart with state does',
  denied: () => cgroup(),
  async run(t, stage) {
    const launch = ['sh', '-c', `echo $$ > ${CGROUP}/cgroup.procs && exec "$@"`, 'sh']
    const world = await startFaultWorld(t, { launch, flags: ['--state-dir={folder}/state'] })
    const site = await openSite(t, world, stage.name, 400)
    await Promise.all(Array.from({ length: 20 }, () => world.ask(LIST, { fresh: true })))
    const resident = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${world.child.pid}/status`, 'utf8'))?.[1]) * 1024
    const limit = Math.round(resident * 1.2)
    writeFileSync(`${CGROUP}/memory.limit_in_bytes`, String(limit))
    let refused = 0
    let answered = 0
    for (let round = 0; round < 20; round++) {
      const answers = await Promise.all(
        Array.from({ length: 40 }, () => world.ask(LIST, { fresh: true }).catch(() => undefined)),
      )
      for (const answer of answers) answer?.status === 200 ? answered++ : refused++
    }
    const killed = world.child.signalCode === 'SIGKILL'
    const facts = `${Math.round(resident / 2 ** 20)} MiB resident, limit ${Math.round(limit / 2 ** 20)} MiB`
    const note = `${facts}: ${killed ? 'killed by the kernel' : 'lived'}, ${answered} lists answered, ${refused} refused`
    if (killed) {
      writeFileSync(`${CGROUP}/memory.limit_in_bytes`, '-1')
      await world.restart('SIGKILL')
    }
    site.publish(25, 'm1')
    const recoveredMs = Math.round(await shows(site, 'm1', 25))
    await world.end('SIGKILL')
    await eventually('empty', () => readFileSync(`${CGROUP}/cgroup.procs`, 'utf8') === '')
    rmdirSync(CGROUP)
    return { lost: 0, recoveredMs, note } satisfies Measured
  },
}

function tool(name: string): string | undefined {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' })
    return undefined
  } catch {
    return `no ${name}`
  }
}

function mounts(): string | undefined {
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt'], { stdio: 'ignore' })
    return undefined
  } catch {
    return 'no mounts'
  }
}

function cgroup(): string | undefined {
  try {
    mkdirSync(CGROUP)
    return existsSync(`${CGROUP}/memory.limit_in_bytes`) ? undefined : 'no memory cgroup'
  } catch {
    return 'no memory cgroup'
  }
}

export const PROCESS_ROWS: readonly FaultRow[] = [
  KILLED_WITH_STATE,
  KILLED_WITHOUT_STATE,
  TERMINATED,
  NO_DESCRIPTORS,
  NO_DISK,
  BLOCKED,
  NO_MEMORY,
]
