// Texts that must be those of the reference program: JSON as Go writes it, quoting, printing, JSON's and base64's faults.
import fc from 'fast-check'
import t from 'tap'
import { compareBytes } from '../../src/api/byte-order.ts'
import { base64Fault } from '../../src/file-based-catalog/base64-data.ts'
import { goFloat, goPlain, goTruth } from '../../src/file-based-catalog/go-print.ts'
import { jsonSyntaxFault } from '../../src/file-based-catalog/json-syntax.ts'
import { type JsonValue, jsonText } from '../../src/file-based-catalog/json-text.ts'
import { quoted } from '../../src/file-based-catalog/quoted-text.ts'

t.test('JSON', async (t) => {
  const table: readonly (readonly [value: JsonValue, text: string])[] = [
    [{ b: 1, a: [true, null] }, '{"a":[true,null],"b":1}'],
    [{ 10: 1, 9: 2 }, '{"10":1,"9":2}'],
    [{ '\ue000': 1, '\u{10000}': 2 }, '{"\ue000":1,"\u{10000}":2}'],
    [1e21, '1e+21'],
    [1e-7, '1e-7'],
    [-0, '-0'],
    [9007199254740993n, '9007199254740993'],
    ['<&>', '"<&>"'],
    ['\u2028', '"\\u2028"'],
    ['\ud800', '"\ufffd"'],
  ]
  for (const [value, text] of table) t.equal(jsonText(value), text)
  t.equal(jsonText({ a: '<&>' }, { escapeHtml: true }), '{"a":"\\u003c\\u0026\\u003e"}')
  const property = fc.property(fc.jsonValue(), (value) => {
    const plain = JSON.parse(JSON.stringify(value)) as JsonValue
    t.strictSame(JSON.parse(jsonText(plain)), plain)
  })
  fc.assert(property, { numRuns: 100 })
})

t.test('quoting', async (t) => {
  t.equal(quoted('a"b\\c\n\t\u0001\u007f'), '"a\\"b\\\\c\\n\\t\\x01\\x7f"')
  t.equal(quoted('ä\u00a0\u200b\u{1f600}'), '"ä\\u00a0\\u200b\u{1f600}"')
})

t.test('printing', async (t) => {
  t.strictSame([0, -0, 5, 999_999, 1e6, 1234567, 0.0001, 0.00001, 1e21].map(goFloat), [
    '0',
    '-0',
    '5',
    '999999',
    '1e+06',
    '1.234567e+06',
    '0.0001',
    '1e-05',
    '1e+21',
  ])
  t.equal(goPlain({ b: [1, null, 'x'], a: true }), 'map[a:true b:[1 <nil> x]]')
  t.equal(goTruth([1, null, 'x', true]), '[%!t(float64=1) <nil> %!t(string=x) true]')
})

t.test('syntax of JSON', async (t) => {
  const table: readonly (readonly [text: string, message: string, offset: number])[] = [
    ['{"a" 1}', "invalid character '1' after object key", 6],
    ['{"a":tru}', "invalid character '}' in literal true (expecting 'e')", 9],
    ['{"a":1.}', "invalid character '}' after decimal point in numeric literal", 8],
    ['{"a":1e}', "invalid character '}' in exponent of numeric literal", 8],
    ['{"a":-}', "invalid character '}' in numeric literal", 7],
    ['{"a":"\\x"}', "invalid character 'x' in string escape code", 8],
    ['{"a":"\\u12g4"}', "invalid character 'g' in \\u hexadecimal character escape", 11],
    ['[1 2]', "invalid character '2' after array element", 4],
    ["{'a'}", "invalid character '\\'' looking for beginning of object key string", 2],
    ['{} x', "invalid character 'x' after top-level value", 4],
    ['{"a', 'unexpected EOF', 3],
  ]
  for (const [text, message, offset] of table) t.strictSame(jsonSyntaxFault(text), { message, offset }, text)
  const mutated = fc.tuple(fc.json(), fc.nat(), fc.constantFrom('', '"', ',', ':', '}', ']', 'x', '0', '\\'))
  const property = fc.property(mutated, ([json, at, put]) => {
    const place = at % (json.length + 1)
    const text = json.slice(0, place) + put + json.slice(place + 1)
    t.equal(jsonSyntaxFault(text) === undefined, isJson(text), text)
  })
  fc.assert(property, { numRuns: 500 })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

t.test('base64', async (t) => {
  const table: readonly (readonly [text: string, place: number | undefined])[] = [
    ['', undefined],
    ['YWI=', undefined],
    ['YW\nI=\r\n', undefined],
    ['YW-_', 2],
    ['abc', 0],
    ['a===', 1],
    ['ab=d', 2],
    ['ab cd', 2],
    ['abcd=', 4],
  ]
  for (const [text, place] of table) t.equal(base64Fault(text), place, JSON.stringify(text))
  fc.assert(fc.property(fc.uint8Array(), (bytes) => base64Fault(Buffer.from(bytes).toString('base64')) === undefined))
})

t.test('order by bytes', async (t) => {
  const property = fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (left, right) => {
    t.equal(Math.sign(compareBytes(left, right)), Buffer.compare(Buffer.from(left), Buffer.from(right)))
  })
  fc.assert(property)
})
