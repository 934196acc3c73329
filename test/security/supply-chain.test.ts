// What comes with us: no package of the production tree may run a script when it is installed, none comes from elsewhere than the
// registry, and each that is direct has its reason in the README.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const ROOT = join(import.meta.dirname, '../..')

interface Locked {
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly optional?: boolean
  readonly hasInstallScript?: boolean
  readonly integrity?: string
  readonly resolved?: string
}

function json<T>(name: string): T {
  return JSON.parse(readFileSync(join(ROOT, name), 'utf8')) as T
}

const { packages } = json<{ packages: Readonly<Record<string, Locked>> }>('package-lock.json')
const manifest = json<{
  dependencies: Readonly<Record<string, string>>
  allowScripts: Readonly<Record<string, boolean>>
}>('package.json')
const production = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true)

t.test('no install script of the production tree runs', async (t) => {
  const allowed = (name: string) => manifest.allowScripts[name] === true
  for (const [path, { hasInstallScript }] of production) {
    const name = path.replace(/^.*node_modules\//, '')
    if (hasInstallScript === true) t.notOk(allowed(name), `${name} has one, and it is not allowed to run`)
  }
  t.ok(production.length > 20)
})

t.test('every package is held by its hash, and none by an address', async (t) => {
  for (const [path, { integrity, resolved }] of production) {
    t.match(integrity, /^sha512-/, path)
    if (resolved !== undefined) t.match(resolved, /^https:\/\/registry\.npmjs\.org\//, path)
  }
})

t.test('every direct dependency has its reason in the README', async (t) => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  for (const name of Object.keys(manifest.dependencies)) t.match(readme, `\`${name}\``, name)
})
