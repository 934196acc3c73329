// Every answer to every call equals the reference registry's, recorded on the same catalogs.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { pino } from 'pino'
import t from 'tap'
import { loadCatalog } from '../../src/file-based-catalog/load-catalog.ts'
import { startOperatorRegistry } from '../../src/operator-registry/operator-registry.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const shared = fileURLToPath(new URL('../../../shared', import.meta.url))
const CATALOGS = ['community', 'marketplace', 'odd-shared', 'redhat', 'second']
const ANSWERS = 13_211

t.test('all recorded answers', { skip: existsSync(shared) ? false : 'skipped: no ../shared' }, async (t) => {
  let answers = 0
  for (const catalog of CATALOGS) {
    const golden = (await readFile(`${shared}/golden/registry/${catalog}.jsonl`, 'utf8')).trimEnd().split('\n')
    const registry = await startOperatorRegistry({
      directory: `${shared}/catalogs/${catalog}`,
      address: '127.0.0.1:0',
      load: loadCatalog,
      log: pino({ level: 'silent' }),
    })
    t.teardown(() => registry.close(0))
    t.equal((await registry.first).kind, 'served', catalog)
    const dump = await promisify(execFile)(process.execPath, [`${shared}/golden/registry/dump.mjs`, registry.address], {
      cwd: root,
      maxBuffer: 256 * 1024 * 1024,
    })
    const ours = dump.stdout.trimEnd().split('\n')
    t.equal(ours.length, golden.length, `${catalog}: number of answers`)
    const differing = golden.filter((line, index) => line !== ours[index])
    t.same(differing.slice(0, 3), [], `${catalog}: ${differing.length} answers differ`)
    answers += ours.length
  }
  t.equal(answers, ANSWERS)
})
