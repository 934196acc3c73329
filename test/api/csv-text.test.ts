import fc from 'fast-check'
import t from 'tap'
import { decodeClusterServiceVersion } from '../../src/api/cluster-service-version.ts'

const decode = decodeClusterServiceVersion
const reason = (text: string) => ((result) => ('reason' in result ? result.reason : 'decoded'))(decode(text))

t.test('YAML where JSON is expected is decoded by the same rules (R009)', async (t) => {
  const csv = decode(`# as its author wrote it
apiVersion: operators.coreos.com/v1alpha1
metadata:
  name: &name kiln.v0.3.0
  annotations:
    alm-examples: |-
      []
    also: *name
spec:
  displayName: "Kiln"
  version: 0.3.0
  description: |
    # Kiln

    Bakes.
  installModes:
  - {type: OwnNamespace, supported: true}
`)
  t.match(csv, {
    csv: {
      name: 'kiln.v0.3.0',
      displayName: 'Kiln',
      version: '0.3.0',
      description: '# Kiln\n\nBakes.\n',
      installModes: [{ type: 'OwnNamespace', supported: true }],
    },
  })
  t.match(decode('{"metadata": {"name": "a",},} # trailing commas'), { csv: { name: 'a' } })
  t.match(decode('\ufeff{"metadata":{"name":"bom"}}'), { csv: { name: 'bom' } })
  t.match(decode('metadata: {name: a}\nmetadata: {name: b}\n'), { csv: { name: 'b' } })
  t.match(decode('base: &b {name: merged}\nmetadata:\n  <<: *b\n'), { csv: { name: 'merged' } })
  t.match(decode('metadata:\n  labels:\n    __proto__: x\n'), { csv: { labels: JSON.parse('{"__proto__":"x"}') } })
  t.equal(reason('spec:\n  version: 1.2\n'), 'spec.version is a number, not a string')
})

t.test('what is neither', async (t) => {
  t.match(reason('not a document'), /^the document is a string, not an object/)
  t.match(reason('{"metadata"'), /^neither JSON \(unexpected end at offset 11\) nor YAML \(.+\)$/)
  t.match(reason('a: b: c'), /^neither JSON \(.+\) nor YAML \(.+\)$/)
  t.match(reason('a: 1\n---\nb: 2\n'), /^neither JSON/)
  t.match(reason('# nothing but a comment'), /and empty as YAML$/)
  t.match(reason('\u0000\u0001\u0002'), /^neither JSON|^the document/)
})

t.test('text that means harm costs a reason', async (t) => {
  const bomb = `a0: &a0 [x]\n${Array.from({ length: 11 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(9)}]`).join('\n')}\n`
  t.match(reason(bomb), /^neither JSON .+ nor YAML \(Excessive alias count/)
  t.match(reason('['.repeat(400_000)), /nested more than 10000 deep/)
  t.match(reason(`{${'a: {'.repeat(10_000)}`), /^neither JSON/)
  t.match(reason('- a\n'.repeat(100_000)), / too large, .+ to be read as YAML$/)
  t.match(reason(Array.from({ length: 200 }, (_, i) => `- &a${i} x\n- *a${i}\n`).join('')), /too full of aliases/)
  t.match(reason(`x: ${'y'.repeat(3_000_000)}`), / too large, .+ to be read as YAML$/)
  t.match(reason(`{"spec":{"links":[${'{},'.repeat(300_000)}{}]}}`), /^spec\.links: more than 200000 values$/)
  const labels = JSON.stringify(Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, ''])))
  t.match(
    reason(`{"metadata":{"labels":${labels}${',"labels":{}'.repeat(100_000)}}}`),
    /^metadata\.labels: more than 200000/,
  )
  const links = `[${'{},'.repeat(50_000)}{}]`
  t.match(
    reason(`{"spec":{"links":${links}${',"links":[{}]'.repeat(100_000)}}}`),
    /^spec\.links: more than 200000 values$/,
  )
})

t.test('never throws and never touches a prototype, whatever the text', async () => {
  const keys = fc.constantFrom(
    'metadata',
    'spec',
    'name',
    'labels',
    'Version',
    'links',
    '__proto__',
    'constructor',
    'install',
    'owned',
  )
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.jsonValue(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(keys, tie('value'), { maxKeys: 4 }),
    ),
  }))
  const text = fc.oneof(
    value.map((v) => JSON.stringify(v)),
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom(...'abc:-{}[]"\'&*!|>?%@`#, \n\t<=~0'), maxLength: 60 }),
    fc.tuple(value, fc.string({ maxLength: 3 })).map(([v, tail]) => JSON.stringify(v) + tail),
  )
  fc.assert(
    fc.property(text, (source) => {
      const result = decode(source)
      if ('reason' in result) return result.reason.length > 0 && !result.reason.includes('\n')
      return Object.keys(Object.prototype).length === 0 && /^\d+\.\d+\.\d+/.test(result.csv.version)
    }),
    { numRuns: 3000 },
  )
})
