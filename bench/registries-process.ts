// A process of its own: real registries over gRPC with sets of any number of packages. Its parent asks for a set, for a change
// of some packages, for how often a catalog was read to its end.
import process from 'node:process'
import { createLogger } from '../src/log.ts'
import { createRegistryServer, type RegistryServer } from '../src/registry/service.ts'
import { loadBase } from './catalog-base.ts'
import { type CopiedPackage, dealPackages, multipliedContent } from './multiplied-content.ts'
import type { RegistriesQuestion } from './registries.ts'

const log = createLogger({ level: 'silent', format: 'json' })
const base = loadBase(process.argv.slice(2))
const counts = { lists: 0, heads: 0 }
let running: { readonly server: RegistryServer; readonly packages: readonly CopiedPackage[] }[] = []
let edition = 0

async function openSet(count: number, catalogs: number): Promise<readonly string[]> {
  await Promise.all(running.map(({ server }) => server.close(100)))
  running = []
  counts.lists = 0
  counts.heads = 0
  for (const packages of dealPackages(await base, count, catalogs)) {
    const server = await createRegistryServer({
      address: '127.0.0.1:0',
      log,
      onFinished({ method }) {
        if (method.endsWith('ListBundles')) counts.lists++
        if (method.endsWith('GetBundleForChannel')) counts.heads++
      },
    })
    server.replace(multipliedContent(packages, { edition: 0, changed: 0 }))
    running.push({ server, packages })
  }
  return running.map(({ server }) => server.address)
}

/** That many packages of each of the first catalogs get another manifest. */
function change(each: number, catalogs: number): void {
  edition++
  for (const { server, packages } of running.slice(0, catalogs))
    server.replace(multipliedContent(packages, { edition, changed: each }))
}

process.on('message', async (question: RegistriesQuestion) => {
  if (question.set !== undefined)
    process.send?.({ addresses: await openSet(question.set.packages, question.set.catalogs) })
  else if (question.change !== undefined) {
    change(question.change.each, question.change.catalogs)
    process.send?.({ done: true })
  } else if (question.counts === true) process.send?.({ ...counts })
})
