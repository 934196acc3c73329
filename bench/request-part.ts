// The contests of request-rows.ts on a list of 412 packages, and the tail of single answers while lists run.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Field } from './contest.ts'
import { latencyRows } from './latency-rows.ts'
import { startLimits } from './limits.ts'
import { withListedServer } from './listed-server.ts'
import type { ObservedProcess } from './observed-process.ts'
import { requestRows } from './request-rows.ts'
import type { Row } from './result.ts'
import type { Run } from './run-bench.ts'

const PACKAGES = 412

export function requestPart(run: Run): Promise<readonly Row[]> {
  return withListedServer(run, PACKAGES, async (server) => {
    const data = join(run.folder, 'data')
    const cert = await readFile(join(data, 'serving.crt'), 'utf8')
    const key = await readFile(join(data, 'serving.key'), 'utf8')
    const limits = await startLimits({ ca: server.credentials.ca, cert, key }, run.folder)
    const { peer } = run
    const field: Field = {
      ours: server.contestant,
      limits,
      peer: peer === undefined ? undefined : { name: 'peer', origin: peer.origin, credentials: peer },
      rounds: run.quick ? 2 : 5,
      seconds: run.quick ? 1 : 1.5,
      connections: 4,
      profile: run.profiles === undefined ? undefined : saveProfiles(server.process, run.profiles),
    }
    await server.process.observe('rest')
    try {
      const rows = await requestRows(`Requests, ${PACKAGES} packages`, field, run.rows)
      if (run.rows !== '') return rows
      return [...rows, ...(await latencyRows(server, run.quick ? 3 : 8))]
    } finally {
      await limits.stop()
    }
  })
}

function saveProfiles(process: ObservedProcess, folder: string) {
  return async (name: string, work: () => Promise<unknown>) => {
    await mkdir(folder, { recursive: true })
    const file = `${name.replaceAll(/[^a-z0-9]+/gi, '-')}.cpuprofile`
    await writeFile(join(folder, file), await process.profiled(work))
  }
}
