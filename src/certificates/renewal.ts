// When a certificate is to be replaced, long before it ends. Pure: time and randomness are arguments.
import type { X509Certificate } from 'node:crypto'

/** Renewed in the last fifth of its life, at a random moment of that fifth's first half: replicas do not all act at once. */
const RENEW_AFTER = 0.8
const SPREAD = 0.1

/** Milliseconds since the epoch from which on the certificate should be renewed. `random` is in [0, 1). */
export function renewalTime(
  certificate: Pick<X509Certificate, 'validFromDate' | 'validToDate'>,
  random: number,
): number {
  const from = certificate.validFromDate.getTime()
  const lifetime = certificate.validToDate.getTime() - from
  return Math.round(from + lifetime * (RENEW_AFTER + SPREAD * random))
}
