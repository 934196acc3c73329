// Attacks on who one is: identity headers, certificates, tokens and impersonation that should be worth nothing. Each against
// the real server over TLS; what is asked for needs system:masters, so a 200 is a break-in.
import { generateKeyPairSync } from 'node:crypto'
import t from 'tap'
import { issueServing, type KeyPair } from '../../src/certificates/issue.ts'
import { issueDated, issueUser } from '../fixtures/cluster-trust.ts'
import { type Asking, startDelegatedServer } from '../fixtures/delegated-server.ts'

const LIST = '/apis/packages.operators.coreos.com/v1/packagemanifests'
const FORGED = { 'X-Remote-User': 'kubernetes-admin', 'X-Remote-Group': 'system:masters' }
const HOUR = 3_600_000
const hour = { now: Date.now(), lifetime: HOUR }

const cluster = await startDelegatedServer(t)
const { api, ask, raw, authorities, frontProxy } = cluster
const { client, proxy, foreign } = authorities

interface Attack {
  readonly name: string
  readonly as?: KeyPair
  readonly headers?: Asking['headers']
  readonly status: number
  /** Who the server took the caller for, out of the 403. */
  readonly user?: string
}

const viewer = await issueUser(client, 'viewer')
const leaf = await issueUser(proxy, 'front-proxy-client')
api.tokens.set('expired', { user: { username: 'admin', groups: ['system:masters'] }, expires: 1 })
api.tokens.set('elsewhere', { user: { username: 'admin', groups: ['system:masters'] }, audiences: ['vault'] })

