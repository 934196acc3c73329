import t from 'tap'
import { opensslCipher, unknownCipher } from '../../src/package-server/cipher-suites.ts'

t.test("Go's names", async (t) => {
  const cases: readonly (readonly [string, string])[] = [
    ['TLS_AES_128_GCM_SHA256', 'TLS_AES_128_GCM_SHA256'],
    ['TLS_CHACHA20_POLY1305_SHA256', 'TLS_CHACHA20_POLY1305_SHA256'],
    ['TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256', 'ECDHE-ECDSA-AES128-GCM-SHA256'],
    ['TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
    ['TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256', 'ECDHE-RSA-CHACHA20-POLY1305'],
    ['TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305'],
    ['TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA', 'ECDHE-ECDSA-AES256-SHA'],
    ['TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256', 'ECDHE-RSA-AES128-SHA256'],
    ['TLS_RSA_WITH_AES_128_GCM_SHA256', 'AES128-GCM-SHA256'],
  ]
  for (const [name, openssl] of cases) t.equal(opensslCipher(name), openssl, name)
  for (const name of ['TLS_RSA_WITH_RC4_128_SHA', 'nonsense', '']) {
    t.equal(opensslCipher(name), undefined, name)
    t.match(unknownCipher(name), /^is not a cipher suite/)
  }
})
