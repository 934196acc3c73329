// `npm run build`: one bundle per program and per process or thread that a program starts, into dist/, with what they read
// at run time; says what each weighs. dist/ needs Node.js and nothing else. `--metafile` tells what each byte is there for.
import { cp, mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { HELPER_ENTRIES, programEntries, READ_AT_RUN_TIME } from './programs.ts'

const ROOT = resolve(fileURLToPath(new URL('..', import.meta.url)))
const DIST = join(ROOT, 'dist')

// Libraries of CommonJS ask for `require`; two find their .proto files from `__dirname` by `../../proto`: dist/proto it is.
const PREAMBLE = `import { createRequire as requireFrom } from 'node:module'
const require = requireFrom(import.meta.url), bundledFrom = import.meta.dirname + '/libraries/source'`

await rm(DIST, { recursive: true, force: true })
await mkdir(DIST, { recursive: true })
const { metafile } = await build({
  absWorkingDir: ROOT,
  entryPoints: { ...programEntries(ROOT), ...HELPER_ENTRIES },
  outdir: DIST,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node22.19',
  minifySyntax: true,
  minifyWhitespace: process.argv.includes('--small'),
  legalComments: 'none',
  banner: { js: PREAMBLE },
  define: { __dirname: 'bundledFrom' },
  metafile: true,
  logLevel: 'warning',
})
for (const [from, to] of READ_AT_RUN_TIME) {
  await mkdir(dirname(join(DIST, to)), { recursive: true })
  await cp(join(ROOT, from), join(DIST, to), { recursive: true })
}
if (process.argv.includes('--metafile')) await writeFile(join(DIST, 'metafile.json'), JSON.stringify(metafile))
for (const path of Object.keys(metafile.outputs)) {
  const { size } = await stat(join(ROOT, path))
  process.stdout.write(`${path.padEnd(32)} ${(size / 2 ** 20).toFixed(2)} MiB\n`)
}
