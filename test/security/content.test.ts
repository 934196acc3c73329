// Attacks through what is served and asked for: a registry that lies, CSVs that bite, icons with scripts, texts that would break
// logs, regular expressions or prototypes. Each against the real program over TLS, its catalog in a fake cluster.
import t from 'tap'
import { startClusterProgram } from '../fixtures/cluster-program.ts'
import { issueClusterAuthorities, issueUser, trustConfigMap } from '../fixtures/cluster-trust.ts'
import { eventually } from '../fixtures/eventually.ts'
import { startKubeApi } from '../fixtures/kube-api.ts'
import { manifest, onePackage, type ScriptedPackage } from '../fixtures/scripted-content.ts'
import { scriptedRegistry } from '../fixtures/scripted-registry.ts'

const GROUP = '/apis/packages.operators.coreos.com/v1'
const LIST = `${GROUP}/packagemanifests`
const OLM = `${GROUP}/namespaces/olm/packagemanifests`
const SCRIPT = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(document.domain)</script></svg>'
const LONG = 'x'.repeat(1_000_000)

function packaged(name: string, csv: object | string): ScriptedPackage {
  return { name, channels: [{ name: 'stable', bundles: [{ name: `${name}.v1.0.0`, version: '1.0.0', csv }] }] }
}

function withSpec(name: string, spec: object, metadata: object = {}): ScriptedPackage {
  const base = manifest(name, '1.0.0') as { metadata: object; spec: object }
  return packaged(name, { ...base, metadata: { ...base.metadata, ...metadata }, spec: { ...base.spec, ...spec } })
}

const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
const laughs = [
  'a: &a [x,x,x,x,x,x,x,x,x]',
  ...'bcdefghij'
    .split('')
    .map((letter, index) => `${letter}: &${letter} [${Array(9).fill(`*${'abcdefghi'[index]}`).join(',')}]`),
  'metadata: {name: laughs.v1}',
  'spec: {keywords: *j}',
].join('\n')

/** Packages whose content attacks; each may be served, cleaned or left out, but harms no other. */
const HOSTILE: readonly ScriptedPackage[] = [
  withSpec('script-icon', {
    icon: [{ base64data: Buffer.from(SCRIPT).toString('base64'), mediatype: 'image/svg+xml' }],
  }),
  withSpec('html-icon', {
    icon: [{ base64data: Buffer.from('<script>alert(1)</script>').toString('base64'), mediatype: 'text/html' }],
  }),
  withSpec('split-icon', { icon: [{ base64data: 'aGk=', mediatype: 'image/png\r\nX-Injected: yes' }] }),
  packaged(
    'polluting',
    '{"metadata":{"name":"polluting.v1","labels":{"__proto__":"x","constructor":"y"},"annotations":{"__proto__":{"polluted":"yes"}}},"spec":{"__proto__":{"polluted":"yes"},"displayName":"p","version":"1.0.0"},"__proto__":{"polluted":"yes"}}',
  ),
  packaged(
    'polluting-yaml',
    'metadata:\n  name: polluting-yaml.v1\n  labels: {__proto__: {polluted: yes}}\nspec:\n  __proto__: {polluted: yes}\n  version: 1.0.0\n',
  ),
  packaged('deep', `{"metadata":{"name":"deep.v1"},"spec":{"version":"1.0.0","x":${deep}}}`),
  packaged('laughs', laughs),
  withSpec('slow-version', { version: `1.${'0'.repeat(200_000)}.1` }),
  withSpec('slow-version-2', { version: `1.0.0-${'a-'.repeat(200_000)}!` }),
  withSpec('slow-skips', { keywords: Array(50_000).fill('a') }),
  withSpec('log-injection', { version: 'x\n2026-01-01T00:00:00Z ERROR [http] forged line\r\n' }),
  withSpec('escapes', { displayName: '\u001b[2J\u001b]0;owned\u0007</script>\u2028\u2029\u0000' }),
]

const LYING: readonly ScriptedPackage[] = [
  onePackage('../../etc/passwd'),
  onePackage('a/b'),
  onePackage('nul\0name'),
  onePackage('line\nbreak'),
  onePackage('__proto__'),
  onePackage('constructor'),
  onePackage('UPPER CASE'),
  onePackage(''),
  onePackage('twice', 'first'),
  onePackage('twice', 'second'),
  onePackage(LONG),
]

