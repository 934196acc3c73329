import fc from 'fast-check'
import t from 'tap'
import { stringify } from 'yaml'
import { parseCatalogSourceFile } from '../../src/catalog/catalog-source-file.ts'

const HEAD = 'apiVersion: operators.coreos.com/v1alpha1\nkind: CatalogSource\n'
const ONE = `${HEAD}metadata: { name: a, namespace: olm }\nspec: { address: "127.0.0.1:50051" }\n`

function keys(text: string): readonly string[] | string {
  const file = parseCatalogSourceFile(text)
  return file.ok
    ? file.sources.map(({ source, line }) => `${source.namespace}/${source.name}@${line}`)
    : `${file.line}: ${file.reason}`
}

t.test('what a file may hold', async (t) => {
  t.strictSame(keys(ONE), ['olm/a@1'])
  t.strictSame(keys(`---\n${ONE}---\n${ONE.replace('name: a', 'name: b')}---\n`), ['olm/a@2', 'olm/b@7'])
  const object = (name: string) => ({
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'CatalogSource',
    metadata: { name, namespace: 'olm' },
  })
  t.strictSame(keys(JSON.stringify(object('c'))), ['olm/c@1'])
  const list = { apiVersion: 'v1', kind: 'List', items: [object('a'), object('b')] }
  t.strictSame(keys(JSON.stringify(list, undefined, 1)), ['olm/a@5', 'olm/b@13'])
  t.strictSame(keys(stringify({ ...list, kind: 'CatalogSourceList' })), ['olm/a@4', 'olm/b@9'])
  t.strictSame(keys(''), [])
  t.strictSame(keys('# nothing\n---\n'), [])
  t.strictSame(keys('apiVersion: v1\nkind: List\nitems: []\n'), [])
  t.strictSame(keys(ONE.replaceAll('\n', '\r\n')), ['olm/a@1'])
})

const FAULTS: readonly (readonly [string, string])[] = [
  ['a: b: c\n', '1: not YAML: '],
  [`${ONE}  x\n bad: [\n`, '5: not YAML: '],
  [`${ONE}---\n${HEAD}metadata:\n  namespace: olm\n`, '8: metadata.name is missing'],
  [`${HEAD}metadata:\n  name: a\n`, '3: metadata.namespace is missing'],
  [HEAD, '1: metadata is missing'],
  [`${HEAD}metadata:\n  name: a\n  namespace: 7\n`, '5: metadata.namespace must be string'],
  [`${HEAD}metadata:\n  name: A_b\n  namespace: olm\n`, '4: metadata.name must be lower-case letters'],
  [
    `${HEAD}metadata: { name: a, namespace: olm }\nspec:\n  address: localhost\n`,
    '5: spec.address "localhost" is not host:port',
  ],
  [`${HEAD}metadata: { name: a, namespace: olm }\nspec:\n  priority: high\n`, '5: spec.priority must be integer'],
  [`${HEAD}metadata:\n  name: a\n  namespace: olm\n  labels:\n    x: 1\n`, '7: metadata.labels.x must be string'],
  [
    `${HEAD}metadata: { name: a, namespace: olm, creationTimestamp: yesterday }\n`,
    '3: metadata.creationTimestamp "yesterday" is not a time',
  ],
  ['apiVersion: v1\nkind: Namespace\nmetadata: { name: a }\n', '1: holds "v1" "Namespace", where'],
  ['- 1\n', '1: not an object'],
  ['just text\n', '1: not an object'],
  ['apiVersion: v1\nkind: List\nitems: 5\n', '3: items must be a list'],
  ['apiVersion: v1\nkind: List\nitems:\n- 5\n', '4: not an object'],
  [`${HEAD}metadata: &m { name: a, namespace: olm }\nspec: { x: *n }\n`, '4: not YAML: '],
]
for (const [text, expected] of FAULTS) {
  t.test(`a fault: ${expected}`, async (t) => {
    const found = keys(text)
    t.type(found, 'string')
    t.equal(String(found).slice(0, expected.length), expected)
  })
}

t.test('a prototype is not polluted by member names', async (t) => {
  const text = `${HEAD}metadata:\n  name: a\n  namespace: olm\n  labels:\n    __proto__: x\n    constructor: y\n`
  const file = parseCatalogSourceFile(text)
  const labels = (file.ok && file.sources[0]?.source.labels) || {}
  t.strictSame(Object.keys(labels), ['__proto__', 'constructor'])
  t.equal(Reflect.get({}, 'x'), undefined)
})

t.test('whatever the text, the answer is objects or a line with a reason', async () => {
  const pieces = fc.constantFrom(
    HEAD,
    ONE,
    '---\n',
    'metadata:\n',
    '  name: x\n',
    '- ',
    '{',
    '}',
    '[',
    ': ',
    '&a ',
    '*a',
    '"',
    '\t',
    '\0',
    '!!binary ',
    '<<: ',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 12 }), (parts) => {
      const text = parts.join('')
      const file = parseCatalogSourceFile(text)
      if (file.ok) return true
      return file.line >= 1 && file.line <= text.split('\n').length && !file.reason.includes('\n')
    }),
    { numRuns: 500 },
  )
})
