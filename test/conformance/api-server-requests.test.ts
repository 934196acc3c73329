// What a kube-apiserver really sends to an aggregated API server, byte for byte, through a front proxy's certificate.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { openGoldenCatalogs } from '../fixtures/golden-catalogs.ts'
import { type Served, serve } from '../fixtures/http-server.ts'
import { createRecordedCallers, type RecordedCallers } from './recorded-callers.ts'

const SHARED = join(import.meta.dirname, '../../../shared')
const RECORDED = join(SHARED, 'reference/what-the-api-server-sends.txt')
const GROUP = '/apis/packages.operators.coreos.com'

interface Answer {
  readonly status: number
  readonly head: string
  readonly json: unknown
}

/** What each request is answered; `viewer` may read nothing in the recorded cluster. */
const WANTED: readonly (readonly [request: string, user: string, status: number, json: object])[] = [
  [`GET ${GROUP}/v1`, 'system:kube-aggregator', 200, { kind: 'APIResourceList' }],
  ['GET /openapi/v2', 'system:aggregator', 200, { swagger: '2.0' }],
  ['GET /apis', 'system:kube-aggregator', 200, { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2' }],
  [`GET ${GROUP}/v1`, 'system:kube-aggregator', 200, { kind: 'APIResourceList' }],
  [
    `GET ${GROUP}/v1/packagemanifests?limit=500`,
    'kubernetes-admin',
    200,
    { kind: 'Table', apiVersion: 'meta.k8s.io/v1' },
  ],
  ['GET /openapi/v3', 'system:aggregator', 200, { paths: {} }],
  ['GET /openapi/v2', 'system:aggregator', 200, { swagger: '2.0' }],
  [`GET ${GROUP}/v1/namespaces/olm/packagemanifests?limit=500`, 'viewer', 403, { kind: 'Status', reason: 'Forbidden' }],
  [`GET ${GROUP}/v1/namespaces/olm/packagemanifests/zz`, 'viewer', 403, { kind: 'Status', reason: 'Forbidden' }],
]

/** The requests of the file, without its comments. */
function requestsOf(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .split('\n\n')
    .map((request) => request.trim())
    .filter((request) => request !== '')
}

function ask(served: Served, callers: RecordedCallers, request: string): Promise<Answer> {
  const pair = callers.certificateOf('front-proxy-client')
  const identity = pair === undefined ? {} : { cert: pair.certificate, key: pair.key }
  const socket = connect({
    host: '127.0.0.1',
    port: served.port,
    servername: 'packageserver-service.olm.svc',
    ALPNProtocols: ['http/1.1'],
    ca: callers.credentials.authority.certificate,
    checkServerIdentity: () => undefined,
    ...identity,
  })
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    socket.on('error', reject)
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('end', () => resolve(answerOf(Buffer.concat(chunks))))
    socket.write(`${request.replaceAll('\n', '\r\n')}\r\nConnection: close\r\n\r\n`)
  })
}

function answerOf(bytes: Buffer): Answer {
  const end = bytes.indexOf('\r\n\r\n')
  const head = bytes.subarray(0, end).toString('latin1')
  const sent = bytes.subarray(end + 4)
  const body = /^content-encoding: gzip/im.test(head) ? gunzipSync(sent) : sent
  const text = body.toString('utf8')
  return { status: Number(head.split(' ')[1]), head, json: text === '' ? undefined : JSON.parse(text) }
}

t.test('requests of the aggregator', { skip: existsSync(RECORDED) ? false : 'skipped: no ../shared' }, async (t) => {
  const resource = await openGoldenCatalogs(join(SHARED, 'golden/http/catalogs'), Date.now)
  t.teardown(() => resource.close())
  const callers = await createRecordedCallers()
  const { serving } = callers.credentials
  const { authenticate, authorize } = callers
  const certificate = { cert: serving.certificate, key: serving.key }
  const users: (string | undefined)[] = []
  const served = await serve(t, {
    resources: [resource],
    certificate,
    authenticate,
    authorize,
    observe: ({ identity }) => users.push(identity?.user),
  })
  const requests = requestsOf(readFileSync(RECORDED, 'utf8'))
  t.equal(requests.length, WANTED.length, 'each request of the file has its answer here')
  for (const [index, request] of requests.entries()) {
    const [line = '', user, status, json] = WANTED[index] ?? []
    t.ok(request.startsWith(`${line} HTTP/1.1\n`), line)
    const answer = await ask(served, callers, request)
    t.match(answer, { status, json }, line)
    t.equal(users.at(-1), user)
    const sent = /^audit-id: (.*)$/im.exec(request)?.[1]
    if (sent !== undefined) t.ok(answer.head.includes(`audit-id: ${sent}`), 'the audit id is echoed')
    const etag = /^etag: (.*)$/im.exec(answer.head)?.[1]?.trim()
    if (etag === undefined) continue
    const again = await ask(served, callers, `${request.replace(/\nIf-None-Match: .*/, '')}\nIf-None-Match: ${etag}`)
    t.equal(again.status, 304, `${line} again`)
  }
})
