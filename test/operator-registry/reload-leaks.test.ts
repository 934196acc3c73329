// Many reloads under running calls: every content but the last is given up, files and all.
import { existsSync } from 'node:fs'
import { readdir, readlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import t from 'tap'
import { loadCatalog } from '../../src/file-based-catalog/load-catalog.ts'
import { holdInFile } from '../../src/operator-registry/held-catalog.ts'
import { loadIntoFileHere } from '../../src/operator-registry/load-into-file.ts'
import { createServing } from '../../src/operator-registry/serving.ts'
import { createRegistryServer } from '../../src/registry/service.ts'
import { catalogText } from '../fixtures/catalog-text.ts'
import { eventually } from '../fixtures/eventually.ts'
import { rawRegistry } from '../fixtures/raw-registry.ts'

const RELOADS = 40
const skip = existsSync('/proc/self/fd') ? false : 'open files can only be counted on Linux'

t.test('forty contents, one open file at the end', { skip }, async (t) => {
  const folder = t.testdir({ catalog: {}, temporary: {} })
  const [directory, temporaryFolder] = [join(folder, 'catalog'), join(folder, 'temporary')]
  const log = pino({ level: 'silent' })
  const server = await createRegistryServer({ address: '127.0.0.1:0', log })
  const registry = rawRegistry(server.address)
  const holding = {
    load: loadCatalog,
    intoFile: loadIntoFileHere(loadCatalog),
    temporaryFolder,
    log,
    signal: new AbortController().signal,
    now: Date.now,
  }
  const serving = createServing({ directory, server, lenient: false, hold: () => holdInFile(directory, holding), log })
  const open = async (): Promise<number> => {
    const files = await readdir('/proc/self/fd')
    const targets = await Promise.all(files.map((file) => readlink(join('/proc/self/fd', file)).catch(() => '')))
    return targets.filter((target) => target.includes(temporaryFolder)).length
  }

  const calls: Promise<unknown>[] = []
  for (let reload = 0; reload < RELOADS; reload++) {
    const version = `1.${reload}.0`
    await writeFile(join(directory, 'a.json'), catalogText('alpha', { versions: [version] }))
    t.equal((await serving.attempt()).kind, 'served')
    const head = registry.ask('GetBundleForChannel', { pkgName: 'alpha', channelName: 'stable' })
    calls.push(head, registry.list('ListBundles'))
    t.equal((await head).version, version)
  }
  await Promise.all(calls)
  await eventually('all but one to be closed', async () => (await open()) === 1)
  await writeFile(join(directory, 'a.json'), '{')
  for (let reload = 0; reload < 5; reload++) t.equal((await serving.attempt()).kind, 'refused')
  t.equal(await open(), 1, 'a refused content is given up at once')
  t.same(await readdir(temporaryFolder), [], 'no file keeps its name')
  registry.close()
  await server.close(1000)
  t.equal(await open(), 0)
})
