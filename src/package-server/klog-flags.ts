// Flags that the Go package-server has because its libraries have them: taken, so that its command lines work unchanged.
import type { FlagTable } from '../command-line/flags.ts'

const GROUP = 'Taken for the sake of command lines written for the Go package-server'
const NO_FILES = 'the log goes to standard error alone.'
const ONE_FORM = 'every line of the log has the same form: see --log-format.'
const ONE_LEVEL = 'one level holds for all of the log: see -v.'
const NODE_PROFILES = "Node's own --cpu-prof and --inspect do this."

export const KLOG_FLAGS = {
  logtostderr: { kind: 'boolean', default: true, group: GROUP, help: 'Log to standard error.', unneeded: NO_FILES },
  alsologtostderr: {
    kind: 'boolean',
    default: false,
    group: GROUP,
    help: 'Log to standard error and files.',
    unneeded: NO_FILES,
  },
  alsologtostderrthreshold: {
    kind: 'string',
    default: '',
    group: GROUP,
    help: 'Severity from which on to do so.',
    unneeded: NO_FILES,
  },
  stderrthreshold: {
    kind: 'string',
    default: 'INFO',
    group: GROUP,
    help: 'Severity from which on to log to standard error.',
    unneeded: NO_FILES,
  },
  legacy_stderr_threshold_behavior: {
    kind: 'boolean',
    default: false,
    group: GROUP,
    help: 'Ignore --stderrthreshold.',
    unneeded: NO_FILES,
  },
  log_dir: { kind: 'string', default: '', group: GROUP, help: 'Folder of log files.', unneeded: NO_FILES },
  log_file: { kind: 'string', default: '', group: GROUP, help: 'Log file.', unneeded: NO_FILES },
  log_file_max_size: {
    kind: 'integer',
    default: 1800,
    group: GROUP,
    help: 'Largest log file in megabytes.',
    unneeded: NO_FILES,
  },
  one_output: {
    kind: 'boolean',
    default: false,
    group: GROUP,
    help: 'Each line to the file of its severity alone.',
    unneeded: NO_FILES,
  },
  skip_log_headers: {
    kind: 'boolean',
    default: false,
    group: GROUP,
    help: 'No head in log files.',
    unneeded: NO_FILES,
  },
  skip_headers: { kind: 'boolean', default: false, group: GROUP, help: 'No head before a line.', unneeded: ONE_FORM },
  add_dir_header: { kind: 'boolean', default: false, group: GROUP, help: 'Folder before a line.', unneeded: ONE_FORM },
  vmodule: { kind: 'string', default: '', group: GROUP, help: 'Detail by source file.', unneeded: ONE_LEVEL },
  log_backtrace_at: {
    kind: 'string',
    default: '',
    group: GROUP,
    help: 'Where to log a stack.',
    unneeded: 'errors carry theirs at -v=6.',
  },
  profiling: { kind: 'boolean', default: true, group: GROUP, help: 'Serve /debug/pprof.', unneeded: NODE_PROFILES },
  'contention-profiling': {
    kind: 'boolean',
    default: false,
    group: GROUP,
    help: 'Profile locks.',
    unneeded: 'one thread serves: there are no locks.',
  },
  'debug-socket-path': {
    kind: 'string',
    default: '',
    group: GROUP,
    help: 'Socket for profiles.',
    unneeded: NODE_PROFILES,
  },
  'enable-priority-and-fairness': {
    kind: 'boolean',
    default: true,
    group: GROUP,
    help: 'Queue requests by priority.',
    unneeded: 'the bounds on requests in flight keep places for health and discovery.',
  },
} as const satisfies FlagTable
