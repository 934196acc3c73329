import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { madeFolder } from '../src/made-folder.ts'

t.test('what is missing is made, what is there is left', async (t) => {
  const base = t.testdir({ file: 'text', there: {} })
  const before = statSync(join(base, 'there')).mode
  await madeFolder(join(base, 'there'), 0o700)
  t.equal(statSync(join(base, 'there')).mode, before, 'a folder that is there keeps its rights')
  await madeFolder(join(base, 'a', 'b', 'c'), 0o700)
  for (const name of ['a', 'a/b', 'a/b/c']) t.equal(statSync(join(base, name)).mode & 0o777, 0o700, name)
  await Promise.all([1, 2, 3].map(() => madeFolder(join(base, 'd', 'e'))))
  t.ok(statSync(join(base, 'd', 'e')).isDirectory(), 'several at a time')
  await t.rejects(madeFolder(join(base, 'file')), { code: 'EEXIST' }, 'a file')
  await t.rejects(madeFolder(join(base, 'file', 'below')), { code: 'ENOTDIR' }, 'below a file')
})

t.test(
  'a place where nothing can be made ends with a reason',
  { skip: existsSync('/proc/self') ? false : 'skipped: no /proc' },
  async (t) => {
    await t.rejects(madeFolder('/proc/nothing/below'), { code: 'ENOENT' })
  },
)
