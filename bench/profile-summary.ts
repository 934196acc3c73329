// `node bench/profile-summary.ts FILE.cpuprofile [ROWS]`: where the time of a profile went: by function, its own time alone,
// and with all that it called.
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import process from 'node:process'

interface Profile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
    readonly children?: readonly number[]
  }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

const [file, rows = '25'] = process.argv.slice(2)
if (file === undefined) {
  process.stderr.write('Usage: node bench/profile-summary.ts FILE.cpuprofile [ROWS]\n')
  process.exit(2)
}
const profile = JSON.parse(await readFile(file, 'utf8')) as Profile
const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
const own = new Map<number, number>()
for (const [index, id] of profile.samples.entries()) own.set(id, (own.get(id) ?? 0) + (profile.timeDeltas[index] ?? 0))

const alone = new Map<string, number>()
const withCallees = new Map<string, number>()

/** A function that calls itself counts once. */
function visit(id: number, above: ReadonlySet<string>): number {
  const node = nodes.get(id)
  if (node === undefined) return 0
  const { functionName, url, lineNumber } = node.callFrame
  const name = `${functionName === '' ? '(no name)' : functionName} ${url === '' ? '' : `${basename(url)}:${lineNumber + 1}`}`
  const inside = above.has(name) ? above : new Set([...above, name])
  const self = own.get(id) ?? 0
  const total = self + (node.children ?? []).reduce((sum, child) => sum + visit(child, inside), 0)
  alone.set(name, (alone.get(name) ?? 0) + self)
  if (!above.has(name)) withCallees.set(name, (withCallees.get(name) ?? 0) + total)
  return total
}

const [root] = profile.nodes
const all = root === undefined ? 0 : visit(root.id, new Set())
const idle = [...alone].find(([name]) => name.startsWith('(idle)'))?.[1] ?? 0
const share = (time: number) => `${((100 * time) / (all - idle)).toFixed(1)} %`.padStart(8)
const told = (title: string, times: ReadonlyMap<string, number>) => {
  process.stdout.write(`${title}\n`)
  const sorted = [...times].filter(([name]) => !/^\((idle|root)\)/.test(name)).sort((a, b) => b[1] - a[1])
  for (const [name, time] of sorted.slice(0, Number(rows))) process.stdout.write(`${share(time)}  ${name}\n`)
}
process.stdout.write(`${((all - idle) / 1e6).toFixed(2)} s, idle ${(idle / 1e6).toFixed(2)} s not counted\n`)
told('own time', alone)
told('with all that was called', withCallees)
