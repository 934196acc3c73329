import t from 'tap'
import { hostsOf, serverUrl } from '../../src/standalone/reach.ts'

t.test('names for the certificate, and the address to call', async (t) => {
  const loopback = ['localhost', '127.0.0.1', '::1']
  const cases: readonly (readonly [string, readonly string[], string])[] = [
    ['127.0.0.1', loopback, 'https://127.0.0.1:5443'],
    ['', loopback, 'https://127.0.0.1:5443'],
    ['0.0.0.0', loopback, 'https://127.0.0.1:5443'],
    ['::', loopback, 'https://127.0.0.1:5443'],
    ['::1', loopback, 'https://[::1]:5443'],
    ['192.0.2.1', [...loopback, '192.0.2.1'], 'https://192.0.2.1:5443'],
    ['2001:db8::1', [...loopback, '2001:db8::1'], 'https://[2001:db8::1]:5443'],
  ]
  for (const [address, hosts, url] of cases) {
    t.strictSame(hostsOf(address), hosts, address)
    t.equal(serverUrl(address, 5443), url)
  }
})
