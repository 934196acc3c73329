// What the bench uses of autocannon, which brings no types.
declare module 'autocannon' {
  export interface Request {
    readonly path: string
    readonly method?: string
    readonly headers?: Readonly<Record<string, string>>
  }
  export interface Client {
    /** Its own queue, which gathers bodies as text. */
    readonly pipelinedRequests: { addBody: (piece: Uint8Array) => void }
    setRequests(requests: readonly Request[]): void
  }
  export interface Options {
    readonly url: string
    readonly connections: number
    /** Seconds. */
    readonly duration: number
    /** Seconds. */
    readonly timeout?: number
    readonly requests?: readonly Request[]
    readonly setupClient?: (client: Client) => void
    readonly tlsOptions?: object
    readonly workers?: number
  }
  export interface Result {
    readonly duration: number
    readonly errors: number
    readonly timeouts: number
    readonly statusCodeStats: Readonly<Record<string, { readonly count: number }>>
    readonly throughput: { readonly total: number }
  }
  export default function autocannon(options: Options): PromiseLike<Result>
}
