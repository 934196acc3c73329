// Which certificate the server shows, out of three sources: files named by flags, a folder, or one of its own making kept in the
// cluster. Receives the choice, hands on the pair of now and each one after it, and says why it is not the right one yet.
import { join } from 'node:path'
import { parseCertificates } from '../certificates/certificate-chain.ts'
import { OlmError } from '../errors.ts'
import type { HealthCheck } from '../http/health.ts'
import type { ServingCertificate } from '../http/tls.ts'
import { createTroubleLog } from '../kube/trouble-log.ts'
import type { Logger } from '../log.ts'
import { followCertificateFiles, readCertificateFiles } from './certificate-files.ts'
import type { SelfManagedCertificates, SelfManagedOptions } from './self-managed-certificates.ts'

export type CertificateSource =
  | { readonly kind: 'files'; readonly certificateFile: string; readonly keyFile: string }
  | { readonly kind: 'folder'; readonly folder: string }
  | {
      readonly kind: 'self-managed'
      create(options: Pick<SelfManagedOptions, 'onChange'>): SelfManagedCertificates
    }

export interface ServingPairOptions {
  readonly source: CertificateSource
  /** Names of the stand-in that is shown until there is a real one. */
  readonly hosts: readonly string[]
  readonly log: Logger
  readonly clock: { now(): number }
  /** Ends the following of the source. */
  readonly signal: AbortSignal
}

export interface ServingPair {
  /** What to begin with: where there is none yet a stand-in that nobody trusts. */
  readonly first: ServingCertificate
  /** From now on, called with each pair that follows; at once with one that came meanwhile. */
  follow(listener: (certificate: ServingCertificate) => void): void
  readonly checks: readonly HealthCheck[]
  /** When the pair in use ends, milliseconds since the epoch; undefined while there is but a stand-in. */
  notAfter(): number | undefined
}

const STAND_IN_LIFETIME = 365 * 86_400_000

/** Fails with USAGE or FILE_UNREADABLE where flags name files that cannot be used; everything else is waited for. */
export async function openServingPair(options: ServingPairOptions): Promise<ServingPair> {
  const { source, log, clock } = options
  let current: ServingCertificate | undefined
  let listener: ((certificate: ServingCertificate) => void) | undefined
  const onChange = (next: ServingCertificate) => {
    current = next
    listener?.(next)
  }
  await checkCertificateSource(source)
  const fault = await followSource(options, onChange)
  const first = current ?? (await standIn(options))
  if (current === undefined) {
    log.warn(
      { reason: fault() ?? 'none has been made yet' },
      'no serving certificate yet: shown meanwhile is one that the APIService will not trust',
    )
  }
  const said = createTroubleLog(log, 'the serving certificate is not good')
  return {
    first,
    follow(next) {
      listener = next
      if (current !== undefined && current !== first) next(current)
    },
    checks: [
      {
        name: 'serving-certificate',
        endpoints: ['readyz'],
        check() {
          const reason = reasonNow()
          if (reason === undefined) said.over()
          else said.report(reason)
          return reason
        },
      },
    ],
    notAfter: () => (current === undefined ? undefined : datesOf(current)?.end),
  }

  function reasonNow(): string | undefined {
    if (current === undefined) return fault() ?? 'there is none yet'
    return outOfDate(current, clock.now()) ?? ownFault()
  }

  /** A pair of files that is broken leaves the old one in use, and ready; one that nobody trusts does not. */
  function ownFault(): string | undefined {
    return source.kind === 'self-managed' ? fault() : undefined
  }
}

/** Fails with FILE_UNREADABLE where flags name files that cannot be used. */
export async function checkCertificateSource(source: CertificateSource): Promise<void> {
  if (source.kind === 'files') await readCertificateFiles(source.certificateFile, source.keyFile)
}

async function followSource(
  { source, log, signal }: ServingPairOptions,
  onChange: (certificate: ServingCertificate) => void,
): Promise<() => string | undefined> {
  if (source.kind === 'self-managed') {
    const own = source.create({ onChange })
    void own.run(signal)
    return own.fault
  }
  const files =
    source.kind === 'files'
      ? source
      : { certificateFile: join(source.folder, 'apiserver.crt'), keyFile: join(source.folder, 'apiserver.key') }
  const { certificateFile, keyFile } = files
  const followed = await followCertificateFiles({ certificateFile, keyFile, log, onChange })
  signal.addEventListener('abort', followed.close, { once: true })
  return followed.fault
}

async function standIn({ hosts, clock }: ServingPairOptions): Promise<ServingCertificate> {
  const { issueAuthority, issueServing } = await import('../certificates/issue.ts')
  const validity = { now: clock.now(), lifetime: STAND_IN_LIFETIME }
  const authority = await issueAuthority('package-server stand-in', validity)
  const pair = await issueServing(authority, { commonName: hosts[0] ?? 'localhost', hosts }, validity)
  return { cert: pair.certificate, key: pair.key }
}

function outOfDate(certificate: ServingCertificate, now: number): string | undefined {
  const dates = datesOf(certificate)
  if (dates === undefined) return 'it does not decode'
  if (now > dates.end) return `the serving certificate expired at ${new Date(dates.end).toISOString()}`
  return now < dates.begin
    ? `the serving certificate is not valid before ${new Date(dates.begin).toISOString()}`
    : undefined
}

const dates = new WeakMap<ServingCertificate, { readonly begin: number; readonly end: number }>()

function datesOf(certificate: ServingCertificate): { readonly begin: number; readonly end: number } | undefined {
  const known = dates.get(certificate)
  if (known !== undefined) return known
  const leaf = parseCertificates(String(certificate.cert))[0]
  if (leaf === undefined) return undefined
  const found = { begin: leaf.validFromDate.getTime(), end: leaf.validToDate.getTime() }
  dates.set(certificate, found)
  return found
}

/** The choice that flags make. Fails with USAGE where one of two files is missing. */
export function certificateSourceOf(flags: {
  readonly tlsCertFile: string
  readonly tlsPrivateKeyFile: string
  readonly certDir: string
}): Exclude<CertificateSource, { kind: 'self-managed' }> {
  const { tlsCertFile: certificateFile, tlsPrivateKeyFile: keyFile, certDir } = flags
  if (certificateFile === '' && keyFile === '') return { kind: 'folder', folder: certDir }
  if (certificateFile === '' || keyFile === '')
    throw new OlmError('USAGE', {
      reason: '--tls-cert-file and --tls-private-key-file go together: give both, or neither',
    })
  return { kind: 'files', certificateFile, keyFile }
}
