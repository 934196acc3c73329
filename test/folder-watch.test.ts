import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { watchFolder } from '../src/folder-watch.ts'

/** Collects what a watch reports and lets a test wait for a path to be among it. */
async function watched(t: Test, directory: string) {
  const seen = new Set<string>()
  let wake = () => {}
  const watch = watchFolder(directory, {
    settleMs: 20,
    lookMs: 100,
    onChange: (paths) => {
      for (const path of paths) seen.add(path)
      wake()
    },
  })
  t.teardown(() => watch.close())
  await watch.ready
  return {
    seen,
    async sees(path: string) {
      // The watch keeps no process alive, so a waiting test must.
      const alive = setInterval(() => {}, 1000)
      while (!seen.has(path)) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      clearInterval(alive)
      seen.clear()
    },
  }
}

t.test('files and folders that come, change and go', async (t) => {
  const directory = t.testdir({ old: { 'a.yaml': '1' } })
  const watch = await watched(t, directory)
  await writeFile(join(directory, 'old/a.yaml'), '22')
  await watch.sees('old/a.yaml')
  await mkdir(join(directory, 'new/deep'), { recursive: true })
  await writeFile(join(directory, 'new/deep/b.yaml'), '1')
  await watch.sees('new/deep/b.yaml')
  await writeFile(join(directory, 'new/deep/c.yaml'), '1')
  await watch.sees('new/deep/c.yaml')
  await writeFile(join(directory, 'draft'), '333')
  await rename(join(directory, 'draft'), join(directory, 'old/a.yaml'))
  await watch.sees('old/a.yaml')
  await mkdir(join(directory, 'empty'))
  await watch.sees('empty/')
  await rm(join(directory, 'new'), { recursive: true })
  await watch.sees('new/deep/b.yaml')
})

t.test('a symlink swapped for another folder, inside and at the top', async (t) => {
  const both = () => ({ one: { 'a.yaml': '1' }, two: { 'a.yaml': '1', 'b.yaml': '1' } })
  const base = t.testdir({ ...both(), inner: both() })
  await symlink(join(base, 'one'), join(base, 'current'))
  await symlink('one', join(base, 'inner/..data'))
  const top = await watched(t, join(base, 'current'))
  const inner = await watched(t, join(base, 'inner'))
  await symlink(join(base, 'two'), join(base, 'next'))
  await rename(join(base, 'next'), join(base, 'current'))
  await symlink('two', join(base, 'inner/next'))
  await rename(join(base, 'inner/next'), join(base, 'inner/..data'))
  await top.sees('b.yaml')
  await inner.sees('..data/')
  await writeFile(join(base, 'two/c.yaml'), '1')
  await top.sees('c.yaml')
})

t.test('a folder that is not there yet', async (t) => {
  const base = t.testdir({})
  const watch = await watched(t, join(base, 'later'))
  await mkdir(join(base, 'later'))
  await writeFile(join(base, 'later/a.yaml'), '1')
  await watch.sees('a.yaml')
})

t.test('links in circles and out of the folder are not followed, but told', async (t) => {
  const base = t.testdir({ watched: { sub: { 'a.yaml': '1' } }, outside: { 'secret.yaml': '1' }, other: {} })
  for (const [link, target] of [
    ['up', '..'],
    ['self', '.'],
    ['again', '../sub'],
  ] as const) {
    await symlink(target, join(base, 'watched/sub', link))
  }
  await symlink(join(base, 'outside'), join(base, 'watched/out'))
  const watch = await watched(t, join(base, 'watched'))
  await writeFile(join(base, 'outside/more.yaml'), '1')
  await writeFile(join(base, 'watched/sub/b.yaml'), '1')
  await watch.sees('sub/b.yaml')
  t.notOk([...watch.seen].some((path) => path.includes('more')))
  await symlink(join(base, 'other'), join(base, 'next'))
  await rename(join(base, 'next'), join(base, 'watched/out'))
  await watch.sees('out')
})

t.test('no deeper than asked', async (t) => {
  const directory = t.testdir({ sub: {} })
  const seen: string[] = []
  const watch = watchFolder(directory, {
    settleMs: 1,
    lookMs: 5,
    depth: 0,
    onChange: (paths) => void seen.push(...paths),
  })
  t.teardown(() => watch.close())
  await watch.ready
  await writeFile(join(directory, 'sub/a'), '1')
  const other = await watched(t, directory)
  await writeFile(join(directory, 'b'), '1')
  await other.sees('b')
  t.strictSame(seen, ['b'])
})

t.test('closed: silent, and nothing keeps the process', async (t) => {
  const directory = t.testdir({})
  let calls = 0
  const watch = watchFolder(directory, { settleMs: 1, lookMs: 5, onChange: () => void calls++ })
  await watch.ready
  watch.close()
  await writeFile(join(directory, 'a'), '1')
  const other = await watched(t, directory)
  await writeFile(join(directory, 'b'), '1')
  await other.sees('b')
  t.equal(calls, 0)
})
