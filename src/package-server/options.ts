// The command line of the package-server: argv -> frozen options. All flags of the Go package-server, with its defaults
// but for --interval (there 12h) and --secure-port (there 443; OLM passes 5443).
import { defineCommand } from '../command-line/command-line.ts'
import type { Options } from '../command-line/flags.ts'
import { AUTHENTICATION_FLAGS, AUTHORIZATION_FLAGS } from './access-flags.ts'
import { BOUND_FLAGS } from './bound-flags.ts'
import { LOGGING_FLAGS, READING_FLAGS } from './catalog-flags.ts'
import { KLOG_FLAGS } from './klog-flags.ts'
import { SERVING_FLAGS } from './serving-flags.ts'

export const PACKAGE_SERVER = defineCommand({
  name: 'package-server',
  summary:
    'Serves the packages of the catalogs of a cluster as packagemanifests.packages.operators.coreos.com, behind its API server.',
  flags: {
    kubeconfig: {
      kind: 'string',
      default: '',
      placeholder: 'FILE',
      help: 'Kubeconfig of the cluster whose CatalogSources are read; none: the service account of the pod.',
    },
    ...READING_FLAGS,
    'state-dir': {
      kind: 'string',
      default: '',
      placeholder: 'DIR',
      help: 'Folder of this process alone in which the last good reading of each catalog outlives a restart; none: not kept.',
    },
    ...SERVING_FLAGS,
    ...AUTHENTICATION_FLAGS,
    ...AUTHORIZATION_FLAGS,
    ...BOUND_FLAGS,
    ...LOGGING_FLAGS,
    ...KLOG_FLAGS,
  },
})

export type PackageServerFlags = Options<typeof PACKAGE_SERVER.flags>
