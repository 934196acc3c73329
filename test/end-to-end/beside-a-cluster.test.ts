// The package-server as a process beside a cluster: trouble at the start and while it runs, each row to its end.
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { issueAuthority, issueServing, type KeyPair } from '../../src/certificates/issue.ts'
import { type ClusterProgram, kubeconfigFile, startClusterProgram } from '../fixtures/cluster-program.ts'
import { issueClusterAuthorities, issueServer, issueUser, trustConfigMap } from '../fixtures/cluster-trust.ts'
import { eventually } from '../fixtures/eventually.ts'
import { type KubeApi, startKubeApi } from '../fixtures/kube-api.ts'
import { runProgram } from '../fixtures/standalone-process.ts'

const LIST = '/apis/packages.operators.coreos.com/v1/packagemanifests'
const HOUR = 3_600_000
const SERVICE = 'packageserver-service.olm.svc'
const TRUST_READER = ['rbac.authorization.k8s.io/rolebindings', 'kube-system', 'packageserver-auth-reader'] as const

const authorities = await issueClusterAuthorities()
const frontProxy = await issueUser(authorities.proxy, 'front-proxy-client')
const admin = { as: frontProxy, headers: { 'X-Remote-User': 'admin', 'X-Remote-Group': 'system:masters' } }
const serving = await issueServer(authorities.serving, [SERVICE])
const trusting = { ca: authorities.serving.certificate, servername: SERVICE }
const trust = trustConfigMap({ clientCa: authorities.client.certificate, proxyCa: authorities.proxy.certificate })

async function cluster(t: Test, trusted = true): Promise<KubeApi> {
  const api = await startKubeApi()
  t.teardown(() => api.close())
  if (trusted) api.put(trust)
  return api
}

function folder(t: Test): string {
  const made = mkdtempSync(join(tmpdir(), 'package-server-'))
  t.teardown(() => rmSync(made, { recursive: true }))
  return made
}

function pairFlags(t: Test, pair: KeyPair = serving): { readonly dir: string; readonly flags: readonly string[] } {
  const dir = folder(t)
  writePair(dir, pair)
  return { dir, flags: [`--tls-cert-file=${join(dir, 'tls.crt')}`, `--tls-private-key-file=${join(dir, 'tls.key')}`] }
}

function writePair(dir: string, pair: KeyPair): void {
  writeFileSync(join(dir, 'tls.crt'), pair.certificate)
  writeFileSync(join(dir, 'tls.key'), pair.key)
}

async function becomesReady(program: ClusterProgram): Promise<void> {
  await eventually('ready', async () => (await program.ask('/readyz')).status === 200, 30_000)
}

async function failing(t: Test, program: ClusterProgram, check: string): Promise<void> {
  const lines = await eventually(`${check} failing`, async () => {
    const { status, text } = await program.ask('/readyz?verbose')
    return status === 500 && text.includes(`[-]${check} failed`) ? text : undefined
  })
  t.match(lines, `[-]${check} failed`)
  const livez = await program.ask('/livez')
  t.equal(livez.status, 200, 'alive all the same')
}

t.test('an ordinary start: ready, serves the aggregator, ends cleanly', async (t) => {
  const api = await cluster(t)
  const program = await startClusterProgram(t, api, pairFlags(t))
  await becomesReady(program)
  t.equal((await program.ask(LIST, { ...admin, trusting })).status, 200)
  t.match((await program.ask(LIST)).text, 'system:anonymous')
  t.equal(await program.stop(), 0)
})

t.test(
  'extension-apiserver-authentication forbidden, absent, empty, there: unready with one message, then ready (R081, R082)',
  async (t) => {
    const api = await cluster(t, false)
    const binding = api.store.remove(...TRUST_READER)
    const program = await startClusterProgram(t, api, pairFlags(t))
    await failing(t, program, 'cluster-trust')
    const said = (text: string) =>
      program
        .stderr()
        .split('\n')
        .filter((line) => line.includes(text)).length
    t.equal((await program.ask(LIST, admin)).status, 503, 'never 401 to a rightful aggregator')
    api.store.create(TRUST_READER[0], binding)
    await eventually('absent', () => said('does not exist') > 0, 60_000)
    api.put(trustConfigMap({}))
    await eventually('empty', () => said('names no authority') > 0, 30_000)
    t.equal((await program.ask(LIST, admin)).status, 503)
    api.put(trust)
    await becomesReady(program)
    t.equal((await program.ask(LIST, admin)).status, 200)
    t.equal(
      said('bind the Role extension-apiserver-authentication-reader of kube-system'),
      1,
      'one line for many attempts',
    )
  },
)

