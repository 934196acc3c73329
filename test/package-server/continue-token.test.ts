import fc from 'fast-check'
import t from 'tap'
import { readContinueToken, writeContinueToken } from '../../src/package-server/continue-token.ts'

const place = fc.record({
  namespace: fc.string({ maxLength: 40 }),
  name: fc.string({ maxLength: 40 }),
  catalog: fc.string({ maxLength: 40 }),
  priority: fc.integer(),
})

t.test('a token says again what was written', async (t) => {
  fc.assert(
    fc.property(fc.option(fc.maxSafeNat(), { nil: undefined }), place, (version, after) => {
      const token = writeContinueToken({ version, after })
      t.match(token, /^[\w-]+$/)
      t.same(readContinueToken(token), { version, after })
    }),
  )
})

t.test('junk is none', async (t) => {
  const sound = { namespace: 'a', name: 'b', catalog: 'c', priority: 0 }
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const junk = [
    '',
    'junk',
    'a b',
    '%00',
    encode({}),
    encode([]),
    encode([1, 2, 3, 4, 5]),
    encode([1.5, 'a', 'b', 'c', 0]),
    encode([-2, 'a', 'b', 'c', 0]),
    encode([1, 'a', 'b', 'c', 'd']),
    `${writeContinueToken({ version: 1, after: sound })}=`,
    'A'.repeat(5000),
  ]
  for (const text of junk) t.equal(readContinueToken(text), undefined, text.slice(0, 40))
  fc.assert(fc.property(fc.string(), (text) => void readContinueToken(text)))
})
