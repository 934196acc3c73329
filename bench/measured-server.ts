// The server that is judged, as a process of its own: `npm start`'s program on registries that run elsewhere, over TLS with
// client certificates, from the bundle that the image holds and in the environment that it sets.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { IMAGE_ENVIRONMENT } from '../build/image-environment.ts'
import { type ObservedProcess, startObserved, until } from './observed-process.ts'
import { type Credentials, type SecureClient, secureClient } from './secure-client.ts'

export interface MeasuredServer {
  readonly process: ObservedProcess
  readonly origin: string
  readonly credentials: Credentials
  readonly client: SecureClient
  /** `performance.now()` when the process was started. */
  readonly begun: number
  /** Seconds from the start of the process to its first answer, to the first list that holds something, to all catalogs listed. */
  listed(): Promise<{ readonly first: number; readonly all: number }>
  /** Asks for a reading of every catalog. */
  readNow(): Promise<void>
  stop(): Promise<void>
}

export interface MeasuredServerOptions {
  /** Certificates are kept there from one server to the next. */
  readonly folder: string
  readonly addresses: readonly string[]
  /** Of the readings, such as `5m`. */
  readonly interval?: string
  /** Of Node, such as `--cpu-prof`. */
  readonly nodeFlags?: readonly string[]
}

export const PROGRAM = fileURLToPath(new URL('../dist/standalone.mjs', import.meta.url))
export const PACKAGES = '/apis/packages.operators.coreos.com/v1/packagemanifests'

/** Resolves when it listens. */
export async function startMeasuredServer(options: MeasuredServerOptions): Promise<MeasuredServer> {
  const { folder, addresses, interval = '1h', nodeFlags = [] } = options
  const sources = join(folder, 'catalog-sources')
  await mkdir(sources, { recursive: true })
  await mkdir(join(folder, 'no-catalogs'), { recursive: true })
  const tell = async (touched: number) => {
    const items = addresses.map((address, index) => catalogSource(address, index, touched))
    await writeFile(join(sources, 'all.json.new'), JSON.stringify({ kind: 'List', apiVersion: 'v1', items }))
    await rename(join(sources, 'all.json.new'), join(sources, 'all.json'))
  }
  await tell(0)
  let touched = 0
  const data = join(folder, 'data')
  const begun = performance.now()
  const process = startObserved(
    [
      PROGRAM,
      '--secure-port=0',
      '--data-dir',
      data,
      '--catalogs',
      join(folder, 'no-catalogs'),
      '--catalog-sources',
      sources,
      '--interval',
      interval,
    ],
    nodeFlags,
    IMAGE_ENVIRONMENT,
  )
  const origin = await until(process, () => /^serving (https:\S+)/m.exec(process.output())?.[1])
  const credentials = {
    ca: await readFile(join(data, 'ca.crt'), 'utf8'),
    cert: await readFile(join(data, 'client.crt'), 'utf8'),
    key: await readFile(join(data, 'client.key'), 'utf8'),
  }
  const client = secureClient(origin, credentials)
  const since = () => (performance.now() - begun) / 1000
  return {
    process,
    origin,
    credentials,
    client,
    begun,
    async listed() {
      let first: number | undefined
      await until(process, async () => {
        const { body } = await client.ask(`${PACKAGES}?limit=1`)
        if (!body.toString().includes('"items":[]')) first ??= since()
        const lines = process.output().match(/^olm\/catalog-\d+: \d+ packages/gm) ?? []
        return lines.length >= addresses.length ? true : undefined
      })
      return { first: first ?? since(), all: since() }
    },
    readNow: () => tell(++touched),
    async stop() {
      client.close()
      await process.stop()
    },
  }
}

function catalogSource(address: string, index: number, touched: number): object {
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'CatalogSource',
    metadata: {
      namespace: 'olm',
      name: `catalog-${index}`,
      creationTimestamp: '2024-05-01T10:00:00Z',
      annotations: { touched: String(touched) },
    },
    spec: { sourceType: 'grpc', address, displayName: `Catalog ${index}`, publisher: 'Bench' },
  }
}
