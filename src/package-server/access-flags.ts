// Flags about whom to believe and whom to let in: those of the Go package-server under their names.
import type { FlagTable } from '../command-line/flags.ts'

const AUTHENTICATION = 'Authentication'
const AUTHORIZATION = 'Authorization'

export const AUTHENTICATION_FLAGS = {
  'authentication-kubeconfig': {
    kind: 'string',
    default: '',
    placeholder: 'FILE',
    group: AUTHENTICATION,
    help: 'Kubeconfig of the API server that reviews tokens; none: the one that holds the CatalogSources.',
  },
  'authentication-token-webhook-cache-ttl': {
    kind: 'duration',
    default: '10s',
    group: AUTHENTICATION,
    help: 'How long the review of a token counts.',
  },
  'authentication-skip-lookup': {
    kind: 'boolean',
    default: false,
    group: AUTHENTICATION,
    help: 'Do not read kube-system/extension-apiserver-authentication: the files of these flags alone say whom to believe.',
  },
  'authentication-tolerate-lookup-failure': {
    kind: 'boolean',
    default: false,
    group: AUTHENTICATION,
    help: 'Do not end where that object cannot be read.',
    unneeded: 'it is tried again until it can, unready meanwhile.',
  },
  'anonymous-auth': {
    kind: 'boolean',
    default: true,
    group: AUTHENTICATION,
    help: 'Requests without credentials run as system:anonymous; otherwise they are 401.',
  },
  'api-audiences': {
    kind: 'list',
    default: [],
    group: AUTHENTICATION,
    help: "Audiences of which a bearer token must be for one; none: the API server's own.",
  },
  'client-ca-file': {
    kind: 'string',
    default: '',
    placeholder: 'FILE',
    group: AUTHENTICATION,
    help: 'Authorities whose client certificates are users: common name and organizations.',
  },
  'requestheader-client-ca-file': {
    kind: 'string',
    default: '',
    placeholder: 'FILE',
    group: AUTHENTICATION,
    help: 'Authorities whose client certificates are front proxies, believed about the headers below.',
  },
  'requestheader-allowed-names': {
    kind: 'list',
    default: [],
    group: AUTHENTICATION,
    help: 'Common names of front proxies; none: every name that the authority signed.',
  },
  'requestheader-username-headers': {
    kind: 'list',
    default: ['x-remote-user'],
    group: AUTHENTICATION,
    help: "Headers that hold the user's name.",
  },
  'requestheader-group-headers': {
    kind: 'list',
    default: ['x-remote-group'],
    group: AUTHENTICATION,
    help: "Headers that hold the user's groups.",
  },
  'requestheader-extra-headers-prefix': {
    kind: 'list',
    default: ['x-remote-extra-'],
    group: AUTHENTICATION,
    help: 'How headers begin that hold more about the user.',
  },
  'requestheader-uid-headers': {
    kind: 'list',
    default: [],
    group: AUTHENTICATION,
    help: "Headers that hold the user's uid.",
  },
} as const satisfies FlagTable

export const AUTHORIZATION_FLAGS = {
  'audit-log': {
    kind: 'string',
    default: '',
    placeholder: 'FILE',
    group: AUTHORIZATION,
    help: 'Append one JSON line for each request: who, what, which answer; -: to standard output; none: no such log.',
  },
  'authorization-kubeconfig': {
    kind: 'string',
    default: '',
    placeholder: 'FILE',
    group: AUTHORIZATION,
    help: 'Kubeconfig of the API server that reviews access; none: the one that holds the CatalogSources.',
  },
  'authorization-always-allow-paths': {
    kind: 'list',
    default: ['/healthz', '/readyz', '/livez'],
    group: AUTHORIZATION,
    help: 'Paths open to all.',
  },
  'authorization-webhook-cache-authorized-ttl': {
    kind: 'duration',
    default: '10s',
    group: AUTHORIZATION,
    help: 'How long a permission counts.',
  },
  'authorization-webhook-cache-unauthorized-ttl': {
    kind: 'duration',
    default: '10s',
    group: AUTHORIZATION,
    help: 'How long a refusal counts.',
  },
} as const satisfies FlagTable
