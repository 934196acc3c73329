// `kubectl explain` of every field, by the real kubectl from the OpenAPI that our server serves.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import type { JsonSchema } from '../../src/http/resource.ts'
import { CATALOG_STATUS_DEFINITION } from '../../src/package-server/catalog-status-resource.ts'
import { PACKAGE_MANIFEST_DEFINITION } from '../../src/package-server/package-manifest-definition.ts'
import { kubectl, kubectlMissing } from '../fixtures/kubectl.ts'
import { startStandalone } from '../fixtures/standalone-process.ts'

interface Field {
  readonly path: string
  readonly description: string
}

function* fieldsOf(schema: JsonSchema, path: string): Generator<Field> {
  const inner = schema.items ?? schema
  for (const [name, field] of Object.entries(inner.properties ?? {})) {
    const own = `${path}.${name}`
    yield { path: own, description: field.description ?? '' }
    yield* fieldsOf(field, own)
  }
}

/** kubectl wraps lines; words are what counts. */
function words(text: string): string {
  return text.split(/\s+/).join(' ')
}

t.test('every field is explained', { skip: kubectlMissing() }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'olm-explain-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const { kubeconfig, stop } = await startStandalone(folder)
  t.teardown(stop)
  for (const { plural, kind, schema } of [PACKAGE_MANIFEST_DEFINITION, CATALOG_STATUS_DEFINITION]) {
    const whole = await kubectl(kubeconfig, folder, 'explain', plural)
    t.match(whole, { code: 0, stdout: new RegExp(`^KIND: +${kind}$`, 'm') })
    t.ok(words(whole.stdout).includes(words(schema.description ?? '?')), `${plural} is described`)
    const tree = await kubectl(kubeconfig, folder, 'explain', plural, '--recursive')
    t.equal(tree.code, 0)
    for (const { path, description } of fieldsOf(schema, plural)) {
      t.match(tree.stdout, new RegExp(`^ +${path.split('.').at(-1)}\\t`, 'm'), `${path} is in the tree`)
      const one = await kubectl(kubeconfig, folder, 'explain', path)
      const said = words(one.stdout).split(words(description)).length - 1
      t.strictSame([one.code, said], [0, 1], `${path} is described, once: ${one.stderr.trim()}`)
    }
  }
})
