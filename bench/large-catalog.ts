// Makes a catalog of a wanted size from other catalogs: their packages again and again, each copy under a name of its own.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** `sources`: folders with one folder per package. Hands back the bytes written, at least `bytes`. */
export async function makeLargeCatalog(sources: readonly string[], target: string, bytes: number): Promise<number> {
  let written = 0
  for (let copy = 0; written < bytes; copy++) {
    const before = written
    for (const [place, source] of sources.entries()) {
      for (const name of (await readdir(source)).sort()) {
        if (written < bytes) written += await copyPackage(join(source, name), target, name, `${place}-${copy}`)
      }
    }
    if (written === before) throw new Error(`no package can be copied from ${sources.join(', ')}`)
  }
  return written
}

/** JSON only: there a name between quotes is the name, wherever it stands. Hands back the bytes written. */
async function copyPackage(folder: string, target: string, name: string, suffix: string): Promise<number> {
  const files = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile())
  if (files.length === 0 || files.some((file) => !file.name.endsWith('.json'))) return 0
  const copy = `${name.slice(0, 62 - suffix.length)}-${suffix}`
  await mkdir(join(target, copy), { recursive: true })
  let written = 0
  for (const file of files) {
    const text = (await readFile(join(folder, file.name), 'utf8')).replaceAll(`"${name}"`, `"${copy}"`)
    await writeFile(join(target, copy, file.name), text)
    written += Buffer.byteLength(text)
  }
  return written
}
