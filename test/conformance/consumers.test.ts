// What the consumers of this API need, as their own checks ask it: consoles, generic clients, scripts. Each check of the shared
// folder runs as it is against the whole program.
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { eventually } from '../fixtures/eventually.ts'
import { kubectlMissing } from '../fixtures/kubectl.ts'
import { startStandalone } from '../fixtures/standalone-process.ts'

const CHECKS = join(import.meta.dirname, '../../../shared/consumers/checks')
/** Paging is right here in spite of rule 8 of the table: that rule is about servers without watch. */
const FLAGS = ['--beyond', '--allow-paging']

interface Outcome {
  readonly code: number
  readonly lines: readonly string[]
}

function run(script: string, args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(CHECKS, script), ...args], { maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code ?? 1)
      resolve({ code, lines: `${stdout}${stderr}`.split('\n') })
    })
  })
}

t.test('checks of the consumers', { skip: existsSync(CHECKS) ? false : 'skipped: no ../shared' }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'olm-consumers-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const standalone = await startStandalone(folder)
  t.teardown(() => standalone.stop())
  await eventually('both catalogs are read', () => standalone.stderr().match(/\d+ packages/g)?.length === 2, 20_000)
  const file = (name: string) => join(folder, name)
  const identity = ['--ca', file('ca.crt'), '--cert', file('client.crt'), '--key', file('client.key')]
  for (const script of [
    'openshift-console.mjs',
    'generic-k8s-client.mjs',
    'operatorhub-ui-page.mjs',
    'shell-recipes.mjs',
  ]) {
    const skip = script === 'shell-recipes.mjs' ? kubectlMissing() : false
    t.test(script, { skip }, async (t) => {
      const { code, lines } = await run(script, [standalone.server, ...identity, ...FLAGS])
      const failed = lines.flatMap((line, index) => (line.startsWith('not ok') ? lines.slice(index, index + 4) : []))
      t.same(failed, [])
      t.equal(code, 0)
      t.ok(lines.filter((line) => line.startsWith('ok ')).length > 10, 'it asked something')
    })
  }
})