t.test('API server down: alive, unready with the reason, ready when it is there', async (t) => {
  const authority = await issueAuthority('kube', { now: Date.now(), lifetime: HOUR })
  const gone = await startKubeApi({ authority })
  await gone.close()
  const program = await startClusterProgram(t, gone, pairFlags(t))
  await failing(t, program, 'cluster-catalog-sources')
  t.match(program.stderr(), 'ECONNREFUSED')
  const api = await startKubeApi({ authority, port: Number(new URL(gone.url).port) })
  t.teardown(() => api.close())
  api.put(trust)
  await becomesReady(program)
  t.equal((await program.ask(LIST, admin)).status, 200)
})

for (const { name, answer } of [
  { name: '429', answer: { status: 429, headers: { 'retry-after': '1' } } },
  { name: '500', answer: { status: 500 } },
  { name: 'cut connections', answer: 'reset' as const },
]) {
  t.test(`API server answers ${name}: kept trying, then ready (R084)`, async (t) => {
    const api = await cluster(t)
    api.faults.add({ on: /./, times: 6, answer })
    const program = await startClusterProgram(t, api, pairFlags(t))
    t.equal((await program.ask('/livez')).status, 200)
    t.equal((await program.ask('/readyz')).status, 500)
    await becomesReady(program)
  })
}

t.test('API server with an unknown certificate: never an exit, never a token to it', async (t) => {
  const api = await cluster(t)
  const foreign = await issueAuthority('foreign', { now: Date.now(), lifetime: HOUR })
  const program = await startClusterProgram(t, api, { ...pairFlags(t), kubeconfig: { ca: foreign.certificate } })
  await failing(t, program, 'cluster-catalog-sources')
  t.match(program.stderr(), /certificate/)
  t.equal(api.requests.length, 0)
})

t.test('files named by flags that cannot be used: exit 2, file and reason', async (t) => {
  const api = await cluster(t)
  const kubeconfig = `--kubeconfig=${kubeconfigFile(t, api)}`
  const { dir } = pairFlags(t)
  const other = await issueServer(authorities.serving, [SERVICE])
  writeFileSync(join(dir, 'other.key'), other.key)
  writeFileSync(join(dir, 'junk'), 'junk')
  mkdirSync(join(dir, 'folder'))
  const crt = join(dir, 'tls.crt')
  const key = join(dir, 'tls.key')
  const rows: readonly (readonly [flags: readonly string[], said: RegExp])[] = [
    [[`--tls-cert-file=${dir}/none`, `--tls-private-key-file=${key}`], /none: /],
    [[`--tls-cert-file=${crt}`, `--tls-private-key-file=${dir}/none`], /none: /],
    [[`--tls-cert-file=${crt}`, `--tls-private-key-file=${dir}/folder`], /folder: /],
    [[`--tls-cert-file=${crt}`, `--tls-private-key-file=${dir}/other.key`], /other\.key: is not the private key/],
    [[`--tls-cert-file=${dir}/junk`, `--tls-private-key-file=${key}`], /junk: holds no certificate/],
    [[`--tls-cert-file=${crt}`], /--tls-cert-file and --tls-private-key-file go together/],
    [[`--client-ca-file=${dir}/none`], /none: /],
    [[`--client-ca-file=${dir}/junk`], /junk: /],
    [[`--requestheader-client-ca-file=${dir}/none`], /none: /],
    [[`--authentication-kubeconfig=${dir}/none`], /none: /],
    [[`--authorization-kubeconfig=${dir}/junk`], /junk/],
    [['--tls-cipher-suites=NONSENSE'], /NONSENSE/],
    [['--max-connections=100', '--max-watches=100'], /--max-connections must be greater than --max-watches/],
    [[`--audit-log=${dir}/folder`], /folder: /],
    [['--tls-min-version=VersionTLS10'], /VersionTLS10/],
  ]
  const check = async ([flags, said]: (typeof rows)[number]) => {
    const run = runProgram('package-server/main.ts', [kubeconfig, '--secure-port=0', ...flags])
    t.equal(await run.ended, 2, flags.join(' '))
    const lines = run.stderr().trim().split('\n')
    t.equal(lines.length, 1, run.stderr())
    t.match(lines[0], said)
  }
  // A few processes at a time.
  for (let row = 0; row < rows.length; row += 4) await Promise.all(rows.slice(row, row + 4).map(check))
})

