// What kubectl printed with the Go server behind a real API server, against what it prints with ours: the same catalogs, the
// same commands. Every recorded command is in the table; what is not compared says why.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { parse } from 'yaml'
import { eventually } from '../fixtures/eventually.ts'
import { kubectl, kubectlMissing } from '../fixtures/kubectl.ts'
import { serveRegistry } from '../fixtures/served-registries.ts'
import { startStandalone } from '../fixtures/standalone-process.ts'

const GOLDEN = fileURLToPath(new URL('../../../shared/golden', import.meta.url))
const API_SERVER = 'asks the API server itself, not us'
const RBAC = 'needs the API server to decide by RBAC'
const WATCH = 'the Go server refuses watch, ours serves it'
const WRITE = 'an API server refuses before it asks us; the wording is its own'

/** Why a recorded command is not compared. */
const NOT_COMPARED: Readonly<Record<string, string>> = {
  'annotate-dry-run': WRITE,
  'api-resources': 'ours lists the verb watch and a second resource',
  'api-versions': API_SERVER,
  apiservice: API_SERVER,
  'apply-ss': WRITE,
  apply: WRITE,
  'auth-can-i-list': API_SERVER,
  catalogsources: API_SERVER,
  create: WRITE,
  delete: WRITE,
  'get-field-ns': 'the Go server does not know metadata.namespace, ours does',
  'get-watch': WATCH,
  'get-watch-one': WATCH,
  'get-watch-only': WATCH,
  label: WRITE,
  'raw-gv': 'ours lists the verb watch and a second resource',
  'raw-icon': 'the neutral icon of a package without one is a drawing of our own',
  'raw-limit-2': 'the Go server ignores limit, ours pages',
  version: API_SERVER,
  'viewer-can-i': RBAC,
  'viewer-can-i-icon': RBAC,
  'viewer-get-all': RBAC,
  'viewer-get-ns': RBAC,
  'viewer-get-one': RBAC,
  wait: WATCH,
}

/** How an output is put into the form in which equal ones are equal. */
type Form = 'rows' | 'text' | 'objects' | 'names'

const COMPARED: Readonly<Record<string, Form>> = {
  describe: 'text',
  'get-all': 'rows',
  'get-all-json': 'objects',
  'get-all-labels': 'rows',
  'get-all-name': 'rows',
  'get-all-wide': 'rows',
  'get-alpha-yaml': 'objects',
  'get-beta-yaml': 'objects',
  'get-chunk-2': 'rows',
  'get-custom-columns': 'names',
  'get-delta-team-a-yaml': 'objects',
  'get-field-bad': 'text',
  'get-field-name': 'rows',
  'get-gamma-yaml': 'objects',
  'get-jsonpath': 'rows',
  'get-label': 'rows',
  'get-label-bad': 'text',
  'get-notfound': 'text',
  'get-ns-empty': 'rows',
  'get-ns-olm': 'rows',
  'get-ns-operators': 'rows',
  'get-ns-team-a': 'rows',
  'get-singular-one': 'rows',
  'get-sort-by': 'rows',
}

const skip = existsSync(GOLDEN) ? kubectlMissing() : 'skipped: no ../shared'

t.test('recorded kubectl output', { skip }, async (t) => {
  const { normalise } = (await import(join(GOLDEN, 'compare.mjs'))) as { normalise: (value: unknown) => unknown }
  const folder = t.testdir({ home: {}, none: {}, sources: await catalogSourceFiles(t) })
  const server = await startStandalone(
    join(folder, 'data'),
    '--catalogs',
    join(folder, 'none'),
    '--catalog-sources',
    join(folder, 'sources'),
  )
  t.teardown(() => server.stop())
  const run = (...args: readonly string[]) => kubectl(server.kubeconfig, join(folder, 'home'), ...args)
  await eventually(
    'seven packages',
    async () => (await run('get', 'packagemanifests', '-A', '-o', 'name')).stdout.split('\n').length === 8,
  )

  for (const [name, form] of Object.entries(COMPARED)) {
    const recorded = readRecorded(name)
    const { code, stdout, stderr } = await run(...recorded.args)
    t.equal(code, recorded.code, `${name}: exit code`)
    const ours = stdout + stderr
    t.strictSame(normalForm(ours, form, normalise), normalForm(recorded.output, form, normalise), name)
  }
})

t.test('every recorded command is in one of the tables', { skip }, async (t) => {
  const recorded = readdirSync(join(GOLDEN, 'http/kubectl')).map((file) => file.replace(/\.txt$/, ''))
  t.strictSame([...Object.keys(COMPARED), ...Object.keys(NOT_COMPARED)].sort(), recorded.sort())
})

async function catalogSourceFiles(t: Parameters<typeof serveRegistry>[0]): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  for (const name of ['small', 'team']) {
    const address = await serveRegistry(t, join(GOLDEN, 'http/catalogs', name))
    const object = JSON.parse(readFileSync(join(GOLDEN, `http/catalogs/catalogsource-${name}.json`), 'utf8'))
    files[`${name}.json`] = JSON.stringify({ ...object, spec: { ...object.spec, address } })
  }
  return files
}

function readRecorded(name: string) {
  const text = readFileSync(join(GOLDEN, `http/kubectl/${name}.txt`), 'utf8')
  const [, command = '', output = '', code = ''] = /^\$ kubectl (.*)\n([\s\S]*?)\n?# exit (\d+)\s*$/.exec(text) ?? []
  // The only command with blanks within an argument is the one with a jsonpath.
  const [, before = command, path] = /^(.*) -o (jsonpath=.*)$/.exec(command) ?? []
  const args = [...before.split(' '), ...(path === undefined ? [] : ['-o', path])]
  return { args, output: `${output}\n`, code: Number(code) }
}

function normalForm(output: string, form: Form, normalise: (value: unknown) => unknown): unknown {
  const text = output.replace(/^ *(Resource Version|UID): .*\n/gm, '').trimEnd()
  if (form === 'objects') {
    const value: unknown = parse(text)
    const items = (value as { items?: readonly unknown[] }).items
    return items === undefined ? normalise(value) : items.map((item) => JSON.stringify(normalise(item))).sort()
  }
  if (form === 'text') return related(text).join('\n')
  const rows = text.split('\n').map((row) => row.trim().split(/\s+/).map(ageless))
  if (form === 'names') return rows.map(([name, catalog]) => `${name} ${catalog}`).sort()
  return rows.map((row) => row.join(' ')).sort()
}

/** Ages and the order of labels are nobody's promise. */
function ageless(cell: string): string {
  if (/^(\d+[dhms])+$/.test(cell)) return 'AGE'
  return cell.includes('=') ? cell.split(',').sort().join(',') : cell
}

/** The Go server's order of related images is random: `describe` prints them line by line. */
function related(text: string): readonly string[] {
  const sorted: string[] = []
  let images: string[] = []
  for (const line of text.split('\n')) {
    if (/^ {8,}[^ :]+[:@]\S+$/.test(line)) images.push(line)
    else {
      sorted.push(...images.sort(), line)
      images = []
    }
  }
  return [...sorted, ...images.sort()]
}
