// A serving certificate and its key in two files, read again when they change (kubelet's swap of a symlink too). A pair
// that is broken or half-written is not taken: the one before stays, and the reason is said once.
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { keyMatches, parseCertificates } from '../certificates/certificate-chain.ts'
import { fileReasonOf, OlmError, reasonOf } from '../errors.ts'
import { watchFolder } from '../folder-watch.ts'
import type { ServingCertificate } from '../http/tls.ts'
import type { Logger } from '../log.ts'

export interface CertificateFilesOptions {
  readonly certificateFile: string
  readonly keyFile: string
  readonly log: Logger
  /** Called with each pair that differs from the one before. */
  readonly onChange: (certificate: ServingCertificate) => void
}

export interface CertificateFiles {
  /** The pair in use; undefined before there was a good one. */
  current(): ServingCertificate | undefined
  /** Why there is none, or why the newest is not in use. */
  fault(): string | undefined
  close(): void
}

/** Ends after the first try, whatever came of it. */
export async function followCertificateFiles(options: CertificateFilesOptions): Promise<CertificateFiles> {
  const { certificateFile, keyFile, log, onChange } = options
  let current: ServingCertificate | undefined
  let fault: string | undefined

  async function read(): Promise<void> {
    try {
      const pair = await readCertificateFiles(certificateFile, keyFile)
      if (fault !== undefined) log.info({ file: certificateFile }, 'serving certificate is good again')
      fault = undefined
      if (pair.cert === current?.cert && pair.key === current.key) return
      if (current !== undefined) log.info({ file: certificateFile }, 'serving certificate replaced')
      current = pair
      onChange(pair)
    } catch (thrown) {
      const reason = reasonOf(thrown)
      if (reason !== fault) log.warn({ reason, kept: current !== undefined }, 'serving certificate not taken')
      fault = reason
    }
  }

  const folders = new Set([dirname(certificateFile), dirname(keyFile)])
  const watches = [...folders].map((folder) => watchFolder(folder, { depth: 1, onChange: read }))
  await Promise.all(watches.map(({ ready }) => ready))
  await read()
  return {
    current: () => current,
    fault: () => fault,
    close() {
      for (const watch of watches) watch.close()
    },
  }
}

/** Fails with FILE_UNREADABLE where a file is missing, is no PEM, or the two do not belong together. */
export async function readCertificateFiles(certificateFile: string, keyFile: string): Promise<ServingCertificate> {
  const cert = await read(certificateFile)
  const key = await read(keyFile)
  const [leaf] = decode(certificateFile, cert)
  if (leaf === undefined) throw unreadable(certificateFile, 'holds no certificate (PEM)')
  if (!keyMatches(leaf, key)) throw unreadable(keyFile, `is not the private key (PEM) of ${certificateFile}`)
  return { cert, key }
}

function decode(file: string, text: string) {
  try {
    return parseCertificates(text)
  } catch (thrown) {
    throw unreadable(file, `holds a certificate that cannot be read: ${reasonOf(thrown)}`)
  }
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (thrown) {
    throw unreadable(file, fileReasonOf(thrown), thrown)
  }
}

function unreadable(file: string, reason: string, cause?: unknown): OlmError {
  return new OlmError('FILE_UNREADABLE', { file, reason }, { cause })
}
