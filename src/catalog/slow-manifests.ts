// Decodes a manifest here where that is quick, in a thread where it is not: YAML and very large JSON take longer than the event
// loop may be held up. Receives text, hands on what the decoder says. The thread lives only while it is needed.
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ClusterServiceVersion } from '../api/cluster-service-version.ts'
import { stringMap } from '../api/string-map.ts'
import { reasonOf } from '../errors.ts'
import type { DecodedHead } from './head-decoder.ts'

export interface ManifestDecoder {
  decode(manifest: string): DecodedHead | Promise<DecodedHead>
  close(): Promise<void>
}

/** Longest manifests that are decoded here, in UTF-16 units: a millisecond holds about 100,000 of JSON and 500 of YAML. */
const LONGEST_JSON = 1_500_000
const LONGEST_OTHER = 4000
/** No manifest takes longer, whatever it was made to do, ms. */
const LONGEST_TIME_MS = 30_000
/** A thread without work ends after this, ms. */
const IDLE_MS = 2000

export function createManifestDecoder(decode: (manifest: string) => DecodedHead): ManifestDecoder {
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let turn: Promise<unknown> = Promise.resolve()

  async function end(): Promise<void> {
    const ending = thread
    thread = undefined
    clearTimeout(idle)
    await ending?.terminate()
  }

  async function decodeAside(manifest: string): Promise<DecodedHead> {
    clearTimeout(idle)
    try {
      thread ??= new Worker(threadEntry())
      thread.unref()
      return await ask(thread, manifest)
    } catch (error) {
      await end()
      return { reason: `cannot be decoded: ${reasonOf(error)}` }
    } finally {
      idle = setTimeout(() => void end(), IDLE_MS)
      idle.unref()
    }
  }

  return {
    decode(manifest) {
      const longest = /^\s*\{/.test(manifest) ? LONGEST_JSON : LONGEST_OTHER
      if (manifest.length <= longest) return decode(manifest)
      const answer = turn.then(() => decodeAside(manifest))
      turn = answer
      return answer
    },
    close: end,
  }
}

/** Beside this file under the same ending: as a source, or as an entry of its own beside a bundle. */
function threadEntry(): URL {
  return new URL(`./manifest-thread${extname(import.meta.url)}`, import.meta.url)
}

function ask(thread: Worker, manifest: string): Promise<DecodedHead> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail(new Error(`takes longer than ${LONGEST_TIME_MS / 1000} s`)), LONGEST_TIME_MS)
    const stop = () => {
      clearTimeout(timer)
      thread.off('message', done)
      thread.off('error', fail)
      thread.off('exit', gone)
    }
    function done(answer: DecodedHead): void {
      stop()
      resolve('reason' in answer ? answer : { csv: revived(answer.csv) })
    }
    function fail(error: unknown): void {
      stop()
      reject(error)
    }
    function gone(): void {
      fail(new Error('its thread ended'))
    }
    thread.once('message', done)
    thread.once('error', fail)
    thread.once('exit', gone)
    thread.postMessage(manifest)
  })
}

/** What crosses threads is a copy: its maps have a prototype again and nothing is frozen. */
function revived(csv: ClusterServiceVersion): ClusterServiceVersion {
  return deepFrozen({
    ...csv,
    labels: stringMap(Object.entries(csv.labels)),
    annotations: stringMap(Object.entries(csv.annotations)),
  })
}

function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const member of Object.values(value)) deepFrozen(member)
  return Object.freeze(value)
}
