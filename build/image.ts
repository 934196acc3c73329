// `node build/image.ts DIR`: from dist/ to the files of the container image: app/ with the programs, each of which starts by itself, and
// bin/ with their names in a path. Made by the Dockerfile after `npm run build`; says what each weighs.
import { chmod, cp, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const DIST = resolve(fileURLToPath(new URL('../dist', import.meta.url)))

/** Where distroless has Node; SIGUSR1 would open its debugger. A first line has but one argument. */
const FIRST_LINE = '#!/nodejs/bin/node --disable-sigusr1'

/** By the name in the path: the program. `opm` takes the same verbs. */
const NAMES: Readonly<Record<string, string>> = {
  'package-server': 'package-server.mjs',
  'operator-registry': 'operator-registry.mjs',
  opm: 'operator-registry.mjs',
  olm: 'install.mjs',
}

/** For a machine without a cluster, not for an image. */
const LEFT_OUT = new Set(['standalone.mjs', 'catalogs', 'metafile.json'])

const target = process.argv[2]
if (target === undefined) throw new Error('node build/image.ts DIR')
const app = join(target, 'app')
const bin = join(target, 'bin')
await rm(target, { recursive: true, force: true })
await mkdir(bin, { recursive: true })
const held = (await readdir(DIST)).filter((name) => !LEFT_OUT.has(name))
for (const name of held) await cp(join(DIST, name), join(app, name), { recursive: true })

const programs = new Set(Object.values(NAMES).filter((file) => held.includes(file)))
if (programs.size === 0) throw new Error('dist/ holds no program: `npm run build` comes first')
for (const file of programs) {
  const path = join(app, file)
  const text = await readFile(path, 'utf8')
  await writeFile(path, `${FIRST_LINE}\n${text.replace(/^#![^\n]*\n/, '')}`)
  await chmod(path, 0o755)
}
for (const [name, file] of Object.entries(NAMES)) {
  if (programs.has(file)) await symlink(`/app/${file}`, join(bin, name))
}

for (const name of (await readdir(app, { recursive: true })).sort()) {
  const { size } = await stat(join(app, name))
  if (size > 1 << 16) process.stdout.write(`app/${name.padEnd(28)} ${(size / 2 ** 20).toFixed(2)} MiB\n`)
}
