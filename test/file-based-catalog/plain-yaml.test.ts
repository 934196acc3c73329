// The fast reading of plain YAML: what it reads, it reads as the library does; what is more than plain, it leaves alone.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import t from 'tap'
import { stringify } from 'yaml'
import { type JsonValue, jsonText } from '../../src/file-based-catalog/json-text.ts'
import { readPlainYaml } from '../../src/file-based-catalog/plain-yaml.ts'
import { readAnyYaml } from '../../src/file-based-catalog/yaml-document.ts'

const shared = fileURLToPath(new URL('../../../shared', import.meta.url))
const skip = existsSync(shared) ? false : 'skipped: no ../shared'

const PLAIN: readonly (readonly [text: string, value: unknown])[] = [
  ['a: 1\n', { a: 1 }],
  ['---\na: x y\n', { a: 'x y' }],
  ['# words\n\na: yes\n  # more\nb:\n', { a: true, b: null }],
  ['a:\n- 1\n- x: w\n  z: w\n-\n  - v\nb: c\n', { a: [1, { x: 'w', z: 'w' }, ['v']], b: 'c' }],
  ['a:\n  - - 1\n    - 2\n  - []\n  - {}\n', { a: [[1, 2], [], {}] }],
  ["a: \"x\\n\\u00e9\\x41\"\nb: 'it''s'\n", { a: 'x\né\u0041', b: "it's" }],
  ['a: "x\n  y\n\n  z \\\n  w"\n', { a: 'x y\nz w' }],
  ["a: 'x\n\n  y'\n", { a: 'x\ny' }],
  ["a: 'x\ny'\n", { a: 'x y' }],
  ['a: x\n  y\n\n  z\n', { a: 'x y\nz' }],
  ['a:\n  x\n  y\n', { a: 'x y' }],
  ['a: |\n  x\n\n   y\nb: |-\n  z\n\nc: |+\n  w\n\n', { a: 'x\n\n y\n', b: 'z', c: 'w\n\n' }],
  ['a: |2\n   x\n', { a: ' x\n' }],
  ['a:\n- |\n  x\n- z\n', { a: ['x\n', 'z'] }],
  ['a: |\nb: 1\n', { a: '', b: 1 }],
  ['"a b": 1\n\'c\': 2\n', { 'a b': 1, c: 2 }],
  ['a: -x\nb: http://x:1/y#z\n', { a: '-x', b: 'http://x:1/y#z' }],
  ['a: 1\na: 2\n', { a: 2 }],
  ['', null],
  ['# nothing\n', null],
]

t.test('plain documents', async (t) => {
  for (const [text, value] of PLAIN) t.strictSame(readPlainYaml(text), { value }, JSON.stringify(text))
})

t.test('more than plain, or no YAML', async (t) => {
  const table = [
    'a: &x 1\n',
    'a: *x\n',
    'a: !!str 1\n',
    'a: >\n  x\n',
    'a: [b]\n',
    'a: {b: c}\n',
    'a: x # y\n',
    'a: b: c\n',
    'a: 1\n  b: 2\n',
    ' a: 1\nb: 2\n',
    'a: 1\n- b\n',
    'a: "x\n',
    'a: "\\ud83d"\n',
    'a: "\\q"\n',
    'a: x\ty\n',
    'a: |-\n  \tx\n',
    'a:\n\tb: 1\n',
    'a: 1\r\n',
    'a: 1\n...\n',
    '%YAML 1.1\n',
    'y: 1\n',
    '1: 1\n',
    '<<: 1\n',
    '__proto__: 1\n',
    'a: .inf\n',
    '? a\n: b\n',
    'x\n',
    '{"a": 1}\n',
    `${'- '.repeat(500)}x\n`,
  ]
  for (const text of table) t.equal(readPlainYaml(text), undefined, JSON.stringify(text))
})

const bits = fc.constantFrom(
  ...[
    'a',
    'b c',
    'k: v',
    '- ',
    '  ',
    '\n',
    '\n  ',
    '\n    ',
    '"x"',
    "'y'",
    '|',
    '|-',
    '# c',
    ' #',
    '1.10',
    'yes',
    '~',
    '[]',
    '{}',
  ],
  ...[
    'key:',
    '\nkey: ',
    '\n- ',
    '\n  - ',
    '"',
    "'",
    '\\',
    'é',
    'x:y',
    '0x1F',
    '&a',
    '*a',
    '!',
    '%',
    '\t',
    '|2',
    '>',
    '-',
    '"a\n  b"',
    '?',
    ':',
  ],
)

t.test('never other than the library, whatever the text', async (t) => {
  let plain = 0
  const property = fc.property(fc.array(bits, { minLength: 1, maxLength: 14 }), (parts) => {
    const text = `k0: ${parts.join('')}\n`
    const read = readPlainYaml(text)
    if (read === undefined) return
    plain++
    const whole = readAnyYaml(text)
    // Wrapped lines of quoted texts need no indentation here and in the reference program; the library wants one.
    if ('fault' in whole && /["'][^"']*\n/.test(text)) return
    assert.ok('value' in whole, `${JSON.stringify(text)}: ${'fault' in whole ? whole.fault.message : ''}`)
    assert.equal(jsonText(read.value), jsonText(whole.value), JSON.stringify(text))
  })
  await t.resolves(async () => fc.assert(property, { numRuns: 3000 }))
  t.ok(plain > 300, `${plain} of them were plain`)
})

t.test('what programs write is plain, and comes back as it was', async (t) => {
  const key = fc.stringMatching(/^[a-z][a-zA-Z0-9.-]{2,10}$/)
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, fc.string(), fc.integer(), fc.boolean(), tie('list'), tie('map')),
    list: fc.array(tie('value'), { maxLength: 4 }),
    map: fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  }))
  let plain = 0
  const property = fc.property(fc.dictionary(key, value, { minKeys: 1 }), fc.boolean(), (document, wrap) => {
    const text = stringify(document, { version: '1.1', lineWidth: wrap ? 20 : 0, blockQuote: 'literal' })
    const read = readPlainYaml(text)
    if (read === undefined) return
    plain++
    assert.deepEqual(JSON.parse(jsonText(read.value)), JSON.parse(jsonText(document as JsonValue)))
  })
  await t.resolves(async () => fc.assert(property, { numRuns: 500 }))
  t.ok(plain > 250, `${plain} of them were plain`)
})

t.test('real catalogs: nearly all plain, never other than the library', { skip }, async (t) => {
  const sizes = { all: 0, plain: 0 }
  for await (const file of glob(`${shared}/fbc-real/*/**/*.{yaml,yml}`)) {
    const text = await readFile(file, 'utf8')
    for (const document of text.split(/^---.*\n/m).filter((part) => part.trim() !== '')) {
      sizes.all += document.length
      const read = readPlainYaml(document)
      if (read === undefined) continue
      sizes.plain += document.length
      const whole = readAnyYaml(document)
      assert.equal(jsonText(read.value), 'value' in whole ? jsonText(whole.value) : '', file)
    }
  }
  t.ok(sizes.plain / sizes.all > 0.95, `${sizes.plain} of ${sizes.all} bytes`)
})
