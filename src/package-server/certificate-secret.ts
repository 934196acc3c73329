// How certificates of our own stand in their Secret: tls.crt and tls.key as everywhere, ca.crt the bundle, ca.key the newest
// authority's key. Pure.
import type { OwnCertificates } from '../certificates/own-certificates.ts'
import type { SecretContent, StoredSecret } from '../kube/secret.ts'

const CHANGED_AT = 'packages.operators.coreos.com/changed-at'
const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Undefined where nothing or something else is in it. */
export function certificatesOf(secret: StoredSecret | undefined): OwnCertificates | undefined {
  if (secret === undefined) return undefined
  const { 'tls.crt': certificate, 'tls.key': key, 'ca.crt': bundle, 'ca.key': authorityKey } = secret.data
  const authorities = bundle?.match(BLOCK) ?? []
  if (certificate === undefined || key === undefined || authorityKey === undefined || authorities.length === 0)
    return undefined
  const changedAt = Date.parse(secret.annotations[CHANGED_AT] ?? '')
  return {
    authorities,
    authorityKey,
    serving: { certificate, key },
    changedAt: Number.isNaN(changedAt) ? 0 : changedAt,
  }
}

export function contentOf(own: OwnCertificates): SecretContent {
  return {
    data: {
      'tls.crt': own.serving.certificate,
      'tls.key': own.serving.key,
      'ca.crt': own.authorities.map((authority) => `${authority.trim()}\n`).join(''),
      'ca.key': own.authorityKey,
    },
    annotations: { [CHANGED_AT]: new Date(own.changedAt).toISOString() },
    labels: { 'app.kubernetes.io/managed-by': 'package-server' },
  }
}
