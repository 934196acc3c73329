// Who may import whom: the table of CONTRIBUTING.md as data. A room may always import itself and Node.

export interface Room {
  /** Other rooms, or files directly in `src/`. */
  readonly rooms: readonly string[]
  readonly packages: readonly string[]
}

/** Files directly in `src/`: what every room may need. */
const BASE = ['errors.ts', 'log.ts', 'duration.ts', 'folder-watch.ts', 'made-folder.ts']
const LIBRARIES = ['api', 'certificates', 'kube', 'registry', 'file-based-catalog', 'http', 'catalog', 'command-line']

function program(packages: readonly string[], programs: readonly string[] = []): Room {
  return { rooms: [...BASE, ...LIBRARIES, ...programs], packages }
}

export const ROOMS: Readonly<Record<string, Room>> = {
  'errors.ts': { rooms: [], packages: [] },
  'log.ts': { rooms: [], packages: ['pino'] },
  'duration.ts': { rooms: [], packages: [] },
  'folder-watch.ts': { rooms: [], packages: [] },
  'made-folder.ts': { rooms: [], packages: [] },
  api: { rooms: BASE, packages: ['ajv', 'semver', 'yaml'] },
  'command-line': { rooms: [...BASE, 'api'], packages: [] },
  certificates: { rooms: BASE, packages: ['@peculiar/x509', 'reflect-metadata'] },
  kube: { rooms: [...BASE, 'api'], packages: ['@kubernetes/client-node', 'lru-cache', 'yaml'] },
  registry: { rooms: BASE, packages: ['@grpc/grpc-js', '@grpc/proto-loader', '@grpc/reflection'] },
  'file-based-catalog': { rooms: [...BASE, 'api'], packages: ['yaml', 'semver', 'ignore'] },
  http: { rooms: [...BASE, 'api'], packages: ['fastify', 'prom-client', 'ws', 'lru-cache', 'yaml'] },
  catalog: { rooms: [...BASE, 'api', 'kube', 'registry'], packages: ['yaml', 'lru-cache'] },
  'package-server': program(['lru-cache', 'semver']),
  'operator-registry': program(['lru-cache', 'yaml', 'ignore']),
  standalone: program(['cli-progress'], ['package-server', 'operator-registry']),
}

/** Packages that one room alone may import: what they mean is hidden behind it. */
export const SOLE_OWNERS: Readonly<Record<string, string>> = {
  '@kubernetes/client-node': 'kube',
  '@grpc/grpc-js': 'registry',
  '@grpc/proto-loader': 'registry',
  '@grpc/reflection': 'registry',
  fastify: 'http',
  'prom-client': 'http',
  ws: 'http',
  '@peculiar/x509': 'certificates',
  'reflect-metadata': 'certificates',
  ajv: 'api',
  pino: 'log.ts',
  'cli-progress': 'standalone',
}
