// Attacks on where one request ends and the next begins, and on the bytes of a header block. Each over real TLS, on a connection
// whose owner may do little; a second answer to smuggled bytes, or a question about what they ask for, is a break-in.
import t from 'tap'
import { issueUser } from '../fixtures/cluster-trust.ts'
import { startDelegatedServer } from '../fixtures/delegated-server.ts'

const LIST = '/apis/packages.operators.coreos.com/v1/packagemanifests'
const SMUGGLED =
  'GET /apis/smuggled HTTP/1.1\r\nHost: x\r\nX-Remote-User: admin\r\nX-Remote-Group: system:masters\r\n\r\n'

const { api, raw, authorities, frontProxy } = await startDelegatedServer(t)
const viewer = await issueUser(authorities.client, 'viewer')

interface Framing {
  readonly name: string
  /** After `Host: x`. */
  readonly headers: string
  readonly body?: string
  /** The answer's status; 0: the connection is closed without one. */
  readonly status: readonly number[]
  readonly start?: string
}

const length = Buffer.byteLength(SMUGGLED)
const ATTACKS: readonly Framing[] = [
  {
    name: 'CL.TE: both lengths',
    headers: `Content-Length: ${length + 5}\r\nTransfer-Encoding: chunked\r\n`,
    body: `0\r\n\r\n${SMUGGLED}`,
    status: [400],
  },
  {
    name: 'TE.CL: both, the other way',
    headers: 'Transfer-Encoding: chunked\r\nContent-Length: 4\r\n',
    body: `${length.toString(16)}\r\n${SMUGGLED}\r\n0\r\n\r\n`,
    status: [400],
  },
  {
    name: 'TE.TE: an unknown coding behind chunked',
    headers: 'Transfer-Encoding: chunked, cow\r\n',
    body: `0\r\n\r\n${SMUGGLED}`,
    status: [400],
  },
  {
    name: 'TE.TE: chunked twice, one misspelt',
    headers: 'Transfer-Encoding: xchunked\r\n',
    body: `0\r\n\r\n${SMUGGLED}`,
    status: [400],
  },
  {
    name: 'TE.TE: two lines',
    headers: 'Transfer-Encoding: identity\r\nTransfer-Encoding: chunked, identity\r\n',
    body: `0\r\n\r\n${SMUGGLED}`,
    status: [400],
  },
  {
    name: 'Transfer-Encoding behind a tab',
    headers: 'Transfer-Encoding:\tchunked\u000b\r\n',
    body: `0\r\n\r\n${SMUGGLED}`,
    status: [400],
  },
  {
    name: 'two lengths that differ',
    headers: `Content-Length: 0\r\nContent-Length: ${length}\r\n`,
    body: SMUGGLED,
    status: [400],
  },
  { name: 'two lengths in one line', headers: `Content-Length: 0, ${length}\r\n`, body: SMUGGLED, status: [400] },
  { name: 'a length with a sign', headers: 'Content-Length: +0\r\n', body: SMUGGLED, status: [400] },
  { name: 'a negative length', headers: 'Content-Length: -1\r\n', body: SMUGGLED, status: [400] },
  { name: 'a hexadecimal length', headers: 'Content-Length: 0x0\r\n', body: SMUGGLED, status: [400] },
  { name: 'a length of forty digits', headers: `Content-Length: ${'9'.repeat(40)}\r\n`, body: SMUGGLED, status: [400] },
  {
    name: 'a chunk size that overflows',
    headers: 'Transfer-Encoding: chunked\r\n',
    body: `fffffffffffffffff\r\n${SMUGGLED}`,
    status: [400],
  },
  {
    name: 'a chunk size that is no number',
    headers: 'Transfer-Encoding: chunked\r\n',
    body: `zz\r\n${SMUGGLED}`,
    status: [400],
  },
  {
    name: 'a chunk without its line end',
    headers: 'Transfer-Encoding: chunked\r\n',
    body: `1\r\nAA\r\n0\r\n\r\n${SMUGGLED}`,
    status: [403],
  },
  {
    name: 'chunk ends with bare LF',
    headers: 'Transfer-Encoding: chunked\r\n',
    body: `0\n\n${SMUGGLED}`,
    status: [400],
  },
  {
    name: 'blank before the colon',
    headers: 'Content-Length : 0\r\nX-Remote-Group : system:masters\r\n',
    body: SMUGGLED,
    status: [400],
  },
  { name: 'a folded header line', headers: 'X-A: b\r\n X-Remote-Group: system:masters\r\n', status: [400] },
  { name: 'a header block that begins with a blank', headers: ' X-Remote-User: admin\r\n', status: [400] },
  { name: 'bare LF as line end', headers: 'X-A: b\nX-Remote-Group: system:masters\r\n', status: [400] },
  { name: 'bare CR in a value', headers: 'X-A: b\rX-Remote-Group: system:masters\r\n', status: [400] },
  { name: 'NUL in a value', headers: 'X-Remote-User: viewer\0admin\r\n', status: [400] },
  { name: 'NUL in a name', headers: 'X-Remote\0-User: admin\r\n', status: [400] },
  { name: 'a line without a colon', headers: 'X-Remote-User admin\r\n', status: [400] },
  { name: 'an empty header name', headers: ': admin\r\n', status: [400] },
  { name: 'a second Host line', headers: 'Host: y\r\n', status: [400] },
  { name: 'a request line in lower case', start: `get ${LIST} HTTP/1.1`, headers: '', status: [405] },
  { name: 'two blanks in the request line', start: `GET  ${LIST} HTTP/1.1`, headers: '', status: [403] },
  { name: 'a path with a blank', start: `GET ${LIST} /healthz HTTP/1.1`, headers: '', status: [400] },
  { name: 'a version that is none', start: `GET ${LIST} HTTP/1.7`, headers: '', status: [400] },
  { name: 'HTTP/0.9', start: `GET ${LIST}`, headers: '', status: [400, 0] },
  { name: 'the preface of HTTP/2', start: 'PRI * HTTP/2.0', headers: '', body: 'SM\r\n\r\n', status: [400, 0] },
  { name: 'another host as absolute target', start: `GET https://evil${LIST} HTTP/1.1`, headers: '', status: [400] },
  { name: 'CONNECT', start: 'CONNECT evil:443 HTTP/1.1', headers: '', status: [400, 405, 0] },
  {
    name: 'an upgrade to h2c',
    headers: 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n',
    status: [400, 403],
  },
]

