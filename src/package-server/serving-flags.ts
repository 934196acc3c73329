// Flags about serving over TLS: those of the Go package-server under their names.
import { isIP } from 'node:net'
import type { FlagTable } from '../command-line/flags.ts'
import { unknownCipher } from './cipher-suites.ts'

/** As Go's net.ParseIP; blank stands for every interface. */
export function addressOrBlank(value: string): string | undefined {
  return value === '' || isIP(value) !== 0 ? undefined : 'is not an IP address'
}

const SERVING = 'Serving'
const HTTP1 = 'the server speaks HTTP/1.1 only, one connection per request in flight, as the aggregator uses it.'

export const SERVING_FLAGS = {
  'secure-port': {
    kind: 'integer',
    default: 5443,
    min: 0,
    max: 65535,
    group: SERVING,
    help: 'Port to serve HTTPS on; 0: any free one.',
  },
  'bind-address': {
    kind: 'string',
    default: '0.0.0.0',
    placeholder: 'IP',
    group: SERVING,
    help: 'IP address to listen on; blank, 0.0.0.0 or ::: every interface.',
    check: addressOrBlank,
  },
  'tls-cert-file': {
    kind: 'string',
    default: '',
    placeholder: 'FILE',
    group: SERVING,
    help: 'Serving certificate, PEM, intermediates after it; read again when it changes.',
  },
  'tls-private-key-file': {
    kind: 'string',
    default: '',
    placeholder: 'FILE',
    group: SERVING,
    help: 'Private key of --tls-cert-file, PEM.',
  },
  'cert-dir': {
    kind: 'string',
    default: 'apiserver.local.config/certificates',
    placeholder: 'DIR',
    group: SERVING,
    help: 'Folder with apiserver.crt and apiserver.key, where no certificate file is given; read again when they change.',
  },
  'certificate-secret': {
    kind: 'string',
    default: '',
    placeholder: 'NAME',
    group: SERVING,
    help: 'Secret of our namespace in which the server keeps an authority and a serving certificate that it makes, renews and writes into its APIService by itself; none: files.',
  },
  'certificate-service': {
    kind: 'string',
    default: 'packageserver-service',
    placeholder: 'NAME',
    group: SERVING,
    help: 'Service under whose names such a certificate is valid.',
  },
  'tls-min-version': {
    kind: 'choice',
    choices: ['VersionTLS12', 'VersionTLS13'],
    default: 'VersionTLS12',
    group: SERVING,
    help: 'The oldest version of TLS to speak.',
  },
  'tls-cipher-suites': {
    kind: 'list',
    default: [],
    group: SERVING,
    help: "Cipher suites of TLS 1.2 by Go's names, such as TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256; none: the modern ones.",
    check: unknownCipher,
  },
  'shutdown-delay-duration': {
    kind: 'duration',
    default: '3s',
    group: SERVING,
    help: 'How long to go on serving, unready, after being told to end, so that whoever routes requests here learns to stop.',
  },
  'metrics-address': {
    kind: 'string',
    default: '',
    placeholder: 'HOST:PORT',
    group: SERVING,
    help: 'Serve /metrics over plain HTTP here too, such as 127.0.0.1:9090; none: on the secure port alone, to whom the API server lets.',
    check: (value) => (value === '' || /^.*:\d+$/.test(value) ? undefined : 'is not HOST:PORT'),
  },
  'tls-curve-preferences': {
    kind: 'list',
    default: [],
    group: SERVING,
    help: 'Key exchanges by number.',
    unneeded: 'Node offers what OpenSSL holds for safe.',
  },
  'tls-sni-cert-key': {
    kind: 'repeated',
    default: [],
    placeholder: 'CERT,KEY[:NAMES]',
    group: SERVING,
    help: 'More certificates by the name that a client asks for.',
    unneeded: 'the API server asks for one name.',
  },
  'disable-http2-serving': { kind: 'boolean', default: false, group: SERVING, help: 'No HTTP/2.', unneeded: HTTP1 },
  'http2-max-streams-per-connection': {
    kind: 'integer',
    default: 0,
    group: SERVING,
    help: 'Streams of one HTTP/2 connection.',
    unneeded: HTTP1,
  },
  'permit-port-sharing': {
    kind: 'boolean',
    default: false,
    group: SERVING,
    help: 'Let several processes listen on the port.',
    unneeded: 'replicas are pods with addresses of their own.',
  },
  'permit-address-sharing': {
    kind: 'boolean',
    default: false,
    group: SERVING,
    help: 'Do not wait for old connections of the port.',
    unneeded: 'Node always listens so.',
  },
} as const satisfies FlagTable
