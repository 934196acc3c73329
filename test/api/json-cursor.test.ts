import fc from 'fast-check'
import t from 'tap'
import { JsonCursor, JsonSyntaxError } from '../../src/api/json-cursor.ts'

/** Everything, through the cursor. */
function read(cursor: JsonCursor): unknown {
  switch (cursor.kind()) {
    case 'object': {
      const object: Record<string, unknown> = {}
      cursor.object((key) => {
        Object.defineProperty(object, key, { value: read(cursor), enumerable: true, configurable: true })
      })
      return object
    }
    case 'array': {
      const list: unknown[] = []
      cursor.array(() => list.push(read(cursor)))
      return list
    }
    case 'string':
      return cursor.string()
    case 'boolean':
      return cursor.boolean()
    default:
      cursor.skip()
      return null
  }
}

/** The same without numbers, which the cursor never makes, and with well-formed strings. */
function expected(text: string): unknown {
  const value: unknown = JSON.parse(text, (_key, value) => (typeof value === 'number' ? null : value))
  return JSON.parse(JSON.stringify(value).replaceAll(/\\ud[89a-f][0-9a-f]{2}/g, '\ufffd'))
}

function outcome(text: string, use: (cursor: JsonCursor) => unknown): unknown {
  const cursor = new JsonCursor(text)
  try {
    const value = use(cursor)
    cursor.end()
    return { value }
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    return 'fault'
  }
}

function parseOutcome(text: string): unknown {
  try {
    return { value: expected(text) }
  } catch {
    return 'fault'
  }
}

t.test('reads what JSON.parse reads, and refuses what it refuses', async (t) => {
  const texts = [
    ...[
      '',
      ' ',
      '{',
      '}',
      '[',
      ']',
      '{}',
      '[]',
      ' [ ] ',
      '{"a"}',
      '{"a":}',
      '{"a":1,}',
      '[1,]',
      '[,1]',
      '{,}',
      '[1 2]',
    ],
    ...[
      '{"a":1 "b":2}',
      '{a:1}',
      "{'a':1}",
      '"',
      '"a',
      '"\\"',
      '"\\x"',
      '"\\u12"',
      '"\\u12g4"',
      '"\t"',
      '"\u007f\u2028"',
    ],
    ...[
      '01',
      '1.',
      '.1',
      '+1',
      '1e',
      '-',
      '--1',
      '1e+5',
      '-0.0E-1',
      'NaN',
      'Infinity',
      'nul',
      'truE',
      'true1',
      'nulll',
    ],
    ...[
      '"\\ud83d\\ude00"',
      '"\\ude00"',
      '"\\ud83dx"',
      '\ufeff{}',
      '{}\u00a0',
      '[[[{"a":[{}]}]]]',
      '{"a":{"b":[1,{"c":null}]},"d":"\\""}',
    ],
    ...['{"__proto__":{"a":"b"},"constructor":[]}', '1 2', '{}{}', '[}', '{]', '[{"a":[}]}', '/* */{}', '\n\r\t {}\n'],
  ]
  for (const [index, text] of texts.entries()) {
    t.equal(JSON.stringify(outcome(text, read)), JSON.stringify(parseOutcome(text)), `text ${index}`)
    const skipped = outcome(text, (cursor) => cursor.skip())
    t.equal(skipped === 'fault', parseOutcome(text) === 'fault', `skipping text ${index}`)
  }
})

t.test('properties against JSON.parse: any JSON, and JSON that was damaged in one place', async () => {
  const json = fc.json({ stringUnit: 'binary', maxDepth: 5 })
  fc.assert(
    fc.property(
      json,
      fc.nat(),
      fc.constantFrom('', '"', '{', ']', ',', ':', '\\', '0', 'e', ' ', '\n'),
      (text, at, piece) => {
        const damaged = text.slice(0, at % (text.length + 1)) + piece + text.slice((at % (text.length + 1)) + 1)
        for (const each of [text, damaged]) {
          const ours = outcome(each, read)
          if (JSON.stringify(ours) !== JSON.stringify(parseOutcome(each))) throw new Error(JSON.stringify([each, ours]))
          const skipped = outcome(each, (cursor) => cursor.skip())
          if ((skipped === 'fault') !== (ours === 'fault')) throw new Error(`skip differs on ${JSON.stringify(each)}`)
        }
      },
    ),
    { numRuns: 2000 },
  )
})

t.test('hostile depth costs no stack: 10,000 levels are read, more are refused', async (t) => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  t.strictSame(
    outcome(nested(10_000), (cursor) => cursor.skip()),
    { value: undefined },
  )
  t.throws(() => new JsonCursor(nested(10_001)).skip(), /nested more than 10000 deep at offset 10000/)
  t.throws(() => new JsonCursor('{"a":'.repeat(2_000_000)).skip(), /nested more than 10000 deep/)
})

t.test('faults say where', async (t) => {
  t.throws(() => new JsonCursor('{"a" 1}').skip(), { message: 'expected : at offset 5' })
  t.throws(() => new JsonCursor('["a\u0001"]').skip(), { message: 'control character in a string at offset 3' })
  t.throws(() => new JsonCursor('["a').skip(), { message: 'string without an end at offset 3' })
})