for (const { name, start = `POST ${LIST} HTTP/1.1`, headers, body = '', status } of ATTACKS) {
  t.test(name, async (t) => {
    const before = api.accessReviews.length
    const text = await raw(`${start}\r\nHost: x\r\n${headers}\r\n${body}`, { as: viewer })
    const answers = [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map((match) => Number(match[1]))
    // After an answer that the head alone brought about, broken framing may end the connection with a 400; nothing else follows.
    t.ok(answers.slice(1).every((one) => one === 400) && answers.length <= 2, `answers: ${answers}`)
    t.ok(status.includes(answers[0] ?? 0), `${answers[0] ?? 'none'} is one of ${status}`)
    const asked = JSON.stringify(api.accessReviews.slice(before))
    t.notMatch(asked, /smuggled|admin|masters/)
  })
}

t.test('no Host line at all', async (t) => {
  const text = await raw(`GET ${LIST} HTTP/1.1\r\nConnection: close\r\n\r\n`, { as: viewer })
  t.match(text, /^HTTP\/1\.1 400/)
})

t.test('smuggled bytes behind a front proxy, which believes them to be a body', async (t) => {
  const headers = 'X-Remote-User: viewer\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n'
  const text = await raw(`POST ${LIST} HTTP/1.1\r\nHost: x\r\n${headers}\r\n0\r\n\r\n${SMUGGLED}`, { as: frontProxy })
  t.equal([...text.matchAll(/^HTTP\/1\.1 /gm)].length, 1)
  t.notMatch(JSON.stringify(api.accessReviews), 'smuggled')
})

t.test('a body that a GET brings along is no request', async (t) => {
  const headers = `X-Remote-User: viewer\r\nConnection: close\r\nContent-Length: ${length}\r\n`
  const text = await raw(`GET /apis HTTP/1.1\r\nHost: x\r\n${headers}\r\n${SMUGGLED}`, { as: frontProxy })
  t.equal([...text.matchAll(/^HTTP\/1\.1 /gm)].length, 1)
  t.notMatch(JSON.stringify(api.accessReviews), 'smuggled')
})
