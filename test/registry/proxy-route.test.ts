import fc from 'fast-check'
import t from 'tap'
import { isDirect, parseProxy, proxySettings } from '../../src/registry/proxy-route.ts'

t.test('which variables count', async (t) => {
  const http = {
    HTTP_PROXY: 'http://h:1',
    HTTPS_PROXY: 'http://h:2',
    http_proxy: 'http://h:3',
    ALL_PROXY: 'http://h:4',
  }
  t.strictSame(proxySettings(http), { proxy: '', noProxy: '' }, 'those for HTTP never do')
  t.strictSame(proxySettings({ GRPC_PROXY: 'a', grpc_proxy: 'b', NO_PROXY: 'c', no_proxy: 'd' }), {
    proxy: 'a',
    noProxy: 'c',
  })
  t.strictSame(proxySettings({ GRPC_PROXY: '', grpc_proxy: 'b', no_proxy: 'd' }), { proxy: 'b', noProxy: 'd' })
})

t.test('proxies', async (t) => {
  const none = { username: '', password: '' }
  t.equal(parseProxy(''), undefined)
  t.strictSame(parseProxy('socks5://127.0.0.1:8090'), { kind: 'socks5', host: '127.0.0.1', port: 8090, ...none })
  t.strictSame(parseProxy('socks5h://proxy'), { kind: 'socks5', host: 'proxy', port: 1080, ...none })
  t.strictSame(parseProxy('http://[::1]:3128'), { kind: 'http-connect', host: '::1', port: 3128, ...none })
  t.strictSame(parseProxy('proxy.example:3128'), { kind: 'http-connect', host: 'proxy.example', port: 3128, ...none })
  t.match(parseProxy('http://u%40:p%3A@proxy'), { username: 'u@', password: 'p:', port: 80 })
  for (const wrong of ['ftp://x', 'socks4://x:1', '://', 'http://', 'socks5://:5']) {
    t.throws(() => parseProxy(wrong), { code: 'USAGE', message: /GRPC_PROXY/ }, wrong)
  }
  t.throws(() => parseProxy('ftp://user:secret@x'), { message: /^(?!.*secret)/ }, 'no credentials in messages')
})

const DIRECT: readonly (readonly [string, string, number, boolean])[] = [
  ['', 'cat.ns.svc', 50051, false],
  ['*', 'cat.ns.svc', 50051, true],
  ['cat.ns.svc', 'cat.ns.svc', 50051, true],
  ['CAT.ns.svc.', 'cat.NS.svc', 50051, true],
  ['cat.ns.svc:50051', 'cat.ns.svc', 50051, true],
  ['cat.ns.svc:50052', 'cat.ns.svc', 50051, false],
  ['svc', 'cat.ns.svc', 1, true],
  ['.svc', 'cat.ns.svc', 1, true],
  ['*.svc', 'cat.ns.svc', 1, true],
  ['.cat.ns.svc', 'cat.ns.svc', 1, false],
  ['at.ns.svc', 'cat.ns.svc', 1, false],
  ['a, .svc,b', 'cat.ns.svc', 1, true],
  ['a  .svc', 'cat.ns.svc', 1, true],
  ['10.0.0.0/8', '10.1.2.3', 1, true],
  ['10.0.0.0/8', '11.1.2.3', 1, false],
  ['10.0.0.0/8', 'ten.example', 1, false],
  ['10.0.0.0/33', '10.1.2.3', 1, false],
  ['10.1.2.3', '10.1.2.3', 1, true],
  ['10.1.2.3:2', '10.1.2.3', 1, false],
  ['2001:db8::/32', '2001:db8::1', 1, true],
  ['2001:db8::1', '2001:db8:0::1', 1, true],
  ['[2001:db8::1]:1', '2001:db8::1', 1, true],
  ['[2001:db8::1]:2', '2001:db8::1', 1, false],
  ['2001:db8::/32', '10.0.0.1', 1, false],
  ['', 'localhost', 1, true],
  ['', '127.9.9.9', 1, true],
  ['', '::1', 1, true],
  ['', '0:0:0:0:0:0:0:1', 1, true],
  ['', '::2', 1, false],
  ['.', 'cat', 1, false],
]
t.test('who goes without', async (t) => {
  for (const [noProxy, host, port, direct] of DIRECT)
    t.equal(isDirect(host, port, noProxy), direct, `${noProxy} ${host}:${port}`)
})

t.test('no list makes it throw', async () => {
  const part = fc.oneof(fc.string(), fc.constantFrom(',', '/', ':', '[', ']', '*', '.', '::', '10.0.0.0/8', '::/0'))
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.constantFrom('a.b', '10.0.0.1', '::5'), (parts, host) => {
      isDirect(host, 1, parts.join(''))
    }),
  )
})
