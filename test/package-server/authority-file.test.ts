import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { issueAuthority } from '../../src/certificates/issue.ts'
import { checkAuthorityFiles, followAuthorityFile } from '../../src/package-server/authority-file.ts'
import { clientAuthorities } from '../../src/package-server/client-authorities.ts'
import { eventually } from '../fixtures/eventually.ts'
import { keptLog } from '../fixtures/kept-log.ts'

t.test('read again when it changes; a broken version is not taken, and said once', async (t) => {
  const validity = { now: Date.now(), lifetime: 3_600_000 }
  const [one, two] = [await issueAuthority('one', validity), await issueAuthority('two', validity)]
  const folder = t.testdir({ 'ca.crt': one.certificate })
  const file = join(folder, 'ca.crt')
  const { log, said } = keptLog()
  const bundles: string[] = []
  const onBundle = (bundle: string) => {
    clientAuthorities(bundle)
    bundles.push(bundle)
  }
  t.teardown(await followAuthorityFile({ file, log, onBundle }))
  t.same(bundles, [one.certificate])
  await writeFile(file, 'junk')
  await eventually('the fault said', () => said('authorities not taken').length === 1)
  await writeFile(file, 'other junk')
  await writeFile(file, `${one.certificate}${two.certificate}`)
  await eventually('the new bundle', () => bundles.length === 2)
  t.equal(bundles[1], `${one.certificate}${two.certificate}`)
  t.equal(said('authorities not taken').length, 1)
})

t.test('files that cannot be used at the start', async (t) => {
  const folder = t.testdir({
    junk: 'junk',
    broken: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
    dir: {},
  })
  await checkAuthorityFiles(['', ''])
  for (const name of ['junk', 'broken', 'dir', 'none'])
    await t.rejects(checkAuthorityFiles([join(folder, name)]), { code: 'FILE_UNREADABLE', message: new RegExp(name) })
})
