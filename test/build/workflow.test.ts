// The workflow of a fork: it runs what is there, publishes by tag alone, and may do no more than it needs.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { ROOT } from '../presubmit/source-files.ts'

interface Step {
  readonly run?: string
  readonly uses?: string
  readonly if?: string
  readonly with?: Readonly<Record<string, unknown>>
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>
  readonly jobs: Readonly<
    Record<string, { readonly needs?: string; readonly permissions?: object; readonly steps: readonly Step[] }>
  >
}

const workflow = parse(readFileSync(join(ROOT, '.github/workflows/ci.yaml'), 'utf8')) as Workflow
const steps = Object.values(workflow.jobs).flatMap((job) => job.steps)

t.test('commands and arguments exist', async (t) => {
  for (const { run } of steps) {
    if (run === undefined) continue
    const script = /^bash (\S+)/.exec(run)?.[1]
    t.ok(script !== undefined && existsSync(join(ROOT, script)), run)
  }
  const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
  const build = steps.find(({ uses }) => uses?.startsWith('docker/build-push-action@'))
  const given = String(build?.with?.['build-args']).trim().split('\n')
  for (const line of given) t.match(dockerfile, new RegExp(`^ARG ${line.split('=')[0]}=`, 'm'), line)
  t.equal(build?.with?.platforms, 'linux/amd64,linux/arm64')
})

t.test('nothing is published but by a tag, after the tests, with provenance', async (t) => {
  t.equal(workflow.jobs.image?.needs, 'test')
  const tagged = "startsWith(github.ref, 'refs/tags/v')"
  const build = steps.find(({ uses }) => uses?.startsWith('docker/build-push-action@'))
  t.equal(build?.with?.push, `\${{ ${tagged} }}`)
  t.equal(build?.with?.provenance, 'mode=max')
  t.equal(build?.with?.sbom, true)
  t.equal(steps.find(({ uses }) => uses?.startsWith('docker/login-action@'))?.if, tagged)
})

t.test('rights', async (t) => {
  t.strictSame(workflow.permissions, { contents: 'read' })
  t.equal(workflow.jobs.test?.permissions, undefined)
  t.strictSame(workflow.jobs.image?.permissions, { contents: 'read', packages: 'write', 'id-token': 'write' })
})
