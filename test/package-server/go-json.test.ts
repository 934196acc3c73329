import fc from 'fast-check'
import t from 'tap'
import { goJson, goMap } from '../../src/package-server/go-json.ts'

t.test('HTML characters and line separators are escaped', async (t) => {
  t.equal(goJson('<a href="x">&\u2028\u2029'), '"\\u003ca href=\\"x\\"\\u003e\\u0026\\u2028\\u2029"')
  t.equal(goJson({ a: '\b\f\n\r\t\u0001\u007f' }), '{"a":"\\b\\f\\n\\r\\t\\u0001\u007f"}')
})

t.test('halves of surrogate pairs become U+FFFD, what only looks like one does not', async (t) => {
  t.equal(goJson('a\ud800b'), '"a\ufffdb"')
  t.equal(goJson('\\ud800'), '"\\\\ud800"')
  t.equal(goJson('\\\udc00'), '"\\\\\ufffd"')
  t.equal(goJson('😀'), '"😀"')
})

t.test('whatever goes in comes out of a parser again', async () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => JSON.stringify(JSON.parse(goJson(value))) === JSON.stringify(value)))
})

t.test('maps are sorted by the bytes of their keys', async (t) => {
  t.equal(
    goMap({ b: '1', a: '2', 10: '3', 9: '4', '\u{10000}': '5', '\uffff': '6' }),
    '{"10":"3","9":"4","a":"2","b":"1","\uffff":"6","\u{10000}":"5"}',
  )
})
