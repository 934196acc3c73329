// YAML as the reference program's reader takes it: YAML 1.1 words and numbers, merge keys, aliases within a bound.
import fc from 'fast-check'
import t from 'tap'
import { stringify } from 'yaml'
import { type JsonValue, jsonText } from '../../src/file-based-catalog/json-text.ts'
import { readYamlDocument } from '../../src/file-based-catalog/yaml-document.ts'
import { floatKey } from '../../src/file-based-catalog/yaml-key.ts'
import { plainScalar } from '../../src/file-based-catalog/yaml-scalar.ts'

function read(text: string): unknown {
  const document = readYamlDocument(text)
  return 'value' in document ? document.value : document.fault.message
}

t.test('plain scalars', async (t) => {
  const table: readonly (readonly [text: string, value: unknown])[] = [
    ['yes', true],
    ['On', true],
    ['y', true],
    ['NO', false],
    ['off', false],
    ['n', false],
    ['yEs', 'yEs'],
    ['', null],
    ['~', null],
    ['Null', null],
    ['1.10', 1.1],
    ['1', 1],
    ['-0', 0],
    ['+5', 5],
    ['0777', 511],
    ['0o17', 15],
    ['0xFF', 255],
    ['0b11', 3],
    ['089', 89],
    ['1_000', 1000],
    ['_5', '_5'],
    ['1e3', 1000],
    ['.5', 0.5],
    ['5.', 5],
    ['1e400', '1e400'],
    ['12345678901234567890', 12345678901234567890n],
    ['9007199254740993', 9007199254740993n],
    ['18446744073709551616', 2 ** 64],
    ['1:30', '1:30'],
    ['2001-01-01', '2001-01-01'],
    ['.inf', Number.POSITIVE_INFINITY],
    ['.x', '.x'],
    ['v1', 'v1'],
    ['-', '-'],
  ]
  for (const [text, value] of table) t.strictSame(plainScalar(text), value, JSON.stringify(text))
  t.ok(Number.isNaN(plainScalar('.nan')))
})

t.test('documents', async (t) => {
  const table: readonly (readonly [text: string, value: unknown])[] = [
    ['a: 1\na: 2\n', { a: 2 }],
    ['a: "1"\nb: !!str 1\nc: !!int "1"\nd: !!float 1\n', { a: '1', b: '1', c: 1, d: 1 }],
    ['1: a\n1.10: b\ntrue: c\n1e6: d\n', { 1: 'a', 1.1: 'b', true: 'c', '1e+06': 'd' }],
    ['x: &x {p: 1, q: 2}\nw: *x\n', { x: { p: 1, q: 2 }, w: { p: 1, q: 2 } }],
    ['x: &x {p: 1, q: 2}\nz:\n  <<: *x\n  q: 3\n', { x: { p: 1, q: 2 }, z: { p: 1, q: 3 } }],
    ['x: &x {p: 1}\nz:\n  p: 3\n  <<: *x\n', { x: { p: 1 }, z: { p: 1 } }],
    ['z: {<<: [{p: 1}, {p: 2, q: 3}]}', { z: { p: 1, q: 3 } }],
    ['z: {"<<": 1}', { z: { '<<': 1 } }],
    ['a: !!binary aGk=', { a: 'hi' }],
    ['# nothing\n', null],
    ['a: |-\n  x\n  y\nb: >\n  x\n  y\n', { a: 'x\ny', b: 'x y\n' }],
    ['{"a": "\\ud83d\\ude00"}', 'yaml: found invalid Unicode character escape code'],
    ['a: 1\n...\nb: 2\n', { a: 1 }],
    ['z: {<<: 5}', 'yaml: map merge requires map or sequence of maps as the value'],
    ['a: *x', "yaml: unknown anchor 'x' referenced"],
    ['a: &x [*x]', "yaml: anchor 'x' value contains itself"],
    ['a: .inf', 'json: unsupported value: +Inf'],
    ['a: !!int x', 'yaml: cannot decode !!str `x` as a !!int'],
    ['~: 1', 'unsupported map key of type: %!s(<nil>), key: <nil>'],
    ['[a]: 1', 'yaml: invalid map key: neither text nor number'],
    ['a: b: c', 'yaml: mapping values are not allowed in this context'],
  ]
  for (const [text, value] of table) t.strictSame(read(text), value, JSON.stringify(text))
})

t.test('a billion laughs end soon', async (t) => {
  const level = (name: string, of: string): string => `${name}: &${name} [${Array(9).fill(of).join(',')}]\n`
  const text = ['x', '*a', '*b', '*c', '*d', '*e', '*f', '*g', '*h']
    .map((of, at) => level('abcdefghi'.charAt(at), of))
    .join('')
  const start = performance.now()
  t.equal(read(text), 'yaml: document contains excessive aliasing')
  t.ok(performance.now() - start < 5000)
})

t.test('nesting is bounded, and no depth breaks anything', async (t) => {
  const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`
  t.ok(Array.isArray(read(nested(500))))
  for (const depth of [1500, 20_000]) t.match(read(nested(depth)), /exceeded max depth/, String(depth))
})

t.test('__proto__ is a key like others', async (t) => {
  const value = read('__proto__: {polluted: 1}\nb: {<<: {__proto__: 2}}\n') as object
  t.strictSame(Object.keys(value), ['__proto__', 'b'])
  t.equal(({} as { polluted?: unknown }).polluted, undefined)
})

t.test('what is written as YAML is read as it was', async (t) => {
  const property = fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
    const plain: unknown = JSON.parse(JSON.stringify(value))
    t.strictSame(JSON.parse(jsonText(read(stringify(plain, { version: '1.1' })) as JsonValue)), plain)
  })
  fc.assert(property, { numRuns: 200 })
})

t.test('numbers as keys', async (t) => {
  t.strictSame([1.5, 0.00001, 123456.7, 1234567.5, Number.NaN, Number.NEGATIVE_INFINITY].map(floatKey), [
    '1.5',
    '1e-05',
    '123456.7',
    '1.2345675e+06',
    '.nan',
    '-.inf',
  ])
})
