// certs/make-certificates.sh: what it makes is what the server and the aggregator accept, and it leaks no key.
import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { coversHost, keyMatches, verifyChain } from '../../src/certificates/certificate-chain.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../..')
const SCRIPT = join(ROOT, 'certs/make-certificates.sh')

const openssl = await run('openssl', ['version']).then(
  () => true,
  () => false,
)

if (!openssl) t.pass('skipped: no openssl')
else {
  t.test('a pair for the Service, an authority that may sign nothing else, keys for their owner', async (t) => {
    const out = join(t.testdir({ '.gitignore': '*' }), 'made')
    const { stdout } = await run(SCRIPT, ['--out', out, '--namespace', 'ns', '--service', 'svc', '--days', '30'])
    t.match(stdout, 'made')
    const text = (name: string) => readFileSync(join(out, name), 'utf8')
    const leaf = new X509Certificate(text('apiserver.crt'))
    const root = new X509Certificate(text('ca.crt'))
    t.ok(verifyChain({ chain: [leaf], roots: [root], usage: 'server', now: Date.now() }).trusted)
    t.notOk(verifyChain({ chain: [leaf], roots: [root], usage: 'client', now: Date.now() }).trusted)
    t.ok(keyMatches(leaf, text('apiserver.key')))
    for (const host of ['svc.ns.svc', 'svc.ns.svc.cluster.local', 'svc.ns', 'svc']) t.ok(coversHost(leaf, host), host)
    for (const name of ['ca.key', 'apiserver.key']) t.equal(statSync(join(out, name)).mode & 0o077, 0, name)
    t.notOk(existsSync(join(out, 'apiserver.csr')))
    await run(SCRIPT, ['--out', out, '--namespace', 'ns', '--service', 'svc', '--days', '30'])
    t.equal(new X509Certificate(text('ca.crt')).fingerprint256, root.fingerprint256, 'the authority is kept')
    t.not(new X509Certificate(text('apiserver.crt')).fingerprint256, leaf.fingerprint256)
  })

  t.test('it refuses a folder whose keys git would take, and what it does not understand', async (t) => {
    const out = join(ROOT, 'docs')
    await t.rejects(run(SCRIPT, ['--out', out]), { code: 2, stderr: /git repository/ })
    t.notOk(existsSync(join(out, 'ca.key')))
    await t.rejects(run(SCRIPT, ['--nonsense', 'x']), { code: 2, stderr: /usage/ })
  })
}

t.test('no key is in git', async (t) => {
  const { stdout } = await run('git', ['grep', '-lE', '^-----BEGIN [A-Z ]*PRIVATE KEY-----$'], { cwd: ROOT }).catch(
    ({ stdout = '' }: { stdout?: string }) => ({ stdout }),
  )
  t.equal(stdout, '')
})
