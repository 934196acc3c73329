// `npm run build -- --small && node build/image-size.ts`: what the image weighs, added up: the base's packages as Debian 12 states
// their installed sizes (the image's own of Debian 13 differ by little), Node's binary as it lies here, and our files.

import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Installed-Size in KiB, `apt-cache show` of Debian 12, December 2026. */
const BASE_PACKAGES: Readonly<Record<string, number>> = {
  'base-files': 341,
  'ca-certificates': 388,
  'gcc-base': 100,
  libc6: 13_001,
  'libgcc-s1': 140,
  libssl3: 6042,
  'libstdc++6': 2686,
  'media-types': 92,
  netbase: 36,
  tzdata: 2571,
}

const folder = await mkdtemp(join(tmpdir(), 'image-'))
try {
  const script = join(dirname(fileURLToPath(import.meta.url)), 'image.ts')
  await promisify(execFile)(process.execPath, [script, join(folder, 'image')])
  const base = Object.values(BASE_PACKAGES).reduce((sum, kib) => sum + kib * 1024, 0)
  const node = (await stat(process.execPath)).size
  const own = await sizeBelow(join(folder, 'image'))
  const rows = [
    ['base (Debian packages)', base],
    ['Node.js', node],
    ['ours', own],
    ['total, uncompressed', base + node + own],
  ] as const
  for (const [name, size] of rows)
    process.stdout.write(`${name.padEnd(24)} ${(size / 2 ** 20).toFixed(1).padStart(7)} MiB\n`)
} finally {
  await rm(folder, { recursive: true })
}

async function sizeBelow(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
