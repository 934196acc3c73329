// The bench's own options, and what `--help` says of them.

export interface BenchOptions {
  /** Smaller catalogs, fewer rounds: under two minutes on an idle machine. */
  readonly quick: boolean
  /** Names of parts; none: all. */
  readonly only: readonly string[]
  /** Another server of the same API, measured in the same rounds. */
  readonly peer:
    | { readonly origin: string; readonly ca: string; readonly cert: string; readonly key: string }
    | undefined
  /** Only the requests whose names hold this text; "": all. */
  readonly rows: string
  /** A folder for a profile of each request's row; undefined: none. */
  readonly profiles: string | undefined
  readonly say: (line: string) => void
}

export const BENCH_OPTIONS = {
  quick: { type: 'boolean' },
  only: { type: 'string' },
  out: { type: 'string', default: 'bench-result.json' },
  peer: { type: 'string' },
  ca: { type: 'string' },
  cert: { type: 'string' },
  key: { type: 'string' },
  profiles: { type: 'string' },
  rows: { type: 'string', default: '' },
  help: { type: 'boolean' },
} as const

export function benchHelp(): string {
  return `Usage: npm run bench -- [--quick] [--only PART,…] [--out FILE] [--profiles DIR]
                        [--peer https://HOST:PORT --ca FILE --cert FILE --key FILE]

Bundles the programs, starts them on catalogs of its own making, and measures them against bare node:https (and nginx,
where it is installed) with the same bytes in the same run.

  --quick      smaller catalogs and fewer rounds
  --only       parts: bundle, requests, watch, start, readings, growth, registry
  --rows TEXT  of the requests, only the rows whose names hold this text
  --out FILE   where the figures go, as JSON; default bench-result.json
  --peer URL   another server of the same API: its rows stand beside ours; it holds catalogs of its own
  --profiles DIR   a .cpuprofile of the server for each row of the requests, from a round that does not count
  --ca, --cert, --key   PEM files of the authority to trust and the client certificate to show to the peer

node bench/compare-results.ts OLD.json NEW.json tells what became slower; node bench/profile-summary.ts
FILE.cpuprofile tells where the time went.
`
}
