import fc from 'fast-check'
import t from 'tap'
import { parseFieldSelector, parseLabelSelector } from '../../src/http/selectors.ts'
import { StatusError } from '../../src/http/status.ts'

type Labels = Readonly<Record<string, string>>

function refusal(parse: () => unknown): string | undefined {
  try {
    parse()
    return undefined
  } catch (fault) {
    if (fault instanceof StatusError && fault.status.code === 400) return fault.message
    throw fault
  }
}

/** One demand as text, with what it means written plainly. */
interface Demand {
  readonly text: string
  holds(labels: Labels): boolean
}

const key = fc.constantFrom('a', 'b', 'app', 'x.example.com/name', 'in', 'notin', 'a_b', 'constructor', 'toString')
const value = fc.constantFrom('', 'x', 'y', '1', '2', '10', 'in', 'notin', 'a.b-c_d')
/** Values that objects have and no selector can name. */
const owned = fc.oneof(value, fc.constantFrom('-3', 'Alpha Inc', '+7', '99999999999999999999'))
/** One empty value alone would be `()`, which is refused. */
const values = fc.array(value, { minLength: 1, maxLength: 4 }).filter((many) => many.join(',') !== '')
const blank = fc.constantFrom('', ' ', '  ', '\t', '\n')
const has = (labels: Labels, name: string) => Object.keys(labels).includes(name)

const demand: fc.Arbitrary<Demand> = fc.oneof(
  fc.tuple(key, fc.constantFrom('=', '=='), value, blank).map(([name, operator, one, space]) => ({
    text: `${space}${name}${space}${operator}${space}${one}${space}`,
    holds: (labels: Labels) => has(labels, name) && labels[name] === one,
  })),
  fc.tuple(key, value, blank).map(([name, one, space]) => ({
    text: `${name}${space}!=${space}${one}`,
    holds: (labels: Labels) => !has(labels, name) || labels[name] !== one,
  })),
  fc.tuple(key, values, blank).map(([name, many, space]) => ({
    text: `${name} in ${space}(${many.join(`${space},${space}`)})`,
    holds: (labels: Labels) => has(labels, name) && many.some((one) => one === labels[name]),
  })),
  fc.tuple(key, values, blank).map(([name, many, space]) => ({
    text: `${name} notin (${space}${many.join(',')}${space})`,
    holds: (labels: Labels) => !has(labels, name) || many.every((one) => one !== labels[name]),
  })),
  key.map((name) => ({ text: name, holds: (labels: Labels) => has(labels, name) })),
  fc.tuple(key, blank).map(([name, space]) => ({
    text: `!${space}${name}`,
    holds: (labels: Labels) => !has(labels, name),
  })),
  fc.tuple(key, fc.integer({ min: 0, max: 20 }), fc.constantFrom('<', '>')).map(([name, bound, operator]) => ({
    text: `${name}${operator}${bound}`,
    holds(labels: Labels) {
      const own = labels[name]
      if (!has(labels, name) || own === undefined || !/^[-+]?\d{1,18}$/.test(own)) return false
      return operator === '<' ? Number(own) < bound : Number(own) > bound
    },
  })),
)

const labels: fc.Arbitrary<Labels> = fc.array(fc.tuple(key, owned)).map((pairs) => {
  const map: Record<string, string> = Object.create(null)
  for (const [name, one] of pairs) map[name] = one
  return map
})

t.test('label selectors select what a plain evaluator selects', async () => {
  fc.assert(
    fc.property(fc.array(demand, { maxLength: 5 }), labels, (demands, subject) => {
      const selector = parseLabelSelector(demands.map((one) => one.text).join(','))
      return selector.matches(subject) === demands.every((one) => one.holds(subject))
    }),
    { numRuns: 2000 },
  )
})

t.test('any text is a selector that can be asked, or 400', async (t) => {
  const text = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.string({ unit: fc.constantFrom(...'ab01=!(),<> \\/-._in\0é'), maxLength: 40 }),
  )
  fc.assert(
    fc.property(text, labels, (one, subject) => {
      const fault = refusal(() => parseLabelSelector(one).matches(subject))
      refusal(() => parseFieldSelector(one).matches({ 'metadata.name': 'a', 'metadata.namespace': 'b' }))
      // What is not blank never passes as "everything".
      return fault !== undefined || parseLabelSelector(one).empty === (one.trim() === '')
    }),
    { numRuns: 2000 },
  )
  t.pass()
})

