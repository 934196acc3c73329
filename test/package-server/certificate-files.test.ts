import { rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import t from 'tap'
import { issueAuthority, issueServing, type KeyPair } from '../../src/certificates/issue.ts'
import type { ServingCertificate } from '../../src/http/tls.ts'
import { followCertificateFiles, readCertificateFiles } from '../../src/package-server/certificate-files.ts'
import { eventually } from '../fixtures/eventually.ts'

const log = pino({ level: 'silent' })

async function pairs(count: number): Promise<readonly KeyPair[]> {
  const year = { now: Date.now(), lifetime: 365 * 86_400_000 }
  const authority = await issueAuthority('authority', year)
  const subject = { commonName: 'server', hosts: ['localhost'] }
  return Promise.all(Array.from({ length: count }, () => issueServing(authority, subject, year)))
}

t.test('replaced in pieces: the old pair stays until the new one is whole (R035)', async (t) => {
  const [one, two] = await pairs(2)
  if (one === undefined || two === undefined) throw new Error('no pairs')
  const folder = t.testdir({ 'tls.crt': one.certificate, 'tls.key': one.key })
  const seen: ServingCertificate[] = []
  const files = await followCertificateFiles({
    certificateFile: join(folder, 'tls.crt'),
    keyFile: join(folder, 'tls.key'),
    log,
    onChange: (pair) => seen.push(pair),
  })
  t.teardown(() => files.close())
  t.equal(files.current()?.cert, one.certificate)
  await writeFile(join(folder, 'tls.crt'), two.certificate)
  await eventually('fault !== undefined', () => files.fault() !== undefined)
  t.match(files.fault(), /tls\.key: is not the private key \(PEM\) of .*tls\.crt/)
  t.equal(files.current()?.cert, one.certificate)
  await writeFile(join(folder, 'tls.key'), two.key)
  await eventually('fault === undefined', () => files.fault() === undefined)
  t.equal(files.current()?.cert, two.certificate)
  await writeFile(join(folder, 'tls.crt'), 'junk')
  await eventually('fault !== undefined', () => files.fault() !== undefined)
  t.equal(files.current()?.cert, two.certificate)
  t.strictSame(
    seen.map(({ cert }) => cert),
    [one.certificate, two.certificate],
  )
})

t.test("kubelet's way: a folder behind a link, swapped in one step; not there at first", async (t) => {
  const [one, two] = await pairs(2)
  if (one === undefined || two === undefined) throw new Error('no pairs')
  const folder = t.testdir({
    one: { 'tls.crt': one.certificate, 'tls.key': one.key },
    two: { 'tls.crt': two.certificate, 'tls.key': two.key },
  })
  await symlink('..data/tls.crt', join(folder, 'tls.crt'))
  await symlink('..data/tls.key', join(folder, 'tls.key'))
  const files = await followCertificateFiles({
    certificateFile: join(folder, 'tls.crt'),
    keyFile: join(folder, 'tls.key'),
    log,
    onChange: () => {},
  })
  t.teardown(() => files.close())
  t.equal(files.current(), undefined)
  t.match(files.fault(), /tls\.crt: ENOENT/)
  await symlink('one', join(folder, '..data'))
  await eventually('cert === one.certificate', () => files.current()?.cert === one.certificate)
  await symlink('two', join(folder, 'next'))
  await rename(join(folder, 'next'), join(folder, '..data'))
  await eventually('cert === two.certificate', () => files.current()?.cert === two.certificate)
  await rm(join(folder, '..data'))
  await eventually('fault !== undefined', () => files.fault() !== undefined)
  t.equal(files.current()?.cert, two.certificate)
})

t.test('what cannot be read, by file and reason', async (t) => {
  const [one] = await pairs(1)
  if (one === undefined) throw new Error('no pair')
  const folder = t.testdir({
    'a.crt': one.certificate,
    'a.key': one.key,
    junk: 'junk',
    broken: one.certificate.replace(/[A-Z]{3}/, '!!!'),
  })
  const path = (name: string) => join(folder, name)
  await readCertificateFiles(path('a.crt'), path('a.key'))
  await t.rejects(readCertificateFiles(path('none'), path('a.key')), {
    code: 'FILE_UNREADABLE',
    message: `${path('none')}: ENOENT: no such file or directory`,
  })
  await t.rejects(readCertificateFiles(path('junk'), path('a.key')), {
    message: `${path('junk')}: holds no certificate (PEM)`,
  })
  await t.rejects(readCertificateFiles(path('a.crt'), path('junk')), {
    message: `${path('junk')}: is not the private key (PEM) of ${path('a.crt')}`,
  })
})
