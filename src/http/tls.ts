// The TLS side of the server: a serving certificate and settings in, options of node:tls out. Client certificates are
// asked for and judged per request (client-certificate.ts), not at the handshake, so that trust can change under it.
import { constants } from 'node:crypto'
import type { SecureContextOptions, TlsOptions } from 'node:tls'

export interface ServingCertificate {
  /** PEM, leaf first. */
  readonly cert: string | Buffer
  /** PEM. */
  readonly key: string | Buffer
}

export interface TlsSettings {
  readonly minVersion: 'TLSv1.2' | 'TLSv1.3'
  /** OpenSSL's names, for TLS 1.2; those of 1.3 are all good. Empty: `MODERN_CIPHERS`. */
  readonly ciphers: readonly string[]
  readonly handshakeTimeoutMilliseconds: number
}

/** What a Kubernetes API server offers for TLS 1.2 besides the three suites of 1.3: forward secrecy and AEAD only. */
export const MODERN_CIPHERS = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
] as const

export const DEFAULT_TLS: TlsSettings = { minVersion: 'TLSv1.2', ciphers: [], handshakeTimeoutMilliseconds: 10_000 }

/** The part that is made anew when the certificate changes. */
export function secureContextOptions(certificate: ServingCertificate, settings: TlsSettings): SecureContextOptions {
  return {
    cert: certificate.cert,
    key: certificate.key,
    minVersion: settings.minVersion,
    maxVersion: 'TLSv1.3',
    ciphers: (settings.ciphers.length === 0 ? MODERN_CIPHERS : settings.ciphers).join(':'),
    honorCipherOrder: true,
    // Renegotiation (TLS 1.2) would let a client change its certificate under a running connection. A ticket would bring
    // back a client certificate without the intermediate ones behind it, which each request needs to judge it.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION | constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_COMPRESSION,
  }
}

export function tlsServerOptions(certificate: ServingCertificate, settings: TlsSettings): TlsOptions {
  return {
    ...secureContextOptions(certificate, settings),
    ALPNProtocols: ['http/1.1'],
    requestCert: true,
    rejectUnauthorized: false,
    handshakeTimeout: settings.handshakeTimeoutMilliseconds,
  }
}
