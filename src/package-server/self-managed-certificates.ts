// Certificates that the server makes for itself in a cluster: kept in a Secret that all replicas share, trusted through the
// APIServices, renewed before they end. Receives clients and names, hands on the pair to serve. Whoever writes the Secret first
// wins (optimistic concurrency); a pair is taken only when the APIServices trust its authority.
import type { KeyPair } from '../certificates/issue.ts'
import { nextStep, type OwnCertificates, signerOf } from '../certificates/own-certificates.ts'
import { reasonOf } from '../errors.ts'
import type { ServingCertificate } from '../http/tls.ts'
import type { ApiClient } from '../kube/api-client.ts'
import { API_SERVICES_PATH, type ApiServiceTrust, parseApiService, writeCaBundle } from '../kube/api-service.ts'
import { type Clock, retryDelay } from '../kube/back-off.ts'
import type { EventRecorder } from '../kube/events.ts'
import { createListWatch, type ListWatchLimits } from '../kube/list-watch.ts'
import { parseSecret, readSecret, type StoredSecret, secretsPath, writeSecret } from '../kube/secret.ts'
import { createTroubleLog } from '../kube/trouble-log.ts'
import type { Logger } from '../log.ts'
import { certificatesOf, contentOf } from './certificate-secret.ts'
import { type Lifetimes, performStep } from './certificate-steps.ts'

export interface SelfManagedOptions {
  readonly client: ApiClient
  readonly namespace: string
  /** Of the Secret. */
  readonly secret: string
  /** By name, `v1.packages.operators.coreos.com`. */
  readonly apiServices: readonly string[]
  readonly hosts: readonly string[]
  readonly clock: Clock
  readonly log: Logger
  readonly events: EventRecorder
  /** Called with each pair that differs from the one before. */
  readonly onChange: (certificate: ServingCertificate) => void
  readonly lifetimes?: Partial<Lifetimes>
  readonly limits?: Partial<ListWatchLimits>
}

export interface SelfManagedCertificates {
  /** The pair in use; undefined before there was one. */
  current(): ServingCertificate | undefined
  /** Why there is none yet, or why the APIServices do not trust it. */
  fault(): string | undefined
  /** Resolves when `signal` aborts. Never rejects. */
  run(signal: AbortSignal): Promise<void>
}

export const LIFETIMES: Lifetimes = {
  authority: 10 * 365 * 86_400_000,
  serving: 365 * 86_400_000,
  settle: 60_000,
  grace: 3_600_000,
}

const ADVICE =
  'certificates of our own cannot be kept: give our service account secrets in its namespace and our APIServices'
/** Looked at this often though nothing changed, ms. */
const LOOK = 3_600_000

