// Attacks on the server as such: slow senders, too much of everything, old TLS, and who gives way when places are taken. Each over
// real TLS with small bounds.
import { once } from 'node:events'
import { connect as connectPlain } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { connect, type SecureVersion, type TLSSocket } from 'node:tls'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { issueUser } from '../fixtures/cluster-trust.ts'
import { startDelegatedServer } from '../fixtures/delegated-server.ts'
import { eventually } from '../fixtures/eventually.ts'

const LIST = '/apis/packages.operators.coreos.com/v1/packagemanifests'
const ADMIN = { 'X-Remote-User': 'admin', 'X-Remote-Group': 'system:masters' }
const HEAD = `GET ${LIST} HTTP/1.1\r\nHost: x\r\n`

/** Resolves when the other side ended it. */
async function closed(socket: TLSSocket): Promise<string> {
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
  })
  socket.on('error', () => undefined)
  await once(socket, 'close')
  return text
}

t.test('slow-loris in the header block, in the body, and a handshake that never ends', async (t) => {
  const tls = { minVersion: 'TLSv1.2', ciphers: [], handshakeTimeoutMilliseconds: 500 } as const
  const bounds = { headersMilliseconds: 500, requestMilliseconds: 1000 }
  const { open, ask, port } = await startDelegatedServer(t, { server: { bounds, tls } })
  const slow = await open()
  slow.write(HEAD)
  const drip = setInterval(() => slow.write('X-A: b\r\n'), 100)
  const body = await open()
  body.write(`POST ${LIST} HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n`)
  const crumbs = setInterval(() => body.write('x'), 100)
  const mute = connectPlain(port, '127.0.0.1')
  const [header] = await Promise.all([closed(slow), closed(body), once(mute, 'close')])
  clearInterval(drip)
  clearInterval(crumbs)
  t.match(header, /^HTTP\/1\.1 408/)
  t.equal((await ask('/livez')).status, 200)
})

t.test('an idle connection is closed after its time', async (t) => {
  const { open } = await startDelegatedServer(t, { server: { bounds: { idleMilliseconds: 300 } } })
  const socket = await open()
  socket.write(`GET /livez HTTP/1.1\r\nHost: x\r\n\r\n`)
  t.match(await closed(socket), /^HTTP\/1\.1 200/)
})

t.test('headers, URLs and bodies that are too large', async (t) => {
  const bounds = { headerBytes: 64 * 1024, urlBytes: 8 * 1024, bodyBytes: 64 * 1024 }
  const { ask, frontProxy, raw } = await startDelegatedServer(t, { server: { bounds } })
  t.match(await raw(`${HEAD}X-A: ${'b'.repeat(100_000)}\r\n\r\n`), /^HTTP\/1\.1 431/)
  t.equal((await ask(`${LIST}?${'a'.repeat(20_000)}`, { as: frontProxy, headers: ADMIN })).status, 414)
  const endless = await raw([
    `POST ${LIST} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`,
    ...Array.from({ length: 200 }, () => `1000\r\n${'x'.repeat(4096)}\r\n`),
  ])
  t.match(endless, /^HTTP\/1\.1 403/)
  t.equal((await ask('/livez')).status, 200)
})

t.test('a user with a thousand groups comes through', async (t) => {
  const { api, ask, frontProxy } = await startDelegatedServer(t)
  const groups = Array.from({ length: 1000 }, (_, index) => `group-with-a-rather-long-name-${index}`)
  const reply = await ask(LIST, { as: frontProxy, headers: { 'X-Remote-User': 'busy', 'X-Remote-Group': groups } })
  t.equal(reply.status, 403)
  t.equal(api.accessReviews.at(-1)?.groups?.length, 1001)
})

t.test('a decompression bomb as a body is dropped unopened', async (t) => {
  const { ask, frontProxy } = await startDelegatedServer(t)
  const bomb = gzipSync(Buffer.alloc(50_000_000)).toString('latin1')
  const before = process.memoryUsage().rss
  const reply = await ask(LIST, {
    method: 'POST',
    body: bomb,
    as: frontProxy,
    headers: { ...ADMIN, 'Content-Encoding': 'gzip', 'Content-Type': 'application/json' },
  })
  t.equal(reply.status, 405)
  t.ok(process.memoryUsage().rss - before < 40_000_000)
})

t.test('too many watches of one user: 429 for the next, others are served', async (t) => {
  const cluster = await startDelegatedServer(t, { server: { bounds: { watchesPerUser: 3, watches: 5 } } })
  const { open, ask, frontProxy, server } = cluster
  const watchAs = async (name: string) => {
    const socket = await open(frontProxy)
    t.teardown(() => socket.destroy())
    socket.write(
      `GET ${LIST}?watch=1 HTTP/1.1\r\nHost: x\r\nX-Remote-User: ${name}\r\nX-Remote-Group: system:masters\r\n\r\n`,
    )
    const [head] = (await once(socket, 'data')) as [Buffer]
    return /^HTTP\/1\.1 (\d+)/.exec(head.toString())?.[1]
  }
  t.same([await watchAs('a'), await watchAs('a'), await watchAs('a')], ['200', '200', '200'])
  t.equal(await watchAs('a'), '429')
  t.equal(await watchAs('b'), '200')
  t.equal(server.watches, 4)
  t.equal((await ask(LIST, { as: frontProxy, headers: ADMIN })).status, 200)
})

