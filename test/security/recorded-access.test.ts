// Authorization equal to the reference server's: the recorded exchanges about access, decided by the RBAC rules of a cluster;
// and everything that a real API server was seen to send, replayed byte for byte.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { KeyPair } from '../../src/certificates/issue.ts'
import { parseExchange } from '../conformance/recorded-exchange.ts'
import { clusterBinding, clusterRole, user } from '../fixtures/cluster-defaults.ts'
import { issueUser } from '../fixtures/cluster-trust.ts'
import { startDelegatedServer } from '../fixtures/delegated-server.ts'

const SHARED = join(import.meta.dirname, '../../../shared')
const GOLDEN = join(SHARED, 'golden/http/direct')
const SENT = join(SHARED, 'reference/what-the-api-server-sends.txt')

if (!existsSync(SHARED)) {
  t.pass('skipped: no ../shared')
} else {
  const cluster = await startDelegatedServer(t)
  const { api, ask, raw, authorities, frontProxy } = cluster
  api.tokens.set('satoken', {
    user: {
      username: 'system:serviceaccount:operators:default',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:operators'],
    },
  })
  const callers: Readonly<Record<string, KeyPair>> = {
    admin: await issueUser(authorities.client, 'kubernetes-admin', ['system:masters']),
    viewer: await issueUser(authorities.client, 'viewer'),
    'front-proxy-client': frontProxy,
  }

  t.test('every recorded exchange about access', async (t) => {
    const names = readdirSync(GOLDEN)
      .filter((name) => name.startsWith('auth-'))
      .map((name) => name.replace(/\.http$/, ''))
    t.ok(names.length >= 25)
    for (const name of names) {
      const file = readFileSync(join(GOLDEN, `${name}.http`))
      const text = file.toString('latin1')
      const caller = /client certificate\/user: (\S+)/.exec(text)?.[1] ?? ''
      const [, method = '', path = ''] = /\n(\S+) (\S+) HTTP\/1\.1\n/.exec(text) ?? []
      const status = Number(/\nHTTP\/1\.1 (\d+)/.exec(text)?.[1])
      const recorded = parseExchange({ name, method, path, accept: '', user: caller, status }, file, undefined)
      const headers = { ...recorded.headers }
      if (headers.authorization === 'Bearer <token>') headers.authorization = 'Bearer satoken'
      const as = callers[caller]
      const reply = await ask(path, { method, headers, ...(as === undefined ? {} : { as }) })
      t.equal(reply.status, recorded.status, `${name}: status`)
      t.equal(reply.headers['content-type'], recorded.answerHeaders['content-type'], `${name}: content type`)
      // What discovery says is another matter (test/conformance); what a refusal says is this one.
      if (status >= 400) t.same(reply.json, JSON.parse(recorded.body.toString()), `${name}: body`)
    }
  })

  t.test('everything that the API server sends works', async (t) => {
    clusterRole(api.store, 'viewer', [
      {
        apiGroups: ['packages.operators.coreos.com'],
        resources: ['packagemanifests'],
        verbs: ['get', 'list', 'watch'],
      },
    ])
    clusterBinding(api.store, 'viewer', 'viewer', [user('viewer'), user('system:aggregator')])
    const requests = readFileSync(SENT, 'utf8')
      .split(/\n\n/)
      .filter((block) => /^(GET|POST) /m.test(block))
    t.ok(requests.length >= 9)
    for (const block of requests) {
      const lines = block.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
      const text = await raw(`${lines.join('\r\n')}\r\n\r\n`, { as: frontProxy, until: /\r\n\r\n./s })
      const [, status] = /^HTTP\/1\.1 (\d+)/.exec(text) ?? []
      const first = lines[0] ?? ''
      t.equal(status, first.includes('/zz ') ? '404' : '200', first)
    }
    const asked = api.accessReviews.find(({ uid }) => uid === '77')
    t.match(asked, {
      user: 'viewer',
      groups: ['a/b c', 'system:authenticated'],
      extra: { 'scopes.example.com': ['x'] },
    })
    t.ok(
      api.accessReviews.every(({ groups }) => groups?.includes('system:masters') !== true),
      'system:masters is never asked about',
    )
  })
}
