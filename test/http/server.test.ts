import t from 'tap'
import { serve } from '../fixtures/http-server.ts'

t.test('health is open to all, everything else wants a certificate', async (t) => {
  const { ask } = await serve(t)
  for (const path of ['/healthz', '/livez', '/readyz']) {
    const reply = await ask(path, { anonymous: true })
    t.equal(reply.status, 200)
    t.equal(reply.text, 'ok')
    t.equal(reply.headers['content-type'], 'text/plain; charset=utf-8')
  }
  const refused = await ask('/apis', { anonymous: true })
  t.equal(refused.status, 401)
  t.match(refused.json, { kind: 'Status', apiVersion: 'v1', reason: 'Unauthorized', code: 401 })
  t.equal((await ask('/apis')).status, 200)
})

t.test('every refusal is a Status', async (t) => {
  const { ask } = await serve(t)
  const cases = [
    ['GET', '/nope', 404, 'NotFound'],
    ['GET', '/apis/x/v1/things', 404, 'NotFound'],
    ['POST', '/apis', 405, 'MethodNotAllowed'],
    ['PURGE', '/apis', 405, 'MethodNotAllowed'],
    ['GET', '/a//b', 400, 'BadRequest'],
    ['GET', '/apis/%2e%2e/x', 400, 'BadRequest'],
    ['GET', '/apis/%2f/x', 400, 'BadRequest'],
    ['GET', '/apis/%00', 400, 'BadRequest'],
    ['GET', '/apis/%zz', 400, 'BadRequest'],
    ['GET', '/apis/%ff', 400, 'BadRequest'],
    ['GET', `/${'a'.repeat(64 * 1024)}`, 414, 'RequestURITooLong'],
    ['GET', `/${'a'.repeat(2 * 1024 * 1024)}`, 431, 'RequestHeaderFieldsTooLarge'],
  ] as const
  for (const [method, path, code, reason] of cases) {
    const reply = await ask(path, { method })
    t.equal(reply.status, code, `${method} ${path.slice(0, 40)}`)
    t.match(reply.json, { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, code })
  }
})
