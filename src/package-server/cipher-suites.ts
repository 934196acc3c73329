// Cipher suites by the names that Go and IANA use, as OpenSSL names them. Pure.
import { getCiphers } from 'node:tls'

const WITH =
  /^TLS_(ECDHE_ECDSA|ECDHE_RSA|RSA)_WITH_(AES_128|AES_256|CHACHA20_POLY1305|3DES_EDE)(?:_(GCM|CBC))?(?:_(SHA\d*))?$/

/** OpenSSL's name, or undefined where this OpenSSL offers no such suite. */
export function opensslCipher(name: string): string | undefined {
  // Those of TLS 1.3 bear the same name everywhere.
  const openssl = WITH.test(name) ? translated(name) : name
  return getCiphers().includes(openssl.toLowerCase()) ? openssl : undefined
}

/** For the check of a flag: what is wrong with the name. */
export function unknownCipher(name: string): string | undefined {
  return opensslCipher(name) === undefined
    ? "is not a cipher suite that is offered here, by Go's names such as TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"
    : undefined
}

function translated(name: string): string {
  const [, exchange = '', cipher = '', mode, hash = ''] = WITH.exec(name) ?? []
  const key = exchange === 'RSA' ? [] : [exchange.replace('_', '-')]
  if (cipher === 'CHACHA20_POLY1305') return [...key, 'CHACHA20-POLY1305'].join('-')
  if (cipher === '3DES_EDE') return [...key, 'DES-CBC3', hash].join('-')
  return [...key, cipher.replace('_', ''), ...(mode === 'GCM' ? ['GCM'] : []), hash].join('-')
}
