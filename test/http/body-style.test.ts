import fc from 'fast-check'
import t from 'tap'
import { parse as parseYaml } from 'yaml'
import { restyle } from '../../src/http/body-style.ts'
import { indentJson } from '../../src/http/indented-json.ts'
import { jsonBytes } from '../../src/http/json-bytes.ts'
import { yamlText } from '../../src/http/yaml-text.ts'

/** Cut anywhere, also within a character. */
function cut(bytes: Buffer, at: readonly number[]): Buffer[] {
  const marks = [0, ...at.map((one) => one % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return marks.slice(1).map((end, index) => bytes.subarray(marks[index], end))
}

t.test('indenting changes white space alone, wherever the bytes are cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.json(), fc.array(fc.nat(), { maxLength: 5 }), async (json, marks) => {
      const compact = JSON.stringify(JSON.parse(json))
      const indented = Buffer.concat(await indentJson(cut(Buffer.from(compact), marks))).toString('utf8')
      return indented === JSON.stringify(JSON.parse(json), undefined, 2)
    }),
    { numRuns: 500 },
  )
})

t.test('names keep their order and numbers their spelling', async (t) => {
  const text = '{"10":1.0,"9":1e3,"b":{},"a":[],"__proto__":{"x":[1]}}\n'
  const indented = Buffer.concat(await indentJson([Buffer.from(text)])).toString('utf8')
  t.equal(
    indented,
    '{\n  "10": 1.0,\n  "9": 1e3,\n  "b": {},\n  "a": [],\n  "__proto__": {\n    "x": [\n      1\n    ]\n  }\n}',
  )
})

t.test('YAML says what the JSON says, to a reader of YAML 1.1 and of 1.2', async () => {
  const tricky = fc.constantFrom(
    ...['yes', 'No', 'null', '~', '1.0', '0x1f', '012', '1e3', '.inf', '2026-01-01', '<<', '=', '- a', 'a: b', 'a #b'],
    ...[
      '',
      ' ',
      'a\nb',
      'a\n',
      'a\n\n',
      '\na',
      ' a\nb',
      'a\n  b',
      'a\tb',
      'a\r\nb',
      '\u2028',
      '\u0085',
      '\ufeff',
      '😀\nx',
    ],
    ...[
      '|',
      '>',
      '"',
      "'",
      '%a',
      '@a',
      '`a',
      '!a',
      '&a',
      '*a',
      '?',
      '? a',
      ':',
      '---',
      '...',
      '[a]',
      '{a}',
      'a,b',
      '# x',
    ],
  )
  const value = fc.letrec((tie) => ({
    leaf: fc.oneof(
      fc.string(),
      tricky,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    ),
    list: fc.array(tie('any'), { maxLength: 4 }),
    map: fc.dictionary(fc.oneof(fc.string(), tricky), tie('any'), { maxKeys: 4, noNullPrototype: true }),
    any: fc.oneof({ maxDepth: 4 }, tie('leaf'), tie('list'), tie('map')),
  })).any
  fc.assert(
    fc.property(value, (one) => {
      const wanted: unknown = JSON.parse(JSON.stringify(one))
      const text = yamlText(wanted)
      const same = (version: '1.1' | '1.2') =>
        JSON.stringify(parseYaml(text, { version, merge: false, uniqueKeys: false })) ===
        JSON.stringify(inOrder(wanted))
      return same('1.2') && same('1.1')
    }),
    { numRuns: 2000 },
  )
})

/** Names sorted, as the writer sorts them. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, one]) => [name, inOrder(one)]))
}

t.test('a list is written item by item, and is the same', async () => {
  const item = fc.dictionary(
    fc.string(),
    fc.oneof(fc.string(), fc.array(fc.string()), fc.integer(), fc.dictionary(fc.string(), fc.string())),
  )
  const envelope = fc.record({
    kind: fc.string(),
    metadata: fc.dictionary(fc.string(), fc.string()),
    tail: fc.string(),
  })
  await fc.assert(
    fc.asyncProperty(envelope, fc.array(item, { maxLength: 5 }), fc.array(fc.nat()), async (head, items, marks) => {
      const { tail, ...rest } = head
      const bytes = jsonBytes({ ...rest, items, tail })
      const text = Buffer.concat(await restyle(cut(bytes, marks), 'yaml')).toString('utf8')
      return text === yamlText(JSON.parse(bytes.toString('utf8')))
    }),
    { numRuns: 500 },
  )
})

t.test('what looks like a list and is none is written as it is', async (t) => {
  const bodies = [
    { items: 'x' },
    { items: [1, 2] },
    { items: [[{}]] },
    { a: { items: [{}] } },
    { a: '"items":[{}]' },
    {},
    [],
    'x',
    7,
  ]
  for (const body of bodies) {
    const text = Buffer.concat(await restyle([jsonBytes(body)], 'yaml')).toString('utf8')
    t.same(parseYaml(text), body, text)
  }
})

t.test('megabytes leave the event loop its turns', async (t) => {
  const items = Array.from({ length: 1200 }, (_, index) => ({ name: `p${index}`, text: 'a "b" \n'.repeat(1500) }))
  const bytes = jsonBytes({ kind: 'List', items })
  const parts = cut(
    bytes,
    Array.from({ length: 600 }, (_, index) => index * 20_011),
  )
  for (const [style, least] of [
    ['yaml', items.length],
    ['indented-json', Math.floor(bytes.length / 2 ** 19)],
  ] as const) {
    let turns = 0
    let counting = true
    const count = () => {
      turns += 1
      if (counting) setImmediate(count)
    }
    count()
    await restyle(parts, style)
    counting = false
    t.ok(turns >= least, `${style}: ${turns} turns, ${least} at least`)
  }
})
