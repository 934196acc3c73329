// The limits of a run: bare node:https, and nginx where it is installed, each told the same ready answers. Receives answers,
// hands on where they are served.
import { fileURLToPath } from 'node:url'
import { type NginxLimit, startNginx } from './nginx-limit.ts'
import { type ObservedProcess, startObserved } from './observed-process.ts'
import type { Credentials } from './secure-client.ts'

export interface ReadyAnswer {
  /** Without a query. */
  readonly path: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export interface LimitQuestion {
  readonly listen?: Credentials
  readonly answers?: readonly ReadyAnswer[]
}

export interface Limits {
  readonly node: { readonly origin: string; readonly process: ObservedProcess }
  readonly nginx: NginxLimit | undefined
  serve(answers: readonly ReadyAnswer[]): Promise<void>
  stop(): Promise<void>
}

/** `serving`: what both show; its authority is also that of the clients. */
export async function startLimits(serving: Credentials, folder: string): Promise<Limits> {
  const process = startObserved([fileURLToPath(new URL('./limit-process.ts', import.meta.url))])
  const question: LimitQuestion = { listen: serving }
  const { origin } = (await process.ask(question)) as { origin: string }
  const nginx = await startNginx(serving, folder)
  return {
    node: { origin, process },
    nginx,
    async serve(answers) {
      const told: LimitQuestion = { answers }
      await process.ask(told)
      await nginx?.serve(answers)
    },
    async stop() {
      await Promise.all([process.stop(), nginx?.stop()])
    },
  }
}