t.test('refusals name the part at fault, in the words of the API server', async (t) => {
  const prefix = 'unable to parse requirement: '
  const cases = {
    'a=b=c': "found '=', expected: ',' or 'end of string'",
    'provider=Alpha Inc': "found 'Inc', expected: ',' or 'end of string'",
    '!!': `${prefix}found '!', expected: identifier`,
    '!': `${prefix}found '', expected: identifier`,
    ',': "found ',', expected: !, identifier, or 'end of string'",
    '=a': "found '=', expected: !, identifier, or 'end of string'",
    'a,': "found '', expected: identifier after ','",
    'a,,b': "found ',', expected: identifier after ','",
    'a b': `${prefix}found 'b', expected: in, notin, =, ==, !=, gt, lt`,
    'a(b)': `${prefix}found '(', expected: in, notin, =, ==, !=, gt, lt`,
    'a in b': `${prefix}found 'b' expected: '('`,
    'a in (': `${prefix}found '', expected: ',', ')' or identifier`,
    'a in (b': `${prefix}found '', expected: ',' or ')'`,
    'a in (b c)': `${prefix}found 'c', expected: ',' or ')'`,
    'a in ()': `${prefix}values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty`,
    'a>': `${prefix}values[0]: Invalid value: "": for 'Gt', 'Lt' operators, the value must be an integer`,
    'a>b': `${prefix}values[0]: Invalid value: "b": for 'Gt', 'Lt' operators, the value must be an integer`,
    'a=(': `${prefix}found '(', expected: identifier`,
    '!a=b': "found '=', expected: ',' or 'end of string'",
  }
  for (const [text, message] of Object.entries(cases)) {
    t.equal(
      refusal(() => parseLabelSelector(text)),
      message,
      text,
    )
  }
  t.match(
    refusal(() => parseLabelSelector('-bad-=x')),
    /^unable to parse requirement: <nil>: Invalid value: "-bad-": name part must consist/,
  )
  t.match(
    refusal(() => parseLabelSelector('a/b/c')),
    /Invalid value: "a\/b\/c": a qualified name must consist/,
  )
  t.match(
    refusal(() => parseLabelSelector('/a')),
    /prefix part must be non-empty/,
  )
  t.match(
    refusal(() => parseLabelSelector('A.com/a')),
    /prefix part a lowercase RFC 1123 subdomain/,
  )
  t.match(
    refusal(() => parseLabelSelector(`${'a'.repeat(64)}`)),
    /name part must be no more than 63 bytes/,
  )
  t.match(
    refusal(() => parseLabelSelector(`a=${'b'.repeat(64)}`)),
    /values\[0\]\[a\]: Invalid value: "b+": must be no more than 63 bytes/,
  )
  t.match(
    refusal(() => parseLabelSelector('a=-b')),
    /values\[0\]\[a\]: Invalid value: "-b": a valid label must be/,
  )
})

t.test('field selectors', async (t) => {
  const subject = { 'metadata.name': 'alpha', 'metadata.namespace': 'olm' }
  const selects = (text: string) => parseFieldSelector(text).matches(subject)
  t.ok(selects(''))
  t.ok(selects('metadata.name=alpha'))
  t.ok(selects('metadata.name==alpha,metadata.namespace!=default'))
  t.ok(selects(',metadata.name=alpha,'))
  t.notOk(selects('metadata.name=alpha,metadata.name=beta'))
  t.notOk(selects('metadata.name!=alpha'))
  t.notOk(selects('metadata.name='))
  t.equal(parseFieldSelector('metadata.name=a\\,b\\=c\\\\').exactly('metadata.name'), 'a,b=c\\')
  t.equal(parseFieldSelector('metadata.name!=a').exactly('metadata.name'), undefined)
  const cases = {
    foo: "invalid selector: 'foo'; can't understand 'foo'",
    'metadata.name=a,foo': "invalid selector: 'metadata.name=a,foo'; can't understand 'foo'",
    'spec.foo=bar': '"spec.foo" is not a known field selector: only "metadata.name", "metadata.namespace"',
    'metadata.name=a=b': 'invalid field selector: unescaped character in value: 61',
    'metadata.name=a\\b': 'invalid field selector: invalid escape sequence: \\b',
    'metadata.name=a\\': 'invalid field selector: invalid escape sequence: \\',
  }
  for (const [text, message] of Object.entries(cases)) {
    t.equal(
      refusal(() => parseFieldSelector(text)),
      message,
      text,
    )
  }
})

t.test('exactly: the one value that a key must have', async (t) => {
  t.equal(parseLabelSelector('catalog=a,b').exactly('catalog'), 'a')
  t.equal(parseLabelSelector('catalog in (a)').exactly('catalog'), 'a')
  t.equal(parseLabelSelector('catalog in (a,a)').exactly('catalog'), 'a')
  for (const text of ['catalog in (a,b)', 'catalog!=a', 'catalog', 'b=a', '']) {
    t.equal(parseLabelSelector(text).exactly('catalog'), undefined, text)
  }
})

t.test('hostile texts take no time', async (t) => {
  const started = performance.now()
  const many = Array.from({ length: 8000 }, (_, index) => `v${index}`).join(',')
  const selector = parseLabelSelector(`a in (${many})`)
  for (let count = 0; count < 2000; count += 1) selector.matches({ a: 'zz' })
  for (const text of ['('.repeat(32_000), `a=${'-'.repeat(32_000)}`, `${'a.'.repeat(16_000)}/b`, '!'.repeat(32_000)]) {
    t.not(
      refusal(() => parseLabelSelector(text)),
      undefined,
    )
    refusal(() => parseFieldSelector(text))
  }
  refusal(() => parseFieldSelector(`metadata.name=${'\\'.repeat(32_000)}`))
  refusal(() => parseFieldSelector('!'.repeat(32_000)))
  t.ok(performance.now() - started < 1000, `${performance.now() - started} ms`)
})
