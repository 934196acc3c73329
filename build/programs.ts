// What is bundled, and what a bundle needs beside it. Receives the root of the repository, hands on paths in it and in dist/.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Entry points by the name of their bundle, without its ending. */
export type Entries = Readonly<Record<string, string>>

/** Every folder of src/ with a `main.ts` is a program. */
export function programEntries(root: string): Entries {
  const rooms = readdirSync(join(root, 'src')).sort()
  const programs = rooms.filter((room) => existsSync(join(root, 'src', room, 'main.ts')))
  return Object.fromEntries(programs.map((room) => [room, `src/${room}/main.ts`]))
}

/** Processes and threads that a program starts: each looks for its entry beside itself, under its own ending. */
export const HELPER_ENTRIES: Entries = {
  'loading/main': 'src/operator-registry/loading/main.ts',
  'manifest-thread': 'src/catalog/manifest-thread.ts',
}

/** Files and folders that programs read beside themselves: from where, to where in dist/. */
export const READ_AT_RUN_TIME: readonly (readonly [from: string, to: string])[] = [
  ['src/registry/registry.proto', 'registry.proto'],
  ['src/registry/health.proto', 'health.proto'],
  ['src/standalone/catalogs', 'catalogs'],
  ['node_modules/@grpc/reflection/build/proto', 'proto'],
]
