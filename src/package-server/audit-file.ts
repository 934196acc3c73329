// The audit log's file, or standard output: opened at the start, appended to, closed at the end. Receives a name, hands on an
// observer of answers.

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type { Writable } from 'node:stream'
import { fileReasonOf, OlmError, reasonOf } from '../errors.ts'
import { createAuditLog } from '../http/audit-log.ts'
import type { AnswerFacts } from '../http/request-handler.ts'
import type { Logger } from '../log.ts'

export interface AuditFile {
  observe(facts: AnswerFacts): void
  /** Resolves when all lines are written. */
  close(): Promise<void>
}

export interface AuditFileOptions {
  /** `-`: standard output. */
  readonly file: string
  readonly stdout: Writable
  readonly clock: { now(): number }
  readonly log: Logger
}

/** Readable by us alone: it says who did what. */
const MODE = 0o600

/** Fails with FILE_UNREADABLE where the file cannot be written. */
export async function openAuditFile({ file, stdout, clock, log }: AuditFileOptions): Promise<AuditFile> {
  const stream: Writable = file === '-' ? stdout : createWriteStream(file, { flags: 'a', mode: MODE })
  if (stream !== stdout) {
    await once(stream, 'open').catch((error: unknown) => {
      throw new OlmError('FILE_UNREADABLE', { file, reason: fileReasonOf(error) }, { cause: error })
    })
  }
  stream.on('error', (error: unknown) =>
    log.error({ file, reason: reasonOf(error) }, 'the audit log cannot be written'),
  )
  const onLoss = () => log.error({ file }, 'the audit log does not keep up: lines are lost')
  return {
    observe: createAuditLog({ stream, clock, onLoss }),
    async close() {
      if (stream === stdout || stream.destroyed) return
      stream.end()
      await once(stream, 'close').catch(() => undefined)
    },
  }
}
