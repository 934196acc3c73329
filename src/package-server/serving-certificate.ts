// The certificate that the server shows: out of the files that flags name, or of a folder. Receives flags, hands on a pair at
// once (one that nobody trusts while there is no other), what readiness waits for, and each new pair.
import { join } from 'node:path'
import { parseCertificates } from '../certificates/certificate-chain.ts'
import { usageError } from '../command-line/command-line.ts'
import type { HealthCheck } from '../http/health.ts'
import type { ServingCertificate } from '../http/tls.ts'
import type { Logger } from '../log.ts'
import { type CertificateFiles, followCertificateFiles, readCertificateFiles } from './certificate-files.ts'

export interface CertificateFlags {
  readonly tlsCertFile: string
  readonly tlsPrivateKeyFile: string
  readonly certDir: string
}

export interface ServingCertificateOptions {
  readonly flags: CertificateFlags
  readonly clock: { now(): number }
  readonly log: Logger
  /** Called with each pair that follows the first. */
  readonly onChange: (certificate: ServingCertificate) => void
}

export interface HeldCertificate {
  readonly first: ServingCertificate
  readonly check: HealthCheck
  close(): void
}

/** Names within --cert-dir, as every Kubernetes API server has them and OLM mounts them. */
const PAIR = 'apiserver'
const PROVISIONAL_LIFETIME = 24 * 3_600_000

/** Fails with USAGE or FILE_UNREADABLE where files that a flag names cannot be used; a folder may fill later. */
export async function holdServingCertificate(options: ServingCertificateOptions): Promise<HeldCertificate> {
  const { flags, clock, log } = options
  const named = flags.tlsCertFile !== '' || flags.tlsPrivateKeyFile !== ''
  if (named && (flags.tlsCertFile === '' || flags.tlsPrivateKeyFile === '')) {
    throw usageError('package-server', '--tls-cert-file and --tls-private-key-file go together')
  }
  const certificateFile = named ? flags.tlsCertFile : join(flags.certDir, `${PAIR}.crt`)
  const keyFile = named ? flags.tlsPrivateKeyFile : join(flags.certDir, `${PAIR}.key`)
  if (named) await readCertificateFiles(certificateFile, keyFile)
  const files = await followCertificateFiles({ certificateFile, keyFile, log, onChange: options.onChange })
  return {
    first: files.current() ?? (await provisional(clock.now())),
    check: { name: 'serving-certificate', endpoints: ['readyz'], check: () => faultOf(files, clock.now()) },
    close: files.close,
  }
}

/** Unready without a pair, and with one that has ended: nobody would believe it. */
function faultOf(files: CertificateFiles, now: number): string | undefined {
  const current = files.current()
  if (current === undefined) return files.fault() ?? 'there is no serving certificate yet'
  const [leaf] = parseCertificates(String(current.cert))
  return leaf !== undefined && leaf.validToDate.getTime() < now
    ? `the serving certificate expired at ${leaf.validToDate.toISOString()}`
    : undefined
}

/** So that health can be asked before there is a certificate. Its authority is thrown away: nobody can trust it. */
async function provisional(now: number): Promise<ServingCertificate> {
  const { issueAuthority, issueServing } = await import('../certificates/issue.ts')
  const validity = { now, lifetime: PROVISIONAL_LIFETIME }
  const authority = await issueAuthority('provisional', validity)
  const { certificate, key } = await issueServing(
    authority,
    { commonName: 'provisional', hosts: ['localhost'] },
    validity,
  )
  return { cert: certificate, key }
}