const ATTACKS: readonly Attack[] = [
  { name: 'identity headers without a certificate', headers: FORGED, status: 403, user: 'system:anonymous' },
  {
    name: 'in odd letter case',
    headers: { 'x-ReMoTe-uSeR': 'a', 'X-REMOTE-GROUP': 'system:masters' },
    status: 403,
    user: 'system:anonymous',
  },
  { name: "with a certificate of the cluster's client CA", as: viewer, headers: FORGED, status: 403, user: 'viewer' },
  {
    name: "with a client-CA certificate that bears the front proxy's name",
    as: await issueUser(client, 'front-proxy-client'),
    headers: FORGED,
    status: 403,
    user: 'front-proxy-client',
  },
  {
    name: 'with an expired front-proxy certificate',
    as: await issueDated(proxy, 'front-proxy-client', -2 * HOUR, -HOUR / 60),
    headers: FORGED,
    status: 401,
  },
  {
    name: 'with one that is not valid yet',
    as: await issueDated(proxy, 'front-proxy-client', HOUR, 2 * HOUR),
    headers: FORGED,
    status: 401,
  },
  {
    name: 'with one for servers',
    as: await issueServing(proxy, { commonName: 'front-proxy-client', hosts: ['front-proxy-client'] }, hour),
    headers: FORGED,
    status: 401,
  },
  { name: 'with one of another name', as: await issueUser(proxy, 'other'), headers: FORGED, status: 401 },
  {
    name: 'with one whose name begins with the right one',
    as: await issueUser(proxy, 'front-proxy-client.evil'),
    headers: FORGED,
    status: 401,
  },
  {
    name: 'with one whose name is the right one and a line feed',
    as: await issueUser(proxy, 'front-proxy-client\n'),
    headers: FORGED,
    status: 401,
  },
  {
    name: 'with one whose name hides the right one behind a NUL',
    as: await issueUser(proxy, 'front-proxy-client\0.evil'),
    headers: FORGED,
    status: 401,
  },
  {
    name: 'with one that prints like the right subject',
    as: await issueUser(proxy, 'x\nCN=front-proxy-client'),
    headers: FORGED,
    status: 401,
  },
  {
    name: 'with one of the right name as organization only',
    as: await issueUser(proxy, 'x', ['front-proxy-client']),
    headers: FORGED,
    status: 401,
  },
  {
    name: 'with the right name in other letter case',
    as: await issueUser(proxy, 'Front-Proxy-Client'),
    headers: FORGED,
    status: 401,
  },
  {
    name: 'with one of a foreign authority of the same name',
    as: await issueUser(foreign, 'front-proxy-client'),
    headers: FORGED,
    status: 401,
  },
  {
    name: 'with one that a front-proxy certificate signed, which is no authority',
    as: chained(await issueUser(leaf, 'front-proxy-client'), leaf),
    headers: FORGED,
    status: 401,
  },
  { name: 'with the certificate of the authority itself', as: proxy, headers: FORGED, status: 401 },
  {
    name: 'system:masters as organization in a foreign certificate',
    as: await issueUser(foreign, 'admin', ['system:masters']),
    status: 401,
  },
  {
    name: 'system:masters as organization in a front-proxy certificate',
    as: await issueUser(proxy, 'front-proxy-client', ['system:masters']),
    status: 401,
  },
  { name: 'an expired client certificate', as: await issueDated(client, 'admin', -2 * HOUR, -HOUR / 60), status: 401 },
  {
    name: 'a serving certificate of the client CA',
    as: await issueServing(client, { commonName: 'admin', hosts: ['a'] }, hour),
    status: 401,
  },
  {
    name: 'organizations that print like others',
    as: await issueUser(client, 'viewer', ['x\nO=system:masters', 'a, O=system:masters']),
    status: 403,
    user: 'viewer',
  },
  {
    name: 'a front proxy that names nobody',
    as: frontProxy,
    headers: { 'X-Remote-Group': 'system:masters' },
    status: 401,
  },
  {
    name: 'a front proxy that names the empty user',
    as: frontProxy,
    headers: { 'X-Remote-User': '', 'X-Remote-Group': 'system:masters' },
    status: 401,
  },
  {
    name: 'a second user line',
    as: frontProxy,
    headers: { 'X-Remote-User': ['viewer', 'kubernetes-admin'] },
    status: 403,
    user: 'viewer',
  },
  {
    name: 'a comma in a group',
    as: frontProxy,
    headers: { 'X-Remote-User': 'viewer', 'X-Remote-Group': 'dev,system:masters' },
    status: 403,
    user: 'viewer',
  },
  {
    name: 'underscore spellings',
    as: frontProxy,
    headers: { 'X-Remote-User': 'viewer', X_Remote_Group: 'system:masters', 'X-Remote_Group': 'system:masters' },
    status: 403,
    user: 'viewer',
  },
  {
    name: 'headers named hop-by-hop',
    as: frontProxy,
    headers: { 'X-Remote-User': 'viewer', Connection: 'close, X-Remote-User' },
    status: 403,
    user: 'viewer',
  },
  {
    name: 'the group in blanks',
    as: frontProxy,
    headers: { 'X-Remote-User': 'viewer', 'X-Remote-Group': 'system: masters' },
    status: 403,
    user: 'viewer',
  },
  {
    name: 'extra keys of the prototype',
    as: frontProxy,
    headers: {
      'X-Remote-User': 'viewer',
      'X-Remote-Extra-__proto__': 'x',
      'X-Remote-Extra-constructor': 'y',
      __proto__x: 'z',
    },
    status: 403,
    user: 'viewer',
  },
  { name: 'a junk token', headers: { Authorization: 'Bearer junk' }, status: 401 },
  { name: 'a junk token beside forged headers', headers: { ...FORGED, Authorization: 'Bearer junk' }, status: 401 },
  { name: 'an expired token', headers: { Authorization: 'Bearer expired' }, status: 401 },
  { name: "another audience's token", headers: { Authorization: 'Bearer elsewhere' }, status: 401 },
  { name: 'a token of 100 kB', headers: { Authorization: `Bearer ${'x'.repeat(100_000)}` }, status: 401 },
  {
    name: 'a name and password',
    headers: { Authorization: 'Basic YWRtaW46YWRtaW4=' },
    status: 403,
    user: 'system:anonymous',
  },
  {
    name: 'two Authorization lines, the second good',
    headers: { Authorization: ['Bearer junk', 'Bearer service-account'] },
    status: 401,
  },
  {
    name: 'impersonating a user without permission',
    as: frontProxy,
    headers: { 'X-Remote-User': 'viewer', 'Impersonate-User': 'kubernetes-admin' },
    status: 403,
    user: 'viewer',
  },
  {
    name: 'impersonating system:masters without permission',
    as: frontProxy,
    headers: { 'X-Remote-User': 'viewer', 'Impersonate-User': 'viewer', 'Impersonate-Group': 'system:masters' },
    status: 403,
    user: 'viewer',
  },
  {
    name: 'impersonating a group as nobody in particular',
    as: frontProxy,
    headers: { 'X-Remote-User': 'viewer', 'Impersonate-Group': 'system:masters' },
    status: 400,
  },
  {
    name: 'impersonating without any credentials',
    headers: { 'Impersonate-User': 'kubernetes-admin' },
    status: 403,
    user: 'system:anonymous',
  },
  { name: 'an identity in the query', headers: {}, status: 403, user: 'system:anonymous' },
]

