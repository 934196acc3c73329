// The limit: a process with bare node:https, the same certificates and the same demand for one of the client's, that answers
// each path from one ready buffer. Nothing of ours runs in it.
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import type { LimitQuestion, ReadyAnswer } from './limits.ts'

let answers = new Map<string, ReadyAnswer>()

process.on('message', (question: LimitQuestion) => {
  if (question.answers !== undefined) {
    answers = new Map(question.answers.map((one) => [one.path, one]))
    process.send?.({ done: true })
  }
  if (question.listen === undefined) return
  const { ca, cert, key } = question.listen
  const server = createServer({ ca, cert, key, requestCert: true, rejectUnauthorized: true, keepAliveTimeout: 120_000 })
  server.on('request', (request, response) => {
    const path = request.url ?? ''
    if (path === HELD_PATH) {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('\n')
      return
    }
    const answer = answers.get(path)
    const status = answer?.status ?? 404
    const body = answer?.body ?? Buffer.from('{}')
    if (status === 304) response.writeHead(304, answer?.headers).end()
    else response.writeHead(status, { ...answer?.headers, 'content-length': body.byteLength }).end(body)
  })
  server.listen({ host: '127.0.0.1', port: 0 }, () => {
    process.send?.({ origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}` })
  })
})

const HELD_PATH = '/held'