t.test('all places taken: unfinished handshakes give way first, then strangers; the front proxy never', async (t) => {
  const cluster = await startDelegatedServer(t, { server: { bounds: { connections: 6 } } })
  const { open, frontProxy, ask, port, authorities } = cluster
  const proxied = [await open(frontProxy), await open(frontProxy)]
  const user = await open(await issueUser(authorities.client, 'viewer'))
  const mute = [connectPlain(port, '127.0.0.1'), connectPlain(port, '127.0.0.1'), connectPlain(port, '127.0.0.1')]
  for (const socket of [...proxied, user, ...mute]) socket.on('error', () => undefined)
  await eventually('all connected', () => mute.every((socket) => socket.readyState === 'open'))
  await wait(100)
  t.equal((await ask(LIST, { as: frontProxy, headers: ADMIN })).status, 200, 'the front proxy finds a place')
  await eventually('one handshake gave way', () => mute.filter((socket) => socket.destroyed).length === 1)
  t.notOk(user.destroyed)
  const flood = await Promise.all(Array.from({ length: 20 }, () => open().catch(() => undefined)))
  for (const socket of flood) socket?.on('error', () => undefined)
  await eventually(
    'strangers gave way to strangers',
    () => flood.filter((socket) => socket?.destroyed === false).length <= 4,
  )
  t.ok(
    proxied.every((socket) => !socket.destroyed),
    'the front proxy keeps its connections',
  )
  t.equal((await ask(LIST, { as: frontProxy, headers: ADMIN })).status, 200)
  for (const socket of [...proxied, ...flood, user, ...mute]) socket?.destroy()
})

t.test('a place is given back when a connection ends, however it ends', async (t) => {
  const { open, ask, port } = await startDelegatedServer(t, { server: { bounds: { connections: 3 } } })
  for (let round = 0; round < 10; round += 1) {
    const socket = await open()
    if (round % 2 === 0) socket.destroy()
    else socket.end()
    const plain = connectPlain(port, '127.0.0.1')
    plain.on('error', () => undefined)
    plain.end('no TLS at all\r\n\r\n')
    await once(plain, 'close')
  }
  t.equal((await ask('/livez')).status, 200)
})

t.test(
  'TLS: 1.2 and 1.3 with forward secrecy, nothing older, nothing weaker, no renegotiation, no other protocol',
  async (t) => {
    const { port, authorities, open } = await startDelegatedServer(t)
    const shake = (options: object) =>
      new Promise<string>((resolve) => {
        const socket = connect({ host: '127.0.0.1', port, ca: authorities.serving.certificate, ...options })
        socket.once('secureConnect', () => {
          resolve(`${socket.getProtocol()} ${socket.getCipher().standardName} ${socket.alpnProtocol}`)
          socket.destroy()
        })
        socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      })
    const only = (version: SecureVersion, ciphers?: string) => ({
      minVersion: version,
      maxVersion: version,
      ...(ciphers === undefined ? {} : { ciphers }),
    })
    t.match(await shake(only('TLSv1.3')), /^TLSv1.3 TLS_AES/)
    t.match(await shake(only('TLSv1.2')), /^TLSv1.2 TLS_ECDHE_ECDSA_WITH_(AES|CHACHA)/)
    t.match(await shake(only('TLSv1.1', 'DEFAULT@SECLEVEL=0')), /^ERR_/)
    t.match(await shake(only('TLSv1', 'DEFAULT@SECLEVEL=0')), /^ERR_/)
    for (const weak of [
      'ECDHE-ECDSA-AES128-SHA',
      'ECDHE-ECDSA-AES256-SHA384',
      'AES128-GCM-SHA256',
      'ECDHE-ECDSA-AES128-CCM8',
    ])
      t.match(await shake(only('TLSv1.2', `${weak}:@SECLEVEL=0`)), /^ERR_/, weak)
    t.match(await shake({ ALPNProtocols: ['h2', 'http/1.1'] }), /http\/1.1$/)
    t.match(await shake({ ALPNProtocols: ['h2'] }), /^ERR_/)
    const socket = connect({ host: '127.0.0.1', port, ca: authorities.serving.certificate, ...only('TLSv1.2') })
    await once(socket, 'secureConnect')
    const renegotiated = new Promise<Error | null>((resolve) => {
      socket.on('error', resolve)
      socket.on('close', () => resolve(new Error('closed')))
      socket.renegotiate({}, resolve)
    })
    t.ok((await renegotiated) instanceof Error)
    socket.destroy()
    const first = await open()
    first.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(first, 'data')
    t.notOk(first.isSessionReused())
    first.destroy()
  },
)

t.test('handshakes that fail are counted by cause and told once each', async (t) => {
  const causes: string[] = []
  const { port, lines } = await startDelegatedServer(t, { server: { onHandshakeFailure: (code) => causes.push(code) } })
  const before = causes.length
  for (let round = 0; round < 3; round += 1) {
    const plain = connectPlain(port, '127.0.0.1')
    plain.on('error', () => undefined)
    plain.end('GET / HTTP/1.1\r\n\r\n')
    await once(plain, 'close')
    const distrustful = connect({ host: '127.0.0.1', port, ca: [] })
    await new Promise((resolve) => distrustful.once('error', resolve))
  }
  await eventually('six causes', () => causes.length - before >= 4)
  const told = lines.filter((line) => String(line.msg).includes('TLS handshakes fail'))
  t.equal(told.length, new Set(causes).size, `one line for each of ${[...new Set(causes)]}`)
  for (const { reason } of told) t.match(reason, /^[\w ,:]+$/, 'words alone: no line feed, no place in a source')
})
