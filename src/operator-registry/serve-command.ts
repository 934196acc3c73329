// The command line of `serve`: the flags of the reference program under their names and with its defaults, then our own.
import { defineCommand } from '../command-line/command-line.ts'
import type { Options } from '../command-line/flags.ts'

const CACHE = 'Cache'
const OWN = 'Beyond opm'
const PPROF = 'Go profiles do not exist here; node --cpu-prof makes one of this program.'

export const SERVE = defineCommand({
  name: 'operator-registry serve',
  summary: 'Serves a folder of file-based catalogs to OLM over gRPC.',
  arguments: [{ name: 'DIR', help: 'Folder of the catalog: every file in it is read, but what .indexignore names.' }],
  flags: {
    port: {
      kind: 'integer',
      short: 'p',
      default: 50051,
      min: 0,
      max: 65535,
      help: 'Port to serve on; 0: any free one.',
    },
    'termination-log': {
      kind: 'string',
      short: 't',
      default: '/dev/termination-log',
      placeholder: 'FILE',
      help: 'File to which the reason of a failure is written, for whoever asks why the container ended.',
    },
    debug: { kind: 'boolean', default: false, help: 'Log every call.' },
    'cache-dir': {
      kind: 'string',
      default: '',
      placeholder: 'DIR',
      group: CACHE,
      help: 'Folder in which a loaded catalog is kept for the next start; none: each start loads it anew.',
    },
    'cache-only': {
      kind: 'boolean',
      default: false,
      group: CACHE,
      help: 'Bring the cache up to date and leave without serving.',
    },
    'cache-enforce-integrity': {
      kind: 'boolean',
      default: false,
      group: CACHE,
      help: 'Refuse to start with a cache that is absent, damaged or of another catalog (default: true for one that is damaged or of another catalog if --cache-dir is given without --cache-only and --watch).',
    },
    'pprof-addr': {
      kind: 'string',
      default: 'localhost:6060',
      placeholder: 'HOST:PORT',
      help: 'Address of the profiling endpoint of the Go program.',
      unneeded: PPROF,
    },
    'pprof-capture-profiles': {
      kind: 'boolean',
      default: false,
      help: 'Profile the start of the Go program.',
      unneeded: PPROF,
    },
    'bind-address': {
      kind: 'string',
      default: '',
      placeholder: 'ADDRESS',
      group: OWN,
      help: 'Address to serve on; none: all of this machine.',
    },
    lenient: {
      kind: 'boolean',
      default: false,
      group: OWN,
      help: 'Leave out a package with faults and serve the others; without it such a catalog is refused.',
    },
    watch: {
      kind: 'boolean',
      default: false,
      group: OWN,
      help: 'Follow DIR and serve what it holds as it changes; a new content with faults leaves the old one served.',
    },
    'metrics-address': {
      kind: 'string',
      default: '',
      placeholder: 'HOST:PORT',
      group: OWN,
      help: 'Serve /metrics, /healthz, /livez and /readyz over HTTP here; none: not at all.',
      check: (value) =>
        value === '' || /^(\[[\da-fA-F:.]+\]|[^:\s]*):\d{1,5}$/.test(value) ? undefined : 'is not HOST:PORT',
    },
  },
})

export type ServeOptions = Options<typeof SERVE.flags>
