// A measured server with a set of so many packages, all of them listed, for as long as a part needs it.
import type { Contestant } from './load.ts'
import { type MeasuredServer, type MeasuredServerOptions, startMeasuredServer } from './measured-server.ts'
import type { Run } from './run-bench.ts'

export interface ListedServer extends MeasuredServer {
  /** Seconds from its start. */
  readonly times: { readonly first: number; readonly all: number }
  readonly contestant: Contestant
}

export async function withListedServer<T>(
  { folder, registries }: Run,
  packages: number,
  use: (server: ListedServer) => Promise<T>,
  options: Partial<MeasuredServerOptions> = {},
): Promise<T> {
  const addresses = await registries.open(packages)
  const server = await startMeasuredServer({ folder, addresses, ...options })
  try {
    await server.process.observe('watch-loop')
    const times = await server.listed()
    const { origin, credentials } = server
    const cpuMs = async () => (await server.process.observe()).cpuMs
    return await use({ ...server, times, contestant: { name: 'ours', origin, credentials, cpuMs } })
  } finally {
    await server.stop()
  }
}