for (const attack of ATTACKS) {
  t.test(attack.name, async (t) => {
    const query = attack.name.includes('query') ? '?X-Remote-User=admin&user=admin&group=system:masters' : ''
    const reply = await ask(`${LIST}${query}`, {
      ...(attack.as === undefined ? {} : { as: attack.as }),
      ...(attack.headers === undefined ? {} : { headers: attack.headers }),
    })
    t.equal(reply.status, attack.status)
    t.match(reply.json, { kind: 'Status', status: 'Failure', code: attack.status })
    if (attack.user !== undefined) t.match(reply.text, `User \\"${attack.user}\\" cannot`)
    t.equal(({} as Record<string, unknown>).x, undefined, 'no prototype was touched')
  })
}

t.test('the same as the rightful caller is let in, so that the table means something', async (t) => {
  t.equal((await ask(LIST, { as: frontProxy, headers: FORGED })).status, 200)
  t.equal((await ask(LIST, { as: await issueUser(client, 'admin', ['system:masters']) })).status, 200)
})

t.test('no token of those above went anywhere but into a TokenReview; the long one not even there', async (t) => {
  const reviews = api.requests.filter((request) => request.path.includes('tokenreviews'))
  t.notOk(reviews.some((request) => JSON.stringify(request.body).length > 50_000))
  t.notMatch(JSON.stringify(cluster.lines), /Bearer|junk|elsewhere/)
})

t.test('one connection, two callers: nothing of the first request is left for the second', async (t) => {
  const get = (headers: string) => `GET ${LIST} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`
  const forged = 'X-Remote-User: admin\r\nX-Remote-Group: system:masters\r\n'
  const text = await raw([get(forged), get(''), get('X-Remote-User: viewer\r\nConnection: close\r\n')], {
    as: frontProxy,
  })
  t.same(
    [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map((match) => match[1]),
    ['200', '401', '403'],
  )
})

t.test('identity in trailers', async (t) => {
  const head = `POST ${LIST} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\nTrailer: X-Remote-User\r\n\r\n`
  const text = await raw(`${head}2\r\n{}\r\n0\r\nX-Remote-User: admin\r\nX-Remote-Group: system:masters\r\n\r\n`)
  t.match(text, /^HTTP\/1\.1 403/)
  t.match(text, 'system:anonymous')
})

/** A leaf with its issuer behind it, as a client with intermediates shows them. */
function chained(pair: KeyPair, issuer: KeyPair): KeyPair {
  return { certificate: `${pair.certificate}${issuer.certificate}`, key: pair.key }
}

t.test('a key without its certificate does not come through the handshake', async (t) => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  await t.rejects(ask(LIST, { as: { certificate: frontProxy.certificate, key }, headers: FORGED }))
})
