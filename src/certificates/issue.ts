// Makes certificates: an authority, and what it signs for servers and clients. Hands on PEM texts. No I/O; slow to
// import (the X.509 library), so a program loads this file only where there is something to issue.
import 'reflect-metadata'
import { createPrivateKey, webcrypto } from 'node:crypto'
import { isIP } from 'node:net'
import * as x509 from '@peculiar/x509'

/** A certificate and its private key, both PEM; the key is PKCS #8. */
export interface KeyPair {
  readonly certificate: string
  readonly key: string
}

export interface Validity {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Milliseconds from `now` on. */
  readonly lifetime: number
}

export interface ServingSubject {
  readonly commonName: string
  /** DNS names and IP addresses under which clients reach the server. */
  readonly hosts: readonly string[]
}

/** As the Kubernetes API server reads a client certificate: the common name is the user, organizations are groups. */
export interface ClientSubject {
  readonly user: string
  readonly groups: readonly string[]
}

/** Certificates are valid from this long before they are made: clocks differ. Milliseconds. */
const BACKDATED = 5 * 60_000

const KEY_ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const
const SIGNING_ALGORITHM = { name: 'ECDSA', hash: 'SHA-256' } as const

const { digitalSignature, keyCertSign, cRLSign } = x509.KeyUsageFlags

/** A self-signed authority that may sign end entities, not other authorities. */
export async function issueAuthority(commonName: string, validity: Validity): Promise<KeyPair> {
  const keys = await newKeys()
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [commonName] }],
    keys,
    serialNumber: newSerialNumber(),
    ...dates(validity),
    signingAlgorithm: SIGNING_ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(digitalSignature | keyCertSign | cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return toPem(certificate, keys.privateKey)
}

/** For a TLS server reached under these hosts. */
export function issueServing(authority: KeyPair, subject: ServingSubject, validity: Validity): Promise<KeyPair> {
  const names = subject.hosts.map((host) => ({
    type: isIP(host) === 0 ? ('dns' as const) : ('ip' as const),
    value: host,
  }))
  return issue(authority, [{ CN: [subject.commonName] }], x509.ExtendedKeyUsage.serverAuth, validity, [
    new x509.SubjectAlternativeNameExtension(names),
  ])
}

/** For a client that says who it is by its certificate. */
export function issueClient(authority: KeyPair, subject: ClientSubject, validity: Validity): Promise<KeyPair> {
  const name = [...subject.groups.map((group) => ({ O: [group] })), { CN: [subject.user] }]
  return issue(authority, name, x509.ExtendedKeyUsage.clientAuth, validity, [])
}

async function issue(
  authority: KeyPair,
  subject: x509.JsonName,
  usage: x509.ExtendedKeyUsage,
  validity: Validity,
  extensions: readonly x509.Extension[],
): Promise<KeyPair> {
  const signer = new x509.X509Certificate(authority.certificate)
  const keys = await newKeys()
  const certificate = await x509.X509CertificateGenerator.create({
    subject,
    issuer: signer.subjectName.toJSON(),
    publicKey: keys.publicKey,
    signingKey: await importKey(authority.key),
    serialNumber: newSerialNumber(),
    ...dates(validity),
    signingAlgorithm: SIGNING_ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([usage]),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(signer),
      ...extensions,
    ],
  })
  return toPem(certificate, keys.privateKey)
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(KEY_ALGORITHM, true, ['sign', 'verify'])
}

function importKey(pem: string): Promise<webcrypto.CryptoKey> {
  // A key of another program may be written as SEC 1 (`EC PRIVATE KEY`).
  const der = createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' })
  return webcrypto.subtle.importKey('pkcs8', der, KEY_ALGORITHM, false, ['sign'])
}

/** RFC 5280, 4.1.2.2: positive and at most 20 octets; 127 random bits. */
function newSerialNumber(): string {
  const octets = webcrypto.getRandomValues(new Uint8Array(16))
  octets[0] = ((octets[0] ?? 0) & 0x7f) | 0x40
  return Buffer.from(octets).toString('hex')
}

function dates({ now, lifetime }: Validity): { readonly notBefore: Date; readonly notAfter: Date } {
  return { notBefore: new Date(now - BACKDATED), notAfter: new Date(now + lifetime) }
}

async function toPem(certificate: x509.X509Certificate, privateKey: webcrypto.CryptoKey): Promise<KeyPair> {
  const key = x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', privateKey), 'PRIVATE KEY')
  return { certificate: `${certificate.toString('pem')}\n`, key: `${key}\n` }
}
