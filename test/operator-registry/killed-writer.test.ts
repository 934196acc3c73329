// A program that is killed while it fills the cache, at moments spread over the whole of its run: the next start is right.
import { randomBytes } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import t from 'tap'
import { loadCatalog } from '../../src/file-based-catalog/load-catalog.ts'
import { holdThroughCache } from '../../src/operator-registry/cache.ts'
import { loadIntoFileHere } from '../../src/operator-registry/load-into-file.ts'
import { catalogText } from '../fixtures/catalog-text.ts'
import { runProgram } from '../fixtures/standalone-process.ts'

const KILLS = 8

t.test('killed at any moment', { timeout: 120_000 }, async (t) => {
  const folder = t.testdir({ catalog: {}, cache: {} })
  const [catalog, cache] = [join(folder, 'catalog'), join(folder, 'cache')]
  const versions = Array.from({ length: 20 }, (_, place) => `1.${place}.0`)
  await writeFile(join(catalog, 'a.json'), catalogText('alpha', { versions }))
  // What does not compress takes longest to write.
  const noise = Array.from({ length: 8 }, () => randomBytes(500_000).toString('base64'))
  await writeFile(
    join(catalog, 'b.json'),
    noise.map((text) => JSON.stringify({ schema: 'test.noise', text })).join('\n'),
  )
  const fill = () =>
    runProgram('operator-registry/main.ts', ['serve', catalog, '-t', '', '--cache-only', '--cache-dir', cache])
  const hold = async (integrity: 'off' | 'explicit') => {
    const signal = new AbortController().signal
    const log = pino({ level: 'silent' })
    const intoFile = loadIntoFileHere(loadCatalog)
    const held = await holdThroughCache(
      catalog,
      { directory: cache, integrity, mustWrite: false },
      {
        load: loadCatalog,
        intoFile,
        temporaryFolder: undefined,
        log,
        signal,
        now: Date.now,
      },
    )
    t.equal(held.index.packages.get('alpha')?.bundles.size, versions.length)
    t.equal(held.index.customBlobs.filter(({ schema }) => schema === 'test.noise').length, noise.length)
    await held.close()
    return held.from
  }

  const begun = performance.now()
  t.equal(await fill().ended, 0)
  const whole = performance.now() - begun
  t.equal(await hold('explicit'), 'cache')

  for (let kill = 1; kill <= KILLS; kill++) {
    await writeFile(join(catalog, 'c.json'), JSON.stringify({ schema: 'test.other', kill }))
    const run = fill()
    await pause((1.5 * whole * kill) / KILLS)
    run.child.kill('SIGKILL')
    await run.ended
    const files = await readdir(join(cache, 'olm-registry.v1'))
    t.ok(files.filter((name) => name.endsWith('.catalog')).length <= 2, files.join(' '))
    t.comment(`killed after ${Math.round((1.5 * whole * kill) / KILLS)} ms: held from ${await hold('off')}`)
    t.equal(await hold('explicit'), 'cache', 'and that start left a whole cache')
  }
})