export function createSelfManagedCertificates(options: SelfManagedOptions): SelfManagedCertificates {
  const { client, clock, log, events, namespace } = options
  const lifetimes = { ...LIFETIMES, ...options.lifetimes }
  const place = { client, namespace, name: options.secret }
  const random = clock.random()
  const trouble = createTroubleLog(log, ADVICE)
  const apiServices = new Map<string, ApiServiceTrust>()
  const contest = createContest(clock, log)
  let stored: StoredSecret | undefined
  let current: ServingCertificate | undefined
  let fault: string | undefined = 'the Secret has not been read yet'
  let changed = false
  let rouse: () => void = () => undefined

  function wake(): void {
    changed = true
    rouse()
  }

  const more = options.limits === undefined ? {} : { limits: options.limits }
  const secrets = createListWatch<StoredSecret>({
    ...{ client, log, clock, ...more, path: secretsPath(namespace), decode: parseSecret },
    query: { fieldSelector: `metadata.name=${options.secret}` },
  })
  secrets.subscribe({
    set(_key, secret) {
      stored = secret
      wake()
    },
    removed() {
      stored = undefined
      wake()
    },
    synced: () => wake(),
  })
  const watched = options.apiServices.map((name) => {
    const watch = createListWatch<ApiServiceTrust>({
      ...{ client, log, clock, ...more, path: API_SERVICES_PATH, decode: parseApiService },
      query: { fieldSelector: `metadata.name=${name}` },
    })
    watch.subscribe({
      set(_key, service) {
        apiServices.set(name, service)
        wake()
      },
      removed() {
        apiServices.delete(name)
        wake()
      },
      synced: () => wake(),
    })
    return watch
  })

  /** Whether every APIService that exists trusts this authority. */
  function trusts(authority: string | undefined): boolean {
    if (authority === undefined || !watched.every((watch) => watch.state.synced)) return false
    return [...apiServices.values()].every(({ caBundle, insecure }) => insecure || caBundle.includes(authority.trim()))
  }

  /** One step on the Secret; false where there was none to take. */
  async function step(): Promise<number | 'again'> {
    // What the step is decided on is what it replaces, whatever the watch brings meanwhile.
    const before = stored
    const own = certificatesOf(before)
    const now = clock.now()
    const { hosts } = options
    const newestTrusted = trusts(own?.authorities[0])
    const { settle, grace } = lifetimes
    const next = nextStep({ own, hosts, newestTrusted, now, random, settle, grace })
    if (next.kind === 'wait') return next.until
    const content = contentOf(await performStep(next, own, { hosts, now, lifetimes }))
    const written = await writeSecret(place, content, before)
    // Somebody else was first: theirs counts.
    stored = written === 'conflict' ? await readSecret(place) : written
    if (written === 'conflict') return 'again'
    const reason = 'reason' in next ? next.reason : ''
    log.info({ secret: options.secret, step: next.kind, reason }, 'certificates of our own changed')
    const subject = { apiVersion: 'v1', kind: 'Secret', name: options.secret, namespace }
    const note = reason === '' ? next.kind : `${next.kind}: ${reason}`
    void events.record(subject, { type: 'Normal', reason: 'CertificatesChanged', action: 'Renew', note })
    return 'again'
  }

  /** Every APIService holds exactly our authorities. Hands back when to look again where somebody else writes there too. */
  async function publish(own: OwnCertificates): Promise<number> {
    const bundle = own.authorities.map((authority) => `${authority.trim()}\n`).join('')
    let again = Number.POSITIVE_INFINITY
    for (const service of apiServices.values()) {
      if (service.caBundle.trim() === bundle.trim()) continue
      const until = contest.until(service.name, bundle)
      if (until > clock.now()) {
        again = Math.min(again, until)
        continue
      }
      const written = await writeCaBundle(client, service, bundle)
      if (written === 'conflict') continue
      apiServices.set(service.name, written)
      contest.wrote(service.name, bundle)
      log.info({ apiService: service.name, authorities: own.authorities.length }, 'caBundle written')
    }
    return again
  }

  function take(own: OwnCertificates): void {
    const signer = signerOf(own, clock.now())
    const trusted = trusts(signer)
    const kept = current !== undefined && !trusted
    fault = trusted ? undefined : 'the APIServices do not trust our authority yet'
    if (kept || (current?.cert === own.serving.certificate && current.key === own.serving.key)) return
    current = toServing(own.serving)
    options.onChange(current)
  }

  async function reconcile(): Promise<number> {
    for (;;) {
      const until = await step()
      const own = certificatesOf(stored)
      const again = own === undefined ? until : await publish(own)
      if (own !== undefined) take(own)
      if (until !== 'again') return Math.min(until, again === 'again' ? until : again)
    }
  }

  /** Sleeps until something changes, at most `ms`. */
  async function rest(ms: number, signal: AbortSignal): Promise<void> {
    const sleeping = new AbortController()
    rouse = () => sleeping.abort()
    if (!changed) await clock.sleep(ms, AbortSignal.any([signal, sleeping.signal]))
    changed = false
  }

  async function work(signal: AbortSignal): Promise<void> {
    let failures = 0
    while (!signal.aborted) {
      if (!secrets.state.synced || !watched.every((watch) => watch.state.synced)) {
        fault = secrets.state.reason ?? watched.map((watch) => watch.state.reason).find((one) => one !== undefined)
        await rest(1000, signal)
        continue
      }
      try {
        const until = await reconcile()
        failures = 0
        trouble.over()
        await rest(Math.min(LOOK, Math.max(1000, until - clock.now())), signal)
      } catch (error) {
        failures += 1
        fault = reasonOf(error)
        trouble.report(error)
        await clock.sleep(retryDelay(failures, undefined, clock.random), signal)
      }
    }
  }

  return {
    current: () => current,
    fault: () => fault,
    async run(signal) {
      await Promise.all([secrets.run(signal), ...watched.map((watch) => watch.run(signal)), work(signal)])
    },
  }
}

/** How long to leave alone what somebody else writes over again and again: longer each time, ms. */
const CONTEST = { initial: 1000, longest: 60_000 }

/** Keeps two writers of one caBundle from racing each other at full speed. */
function createContest(clock: Clock, log: Logger) {
  const writes = new Map<string, { readonly bundle: string; readonly times: number; readonly until: number }>()
  return {
    /** When this bundle may be written there: at once the first time. */
    until(name: string, bundle: string): number {
      const before = writes.get(name)
      return before?.bundle === bundle ? before.until : clock.now()
    },
    wrote(name: string, bundle: string): void {
      const before = writes.get(name)
      const times = before?.bundle === bundle ? before.times + 1 : 0
      if (times === 1) log.warn({ apiService: name }, 'somebody else writes its caBundle too: one of the two must stop')
      const wait = times === 0 ? 0 : Math.min(CONTEST.longest, CONTEST.initial * 2 ** Math.min(times, 10))
      writes.set(name, { bundle, times, until: clock.now() + wait })
    },
  }
}

function toServing({ certificate, key }: KeyPair): ServingCertificate {
  return { cert: certificate, key }
}
