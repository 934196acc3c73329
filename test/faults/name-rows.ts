// What names and proxies can do, and registries as processes of their own: each row has a world of its own.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Test } from 'tap'
import { catalogText } from '../fixtures/catalog-text.ts'
import { type DnsServer, dnsServer } from '../fixtures/dns-server.ts'
import { eventually } from '../fixtures/eventually.ts'
import { type FaultWorld, freshness, look, startFaultWorld } from '../fixtures/fault-world.ts'
import { gateway } from '../fixtures/gateway.ts'
import { manyPackages } from '../fixtures/scripted-content.ts'
import { scriptedRegistry } from '../fixtures/scripted-registry.ts'
import { type Run, runProgram, waitFor } from '../fixtures/standalone-process.ts'
import type { FaultRow, Measured } from './fault-row.ts'

const STALE_BOUND = 200_000

/** Counts what is missing of a catalog of a fixed size, all the while. */
function counting(world: FaultWorld, name: string, size: () => number): { stop(): Promise<Measured> } {
  let over = false
  let lost = 0
  let failed = 0
  let requests = 0
  const running = (async () => {
    while (!over) {
      const seen = await look(world, name).catch(() => undefined)
      requests++
      if (seen?.status !== 200) failed++
      else lost = Math.max(lost, size() - seen.count)
      await wait(50)
    }
  })()
  return {
    async stop() {
      over = true
      await running
      return { lost, failed, wrong: 0, requests }
    },
  }
}

async function becomes(world: FaultWorld, name: string, count: number, fresh: string, bound = 90_000): Promise<number> {
  const began = performance.now()
  await eventually(
    `${name} has ${count}, fresh ${fresh}`,
    async () => (await look(world, name)).count === count && (await freshness(world, name)) === fresh,
    bound,
  )
  return Math.round(performance.now() - began)
}

const SOCKS: FaultRow = {
  fault: 'a SOCKS proxy that refuses one host, then is restarted (R047)',
  promise: 'only that catalog is missing; it comes when it is let through',
  fast: true,
  async run(t, stage) {
    const registry = await scriptedRegistry({ packages: manyPackages(10) })
    const proxy = await gateway()
    t.teardown(async () => {
      await proxy.close()
      await registry.close()
    })
    proxy.routes.set('good.olm.svc:50051', registry.address)
    const world = await startFaultWorld(t, { env: { GRPC_PROXY: `socks5://127.0.0.1:${proxy.port}` } })
    const [good, bad] = [`${stage.name}-good`, `${stage.name}-bad`]
    world.putCatalog(good, 'good.olm.svc:50051')
    world.putCatalog(bad, 'bad.olm.svc:50051')
    await becomes(world, good, 10, 'True')
    await becomes(world, bad, 0, 'False')
    const watching = counting(world, good, () => 10)
    proxy.routes.set('bad.olm.svc:50051', registry.address)
    proxy.cut()
    const recoveredMs = await becomes(world, bad, 10, 'True')
    await becomes(world, good, 10, 'True')
    return { ...(await watching.stop()), recoveredMs }
  },
}

interface NameFault {
  readonly fault: string
  begin(dns: DnsServer): void
  /** Whether the list goes stale. */
  readonly stale: boolean
}

const NAME_FAULTS: readonly NameFault[] = [
  {
    fault: 'the name server fails',
    stale: true,
    begin(dns) {
      dns.failing = true
    },
  },
  {
    fault: 'the name server answers after two seconds',
    stale: false,
    begin(dns) {
      dns.delayMs = 2000
    },
  },
  {
    fault: 'the name has another address (the registry moved)',
    stale: false,
    begin: () => undefined,
  },
]

/** In each the registry behind the name goes, and comes back on another address. */
function nameRow({ fault, begin, stale }: NameFault, index: number): FaultRow {
  const host = `127.0.53.${index + 1}`
  return {
    fault,
    promise: 'the last good list stays; the new address is found within one back-off',
    denied: mounts,
    async run(t, stage) {
      const dns = await dnsServer(host)
      t.teardown(() => dns.close())
      const first = await scriptedRegistry({ packages: manyPackages(10), host: '127.0.54.1' })
      const second = await scriptedRegistry({ packages: manyPackages(12), host: '127.0.54.2', port: first.port })
      t.teardown(async () => {
        await first.close()
        await second.close()
      })
      dns.names.set('reg.example', '127.0.54.1')
      const script = `echo 'nameserver ${host}' > "$0/resolv.conf" && mount --bind "$0/resolv.conf" /etc/resolv.conf && exec "$@"`
      const world = await startFaultWorld(t, { launch: ['unshare', '-m', 'sh', '-c', script, '{folder}'] })
      world.putCatalog(stage.name, `reg.example:${first.port}`)
      await becomes(world, stage.name, 10, 'True')
      const watching = counting(world, stage.name, () => 10)
      begin(dns)
      await first.close()
      if (stale) await becomes(world, stage.name, 10, 'False')
      dns.failing = false
      dns.names.set('reg.example', '127.0.54.2')
      const recoveredMs = await becomes(world, stage.name, 12, 'True')
      return { ...(await watching.stop()), recoveredMs }
    },
  }
}

async function serve(t: Test, folder: string, port: string): Promise<Run & { readonly port: string }> {
  const args = ['serve', folder, '--bind-address=127.0.0.1', '--port', port, '-t', '']
  const run = runProgram('operator-registry/main.ts', args)
  t.teardown(async () => {
    run.child.kill('SIGKILL')
    await run.ended
  })
  const found = await waitFor(run, () =>
    /serving[^\n]*?127\.0\.0\.1:(\d+)|address[=": ]+127\.0\.0\.1:(\d+)/.exec(run.stderr() + run.stdout()),
  )
  return { ...run, port: found[1] ?? found[2] ?? '' }
}

function processRow(fault: string, fast: boolean, end: NodeJS.Signals): FaultRow {
  return {
    fault,
    promise: 'the last good list stays, marked stale, and recovers by itself',
    ...(fast ? { fast } : {}),
    async run(t, stage) {
      const world = await startFaultWorld(t)
      const folder = join(world.folder, 'catalog')
      mkdirSync(folder)
      for (const name of ['a', 'b', 'c']) writeFileSync(join(folder, `${name}.json`), catalogText(name))
      const registry = await serve(t, folder, '0')
      world.putCatalog(stage.name, `127.0.0.1:${registry.port}`)
      await becomes(world, stage.name, 3, 'True')
      const watching = counting(world, stage.name, () => 3)
      registry.child.kill(end)
      await becomes(world, stage.name, 3, 'False', STALE_BOUND)
      writeFileSync(join(folder, 'd.json'), catalogText('d'))
      if (end === 'SIGSTOP') registry.child.kill('SIGKILL')
      await registry.ended
      await serve(t, folder, registry.port)
      const recoveredMs = await becomes(world, stage.name, 4, 'True')
      return { ...(await watching.stop()), recoveredMs }
    },
  }
}

function mounts(): string | undefined {
  try {
    execFileSync('unshare', ['-m', 'true'], { stdio: 'ignore' })
    return undefined
  } catch {
    return 'no mounts'
  }
}

export const NAME_ROWS: readonly FaultRow[] = [
  processRow('a registry process is killed (SIGKILL) and started anew', true, 'SIGKILL'),
  processRow('a registry process is stopped (SIGSTOP), killed and started anew', false, 'SIGSTOP'),
  SOCKS,
  ...NAME_FAULTS.map(nameRow),
]
