// The rules of the house as a test. A rule that costs more than it gives is changed here, in the open.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ROOMS, SOLE_OWNERS } from './presubmit/rooms.ts'
import { filesBelow, ROOT, roomOf, targetOf, typeScriptFiles } from './presubmit/source-files.ts'

const MAX_LINES = 250
const sources = typeScriptFiles('src')
const everything = [...sources, ...typeScriptFiles('test'), ...typeScriptFiles('bench')]

function isMain(path: string): boolean {
  return path.endsWith('/main.ts')
}

t.test('imports go one way', async (t) => {
  for (const file of sources) {
    const room = roomOf(file.path)
    const rules = ROOMS[room]
    if (rules === undefined) {
      t.fail(`${file.path}: ${room} is not in the table of rooms (test/presubmit/rooms.ts)`)
      continue
    }
    for (const specifier of file.imports) {
      if (specifier.startsWith('node:') || specifier.endsWith('/package.json')) continue
      const target = targetOf(file, specifier)
      const local = specifier.startsWith('.')
      const allowed = local ? [room, ...rules.rooms].includes(roomOf(target)) : rules.packages.includes(target)
      if (!allowed) t.fail(`${file.path}: ${room} may not import ${target}`)
    }
  }
})

t.test('a dependency has one owner', async (t) => {
  for (const file of sources) {
    for (const specifier of file.imports) {
      const owner = SOLE_OWNERS[targetOf(file, specifier)]
      if (owner !== undefined && owner !== roomOf(file.path)) t.fail(`${file.path}: ${specifier} belongs to ${owner}`)
    }
  }
})

t.test('every production dependency is used, and has its reason in the README', async (t) => {
  const about = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { dependencies: Record<string, string> }
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const used = new Set(sources.flatMap((file) => file.imports.map((specifier) => targetOf(file, specifier))))
  for (const name of Object.keys(about.dependencies)) {
    t.ok(used.has(name), `${name} is imported in src/`)
    t.ok(readme.includes(`\`${name}\``), `${name} is in the README's table of dependencies`)
  }
})

t.test('a file is one idea', async (t) => {
  const seen = new Map<string, string>()
  for (const { path, text } of sources) {
    const base = path.split('/').at(-1) ?? ''
    const lines = text.split('\n').length - 1
    if (lines > MAX_LINES) t.fail(`${path}: ${lines} lines, more than ${MAX_LINES}: it holds two ideas`)
    if (!/^[a-z0-9]+(-[a-z0-9]+)*\.ts$/.test(base)) t.fail(`${path}: the name is not kebab-case`)
    if (/^(index|utils?|helpers?|common|misc|types|constants|enums)\.ts$/.test(base)) t.fail(`${path}: names no idea`)
    if (!text.startsWith('//') && !text.startsWith('#!')) t.fail(`${path}: begins without saying what it is`)
    if (/^export \* /m.test(text)) t.fail(`${path}: a barrel`)
    if (base === 'main.ts' || base === 'options.ts') continue
    const other = seen.get(base)
    if (other !== undefined) t.fail(`${path}: ${other} has the same name`)
    seen.set(base, path)
  }
})

t.test('main.ts knows the process, and nothing else does', async (t) => {
  for (const { path, text } of sources) {
    if (isMain(path)) {
      const lines = text.split('\n').length - 1
      if (lines > 60) t.fail(`${path}: ${lines} lines: a main.ts holds the process and nothing else`)
      continue
    }
    if (/\bprocess\.(env|argv|exit|stdin|stdout|stderr|on)\b/.test(text) && path !== 'src/command-line/program.ts') {
      t.fail(`${path}: touches the process: main.ts hands on what is needed`)
    }
    if (/\bconsole\./.test(text)) t.fail(`${path}: writes to the console: there is a log`)
  }
})

t.test('nothing of one machine, nothing that is not the project', async (t) => {
  const docs = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', '.ci/run', 'package.json']
  const texts = docs.map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
  for (const { path, text } of [...everything, ...texts]) {
    if (path.startsWith('test/presubmit')) continue
    const found = /(?<![\w.}/])\/(work|home|root|Users)\/[\w-]+/.exec(text)
    if (found !== null) t.fail(`${path}: ${found[0]} is a path of one machine`)
  }
})

t.test('no key and no large file is in the repository', async (t) => {
  for (const path of ['src', 'test', 'bench', 'certs', 'apiservice'].flatMap((folder) => filesBelow(folder))) {
    const text = readFileSync(join(ROOT, path), 'latin1')
    if (/-----BEGIN [A-Z ]*PRIVATE KEY-----\n[A-Za-z0-9+/=\n]{64}/.test(text)) t.fail(`${path}: holds a private key`)
    if (text.length > 600_000) t.fail(`${path}: ${text.length} bytes`)
  }
})

t.test('no import circle among values', async (t) => {
  const graph = new Map(
    sources.map((file) => [
      file.path,
      [...file.text.matchAll(/^import (?!type\b)[^']*'(\.[^']+)'/gm)].map(([, specifier]) =>
        targetOf(file, specifier ?? ''),
      ),
    ]),
  )
  const done = new Set<string>()
  const visit = (path: string, way: readonly string[]): void => {
    if (way.includes(path)) return void t.fail(`circle: ${[...way.slice(way.indexOf(path)), path].join(' → ')}`)
    if (done.has(path)) return
    for (const next of graph.get(path) ?? []) visit(next, [...way, path])
    done.add(path)
  }
  for (const path of graph.keys()) visit(path, [])
})
