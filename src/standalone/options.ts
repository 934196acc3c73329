// The command line of `npm start`: argv -> frozen options.
import { defineCommand } from '../command-line/command-line.ts'
import type { Options } from '../command-line/flags.ts'
import { LOGGING_FLAGS, READING_FLAGS } from '../package-server/catalog-flags.ts'
import { SERVING_FLAGS } from '../package-server/serving-flags.ts'

/** The catalogs that are served here live in it. */
function namespace(value: string): string | undefined {
  return value === '' ? 'is not the name of a namespace' : READING_FLAGS['global-namespace'].check(value)
}

export const STANDALONE = defineCommand({
  name: 'npm start --',
  summary:
    'Serves the packages of catalogs to kubectl without a cluster: an operator registry and a package-server in one process.',
  flags: {
    catalogs: {
      kind: 'string',
      default: '',
      placeholder: 'DIR',
      help: 'Each sub-folder is one file-based catalog, served and given a CatalogSource in the global namespace; watched. None: the catalogs that come with this project.',
    },
    'catalog-sources': {
      kind: 'string',
      default: '',
      placeholder: 'DIR',
      help: 'YAML or JSON files of CatalogSource objects (or Lists of them), each read from the registry at its address; watched.',
    },
    'data-dir': {
      kind: 'string',
      default: '.olm',
      placeholder: 'DIR',
      help: 'Where the certificates and the kubeconfig are kept.',
      check: (value) => (value === '' ? 'is not a folder' : undefined),
    },
    'secure-port': SERVING_FLAGS['secure-port'],
    'bind-address': { ...SERVING_FLAGS['bind-address'], default: '127.0.0.1' },
    ...READING_FLAGS,
    'global-namespace': { ...READING_FLAGS['global-namespace'], default: 'olm', check: namespace },
    ...LOGGING_FLAGS,
  },
})

export type StandaloneFlags = Options<typeof STANDALONE.flags>