t.test('an expired certificate: served, unready with the reason; renewed: ready', async (t) => {
  const api = await cluster(t)
  const subject = { commonName: 'server', hosts: [SERVICE] }
  const expired = await issueServing(authorities.serving, subject, { now: Date.now() - HOUR, lifetime: HOUR / 2 })
  const { dir, flags } = pairFlags(t, expired)
  const program = await startClusterProgram(t, api, { flags })
  await failing(t, program, 'serving-certificate')
  t.match(program.stderr(), 'expired at')
  writePair(dir, serving)
  await becomesReady(program)
  t.equal((await program.ask(LIST, { ...admin, trusting })).status, 200)
})

t.test('nothing yet in --cert-dir: unready; then there, as a Secret volume brings it', async (t) => {
  const api = await cluster(t)
  const dir = folder(t)
  const mounted = join(dir, 'certificates')
  const program = await startClusterProgram(t, api, { flags: [`--cert-dir=${mounted}`] })
  await failing(t, program, 'serving-certificate')
  const put = (name: string, pair: KeyPair) => {
    mkdirSync(join(mounted, name), { recursive: true })
    writeFileSync(join(mounted, name, 'apiserver.crt'), pair.certificate)
    writeFileSync(join(mounted, name, 'apiserver.key'), pair.key)
    symlinkSync(name, join(mounted, '..data.new'))
    renameSync(join(mounted, '..data.new'), join(mounted, '..data'))
  }
  put('..1', serving)
  symlinkSync('..data/apiserver.crt', join(mounted, 'apiserver.crt'))
  symlinkSync('..data/apiserver.key', join(mounted, 'apiserver.key'))
  await becomesReady(program)
  t.equal((await program.ask(LIST, { ...admin, trusting })).status, 200)
  put('..2', await issueServer(authorities.foreign, [SERVICE]))
  const swapped = { ...trusting, ca: authorities.foreign.certificate }
  await eventually(
    'the other certificate',
    () =>
      program.ask('/livez', { trusting: swapped }).then(
        () => true,
        () => false,
      ),
    10_000,
  )
})

t.test('certificates of its own: two replicas serve one that the APIService trusts (R038)', async (t) => {
  const api = await cluster(t)
  api.put({
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: 'v1.packages.operators.coreos.com' },
    spec: { insecureSkipTLSVerify: true },
  })
  const flags = ['--certificate-secret=packageserver-own']
  const programs = await Promise.all([0, 1].map(() => startClusterProgram(t, api, { flags })))
  await Promise.all(programs.map(becomesReady))
  const service = api.store.get('apiregistration.k8s.io/apiservices', undefined, 'v1.packages.operators.coreos.com')
  const { caBundle = '' } = (service?.spec ?? {}) as { caBundle?: string }
  const own = { ca: Buffer.from(caBundle, 'base64').toString(), servername: SERVICE }
  for (const program of programs) t.equal((await program.ask(LIST, { ...admin, trusting: own })).status, 200)
})

t.test('--audit-log: one line a request, who, what, which answer; nothing secret', async (t) => {
  const api = await cluster(t)
  const file = join(folder(t), 'audit.jsonl')
  const program = await startClusterProgram(t, api, { flags: [...pairFlags(t).flags, `--audit-log=${file}`] })
  await becomesReady(program)
  await program.ask(`${LIST}?limit=1`, admin)
  await program.ask('/apis', { headers: { Authorization: 'Bearer secret-token' } })
  await program.ask(`/apis/packages.operators.coreos.com/v1/namespaces/a/packagemanifests/b/icon`)
  await program.stop()
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const [list, refused, icon] = lines.slice(-3)
  const resource = { group: 'packages.operators.coreos.com', version: 'v1', resource: 'packagemanifests' }
  const known = { user: 'admin', groups: ['system:masters', 'system:authenticated'] }
  t.match(list, { ...known, method: 'GET', verb: 'list', ...resource, code: 200, auditId: String, time: String })
  t.match(refused, { method: 'GET', path: '/apis', code: 401 })
  t.notOk('user' in refused)
  t.match(icon, {
    user: 'system:anonymous',
    verb: 'get',
    ...resource,
    subresource: 'icon',
    namespace: 'a',
    name: 'b',
    code: 403,
  })
  t.notMatch(readFileSync(file, 'utf8'), 'secret-token')
  t.equal(statSync(file).mode & 0o777, 0o600)
})

t.test('no kubeconfig and no pod: exit 2 with the way out', async (t) => {
  const run = runProgram('package-server/main.ts', ['--secure-port=0'])
  t.equal(await run.ended, 2)
  t.match(run.stderr(), /give --kubeconfig FILE/)
})
