// Every answer to every call equals the reference registry's, recorded on the same catalogs.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { pino } from 'pino'
import t from 'tap'
import { loadCatalog } from '../../src/file-based-catalog/load-catalog.ts'
import { startOperatorRegistry } from '../../src/operator-registry/operator-registry.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const shared = fileURLToPath(new URL('../../../shared', import.meta.url))
const skip = existsSync(shared) ? false : 'skipped: no ../shared'

/** Answers recorded of each catalog, 13,211 in all. */
const CATALOGS = { community: 5768, marketplace: 605, 'odd-shared': 315, redhat: 2881, second: 3642 }

type Line = readonly [method: string, request: Record<string, string>, answer: Record<string, unknown>]

for (const [catalog, answers] of Object.entries(CATALOGS)) {
  t.test(catalog, { skip, timeout: 170_000 }, async (t) => {
    const recorded = linesOf(await readFile(`${shared}/golden/registry/${catalog}.jsonl`, 'utf8'))
    const registry = await startOperatorRegistry({
      directory: `${shared}/catalogs/${catalog}`,
      address: '127.0.0.1:0',
      load: loadCatalog,
      log: pino({ level: 'silent' }),
    })
    t.teardown(() => registry.close(0))
    t.equal((await registry.first).kind, 'served')
    const asked = await promisify(execFile)(
      process.execPath,
      [`${shared}/golden/registry/dump.mjs`, registry.address],
      { cwd: root, maxBuffer: 256 * 1024 * 1024 },
    )
    const ours = linesOf(asked.stdout)
    t.equal(recorded.length, answers)
    t.same(
      ours.map(([method, request]) => [method, request]),
      recorded.map(([method, request]) => [method, request]),
    )
    const alternatives = alternativesOf(recorded)
    const differing = recorded.filter((line, index) => {
      const answer = JSON.stringify(ours[index]?.[2])
      return !alternatives(line).includes(answer)
    })
    t.same(differing.slice(0, 3), [], `${differing.length} answers differ`)
  })
}

function linesOf(text: string): Line[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

/**
 * The answers that the reference registry might have given: the recorded one; and where several entries replace or skip
 * the bundle of a GetBundleThatReplaces, which it takes at random, what it says of any of these.
 */
function alternativesOf(recorded: readonly Line[]): (line: Line) => readonly string[] {
  const bundles = new Map<string, string>()
  const replacing = new Map<string, string[]>()
  for (const [method, request, answer] of recorded) {
    const { pkgName, channelName, csvName } = request
    if (method === 'GetBundle') bundles.set(JSON.stringify([pkgName, channelName, csvName]), JSON.stringify(answer))
    if (method !== 'ListBundles') continue
    const { packageName, channelName: channel, csvName: name, replaces, skips } = answer
    for (const replaced of new Set([replaces, ...((skips as string[] | undefined) ?? [])])) {
      const key = JSON.stringify([packageName, channel, replaced])
      replacing.set(key, [...(replacing.get(key) ?? []), JSON.stringify([packageName, channel, name])])
    }
  }
  return ([method, { pkgName, channelName, csvName }, answer]) => {
    const one = [JSON.stringify(answer)]
    if (method !== 'GetBundleThatReplaces') return one
    const names = replacing.get(JSON.stringify([pkgName, channelName, csvName])) ?? []
    return names.length < 2 ? one : names.map((name) => bundles.get(name) ?? '')
  }
}
