// Every exchange with the reference server that was recorded, asked of ours: same catalogs, same callers, over TLS.
import { existsSync, readFileSync } from 'node:fs'
import { request as httpsRequest } from 'node:https'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { openGoldenCatalogs } from '../fixtures/golden-catalogs.ts'
import { type Served, serve } from '../fixtures/http-server.ts'
import { isIndented, type Normalise, normalBody } from './normal-body.ts'
import { createRecordedCallers, type RecordedCallers, TOKEN } from './recorded-callers.ts'
import { parseExchange, parseIndexLine, type RecordedExchange } from './recorded-exchange.ts'
import { NOT_REPLAYED, WANTED_DIFFERENCES, type WantedDifference } from './wanted-differences.ts'

const SHARED = join(import.meta.dirname, '../../../shared')
const GOLDEN = join(SHARED, 'golden/http')
/** When the exchanges were recorded: ages are as they were. */
const RECORDED = Date.parse('2026-12-01T06:41:00Z')

if (!existsSync(GOLDEN)) {
  t.pass('skipped: no ../shared')
} else {
  const { normalise } = (await import(pathToFileURL(join(SHARED, 'golden/compare.mjs')).href)) as {
    normalise: Normalise
  }
  const resource = await openGoldenCatalogs(join(GOLDEN, 'catalogs'), () => RECORDED)
  t.teardown(() => resource.close())
  const callers = await createRecordedCallers()
  const { authenticate, authorize, credentials } = callers
  const { cert, key } = { cert: credentials.serving.certificate, key: credentials.serving.key }
  const served = await serve(t, { resources: [resource], certificate: { cert, key }, authenticate, authorize })
  const lines = readFileSync(join(GOLDEN, 'INDEX.tsv'), 'utf8').trimEnd().split('\n').map(parseIndexLine)

  for (const line of lines) {
    const file = join(GOLDEN, 'direct', `${line.name}.http`)
    const why = NOT_REPLAYED[line.name]
    t.test(line.name, { skip: why ?? false }, async (t) => {
      const binary = join(GOLDEN, 'direct', `${line.name}.body.bin`)
      const recorded = existsSync(file)
        ? parseExchange(line, readFileSync(file), existsSync(binary) ? readFileSync(binary) : undefined)
        : undefined
      const unrecorded = { ...line, headers: line.accept === '' ? {} : { accept: line.accept }, requestBody: '' }
      const wanted = WANTED_DIFFERENCES[line.name]
      const reply = await ask(served, callers, recorded ?? unrecorded, wanted?.stream === true)
      t.equal(reply.status, wanted?.status ?? line.status, 'status')
      if (wanted !== undefined) checkDifference(t, reply, wanted)
      if (recorded !== undefined) compare(t, reply, recorded, wanted, normalise)
      else t.match(reply.contentType, wanted?.contentType ?? 'application/json', 'content type')
    })
  }
  t.test('no difference is listed that is not asked about', async (t) => {
    for (const name of [...Object.keys(WANTED_DIFFERENCES), ...Object.keys(NOT_REPLAYED)]) {
      t.ok(
        lines.some((line) => line.name === name),
        name,
      )
    }
  })
}

interface Reply {
  readonly status: number
  readonly contentType: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

function checkDifference(t: Test, reply: Reply, wanted: WantedDifference): void {
  t.comment(wanted.reason)
  if (wanted.contentType !== undefined) t.equal(reply.contentType, wanted.contentType, 'content type, as wanted')
  if (wanted.json !== undefined) t.match(JSON.parse(reply.body.toString('utf8')), wanted.json, 'body, as wanted')
}

function compare(
  t: Test,
  reply: Reply,
  recorded: RecordedExchange,
  wanted: WantedDifference | undefined,
  normalise: Normalise,
): void {
  const type = recorded.answerHeaders['content-type'] ?? ''
  const body = (of: Buffer, contentType: string) => normalBody(of, contentType, normalise)
  if (wanted === undefined) {
    t.equal(reply.contentType, type, 'content type')
    // Icons are kept by browsers for a while and carry headers of their own: test/package-server/icon.test.ts.
    if (!recorded.name.startsWith('icon-')) {
      t.equal(reply.headers['cache-control'], recorded.answerHeaders['cache-control'], 'cache-control')
      const sniff = recorded.answerHeaders['x-content-type-options']
      if (sniff !== undefined) t.equal(reply.headers['x-content-type-options'], sniff, 'x-content-type-options')
    }
    t.ok(reply.headers['audit-id'] !== undefined, 'audit id')
    if (recorded.method === 'HEAD') return
    t.same(body(reply.body, type), body(recorded.body, type), 'body')
    if (reply.status === 200) t.equal(isIndented(reply.body), isIndented(recorded.body), 'indented or not')
    return
  }
  const same =
    reply.status === recorded.status &&
    reply.contentType === type &&
    JSON.stringify(body(reply.body, type)) === JSON.stringify(body(recorded.body, type))
  t.notOk(same, 'a listed difference is one')
}

type Question = Pick<RecordedExchange, 'method' | 'path' | 'headers' | 'requestBody' | 'user'>

function ask(served: Served, callers: RecordedCallers, question: Question, cut: boolean): Promise<Reply> {
  const pair = callers.certificateOf(question.user)
  const headers: Record<string, string> = { ...question.headers }
  if (headers.authorization === 'Bearer <token>') headers.authorization = `Bearer ${TOKEN}`
  const { authority } = callers.credentials
  return new Promise((resolve, reject) => {
    const { method, path } = question
    const own = pair === undefined ? {} : { cert: pair.certificate, key: pair.key }
    const address = { host: '127.0.0.1', port: served.port, ca: authority.certificate, agent: false, ...own } as const
    const request = httpsRequest({ ...address, method, path, headers }, (response) => {
      const chunks: Buffer[] = []
      const done = () => {
        const { statusCode = 0, headers: answered } = response
        const contentType = answered['content-type'] ?? ''
        const sent = Buffer.concat(chunks)
        const body = answered['content-encoding'] === 'gzip' && !cut ? gunzipSync(sent) : sent
        resolve({ status: statusCode, contentType, headers: answered, body })
      }
      response.on('error', reject)
      response.on('end', done)
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        if (!cut) return
        response.removeAllListeners()
        response.on('error', () => undefined)
        done()
        request.destroy()
      })
    })
    request.on('error', reject)
    if (question.requestBody !== '') request.setHeader('content-length', Buffer.byteLength(question.requestBody))
    request.end(question.requestBody)
  })
}