t.test('a hostile catalog', { timeout: 170_000 }, async (t) => {
  const api = await startKubeApi()
  t.teardown(() => api.close())
  const authorities = await issueClusterAuthorities()
  api.put(trustConfigMap({ clientCa: authorities.client.certificate, proxyCa: authorities.proxy.certificate }))
  const hostile = await scriptedRegistry({ packages: [...HOSTILE, onePackage('harmless')] })
  const lying = await scriptedRegistry({ packages: [...LYING, onePackage('honest')] })
  t.teardown(() => Promise.all([hostile.close(), lying.close()]))
  for (const [name, { address }] of Object.entries({ hostile, lying }))
    api.put({
      apiVersion: 'operators.coreos.com/v1alpha1',
      kind: 'CatalogSource',
      metadata: { name, namespace: 'olm', labels: { 'constructor.example': 'x' } },
      spec: { address, displayName: name },
    })
  const program = await startClusterProgram(t, api, { flags: ['--global-namespace=olm', '-v=4'] })
  const frontProxy = await issueUser(authorities.proxy, 'front-proxy-client')
  const ask = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    program.ask(path, {
      as: frontProxy,
      headers: { 'X-Remote-User': 'admin', 'X-Remote-Group': 'system:masters', ...headers },
    })
  const names = async () => {
    const reply = await ask(LIST)
    if (reply.status !== 200) return []
    return (JSON.parse(reply.text) as { items: { metadata: { name: string } }[] }).items.map(
      (item) => item.metadata.name,
    )
  }
  await eventually(
    'both catalogs read',
    async () => {
      const listed = await names()
      return listed.includes('harmless') && listed.includes('honest')
    },
    60_000,
  )

  await t.test('harms nobody else: the harmless are served whole', async (t) => {
    for (const name of ['harmless', 'honest']) t.equal((await ask(`${OLM}/${name}`)).status, 200, name)
    t.equal((await ask('/livez')).status, 200)
  })

  await t.test('names that no object can have are not served; doubled ones once', async (t) => {
    const listed = await names()
    const wrong = listed
      .filter((name) => name === '' || name.length > 253 || /[/%\\\p{Cc}]/u.test(name))
      .map((name) => name.slice(0, 50))
    t.same(wrong, [], 'only names that a client can ask for')
    t.equal(listed.filter((name) => name === 'twice').length <= 1, true)
    for (const path of ['..%2f..%2fetc%2fpasswd', 'a%2fb', 'nul%00name', 'line%0abreak'])
      t.equal((await ask(`${OLM}/${path}`)).status, 400, path)
    // Odd, but a name: what is served under it is that package.
    t.match(JSON.parse((await ask(`${OLM}/__proto__`)).text), { metadata: { name: '__proto__' } })
    t.match(JSON.parse((await ask(`${OLM}/toString`)).text), { code: 404 })
  })

  await t.test('an icon with a script cannot run it; one of another type is none', async (t) => {
    const svg = await ask(`${OLM}/script-icon/icon`)
    t.equal(svg.status, 200)
    t.match(svg.headers, {
      'content-type': /^image\/svg\+xml/,
      'x-content-type-options': 'nosniff',
      'content-security-policy': /sandbox; default-src 'none'/,
    })
    const html = await ask(`${OLM}/html-icon/icon`)
    t.notMatch(html.headers['content-type'], /html/)
    t.equal(html.headers['x-content-type-options'], 'nosniff')
    const split = await ask(`${OLM}/split-icon/icon`)
    t.equal(split.headers['x-injected'], undefined)
  })

  await t.test('prototypes are as they were', async (t) => {
    const queries = [
      '__proto__[polluted]=yes',
      'constructor.prototype.polluted=yes',
      'labelSelector=__proto__',
      'labelSelector=constructor%3Dx',
      'fieldSelector=__proto__%3Dx',
      'limit=__proto__',
    ]
    for (const query of queries) t.ok([200, 400].includes((await ask(`${LIST}?${query}`)).status), query)
    const listed = await ask(LIST)
    t.notMatch(listed.text, '"polluted":"yes"')
    t.equal(listed.status, 200)
  })

  await t.test('selectors and texts made to be slow are answered fast', async (t) => {
    const texts = [
      `labelSelector=${'('.repeat(20_000)}`,
      `labelSelector=${'a,'.repeat(10_000)}`,
      `labelSelector=${'!'.repeat(20_000)}`,
      `labelSelector=${encodeURIComponent(`a in (${'b,'.repeat(8_000)}`)}`,
      `labelSelector=${'a'.repeat(20_000)}${'-'.repeat(5_000)}`,
      `fieldSelector=${'metadata.name%3D'.repeat(1_500)}`,
      `fieldSelector=${'%5C'.repeat(9_000)}`,
      `resourceVersion=${'9'.repeat(20_000)}`,
      `continue=${'A'.repeat(20_000)}`,
      `limit=${'1'.repeat(20_000)}`,
      `pretty=${'%20'.repeat(9_000)}`,
    ]
    for (const text of texts) {
      const started = performance.now()
      const { status } = await ask(`${LIST}?${text}`)
      const took = performance.now() - started
      t.ok(status < 500 || status === 504, `${status} ${text.slice(0, 40)}`)
      t.ok(took < 2000, `${Math.round(took)} ms`)
    }
    const accept = `${'application/json;q=0.1,'.repeat(5_000)}text/html`
    const started = performance.now()
    t.ok((await ask(LIST, { Accept: accept })).status < 500)
    t.ok(performance.now() - started < 2000)
  })

  await t.test('nothing that others wrote begins a line of the log', async (t) => {
    await ask(LIST, { 'User-Agent': 'x\u0085y [31m', 'X-Remote-Extra-A': '\u009b]0;x' })
    await ask(`${OLM}/${encodeURIComponent('forged" level="error')}`)
    const lines = program.stderr().trim().split('\n')
    t.ok(lines.length > 3)
    for (const line of lines) {
      if (typeof parse(line) !== 'object') t.fail(`no JSON: ${line.slice(0, 100)}`)
      t.notOk(/\p{Cc}/u.test(line), line.slice(0, 200))
    }
    t.notMatch(program.stderr(), /BEGIN|Bearer|PRIVATE/)
  })
  t.equal(await program.stop(), 0)
})

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
