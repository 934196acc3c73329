import { X509Certificate } from 'node:crypto'
import { createServer } from 'node:https'
import { connect } from 'node:tls'
import t from 'tap'
import { coversHost, keyMatches, verifyChain } from '../../src/certificates/certificate-chain.ts'
import { issueAuthority, issueClient, issueServing } from '../../src/certificates/issue.ts'

const NOW = Date.parse('2026-03-01T00:00:00Z')
const YEAR = { now: NOW, lifetime: 365 * 86_400_000 }

t.test('an authority, and what it signs', async (t) => {
  const authority = await issueAuthority('test authority', YEAR)
  const root = new X509Certificate(authority.certificate)
  t.equal(root.subject, 'CN=test authority')
  t.ok(root.ca)
  t.ok(keyMatches(root, authority.key))
  t.match(authority.key, /^-----BEGIN PRIVATE KEY-----\n/)

  const serving = await issueServing(
    authority,
    { commonName: 'server', hosts: ['localhost', '127.0.0.1', '::1'] },
    YEAR,
  )
  const server = new X509Certificate(serving.certificate)
  t.notOk(server.ca)
  t.strictSame(verifyChain({ chain: [server], roots: [root], usage: 'server', now: NOW }), { trusted: true })
  t.strictSame(verifyChain({ chain: [server], roots: [root], usage: 'client', now: NOW }), {
    trusted: false,
    reason: 'is not for client use',
  })
  for (const host of ['localhost', '127.0.0.1', '::1']) t.ok(coversHost(server, host), host)
  for (const host of ['server', 'example.com', '127.0.0.2', '::2']) t.notOk(coversHost(server, host), host)
  t.notOk(keyMatches(server, authority.key))
  t.notOk(keyMatches(server, 'no key'))

  const person = await issueClient(authority, { user: 'jane', groups: ['a', 'b'] }, YEAR)
  const client = new X509Certificate(person.certificate)
  t.equal(client.subject, 'O=a\nO=b\nCN=jane')
  t.equal(client.validFromDate.getTime(), NOW - 300_000, 'backdated by five minutes')
  t.equal(client.validToDate.getTime(), NOW + YEAR.lifetime)
  t.strictSame(verifyChain({ chain: [client], roots: [root], usage: 'client', now: NOW }), { trusted: true })
  t.not(client.serialNumber, server.serialNumber)
})

t.test('TLS believes them, in both directions', async (t) => {
  const now = { now: Date.now(), lifetime: 3_600_000 }
  const authority = await issueAuthority('test authority', now)
  const serving = await issueServing(authority, { commonName: 'server', hosts: ['127.0.0.1'] }, now)
  const person = await issueClient(authority, { user: 'jane', groups: [] }, now)
  const server = createServer({
    cert: serving.certificate,
    key: serving.key,
    ca: authority.certificate,
    requestCert: true,
    rejectUnauthorized: true,
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const { port } = server.address() as { port: number }
  const accepted = new Promise<boolean>((resolve) =>
    server.once('secureConnection', (socket) => resolve(socket.authorized)),
  )
  const socket = connect({
    host: '127.0.0.1',
    port,
    ca: authority.certificate,
    cert: person.certificate,
    key: person.key,
  })
  await new Promise<void>((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject))
  t.ok(socket.authorized, 'the client believes the server')
  t.ok(await accepted, 'the server believes the client')
  socket.destroy()
})
