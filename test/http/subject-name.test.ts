import { X509Certificate } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { issueAuthority, issueClient } from '../../src/certificates/issue.ts'
import { subjectNames } from '../../src/http/subject-name.ts'

const HOUR = { now: Date.now(), lifetime: 3_600_000 }
const authority = await issueAuthority('authority', HOUR)

// The library that issues reads `#…` as an encoded value, and backslashes as escapes.
t.test('the names that were put in come out, whatever they are', async () => {
  const name = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
    .filter((text) => text.isWellFormed() && !/^#|\\/.test(text))
  await fc.assert(
    fc.asyncProperty(name, fc.array(name, { maxLength: 3 }), async (user, groups) => {
      const { certificate } = await issueClient(authority, { user, groups }, HOUR)
      const found = subjectNames(new X509Certificate(certificate))
      return (
        found.commonName === user &&
        JSON.stringify(found.organizations) === JSON.stringify(groups) &&
        found.uid === undefined
      )
    }),
    { numRuns: 40 },
  )
})

t.test('names that print like others are not others', async (t) => {
  for (const user of ['a\nO=system:masters', 'a + O=system:masters', 'a, O=system:masters', 'a\0b', '/CN=b', '']) {
    if (user === '') continue
    const { certificate } = await issueClient(authority, { user, groups: ['g'] }, HOUR)
    t.match(subjectNames(new X509Certificate(certificate)), { commonName: user, organizations: ['g'] })
  }
})

t.test('bytes that are no certificate have no names, and never break the reader', async () => {
  const { certificate } = await issueClient(authority, { user: 'user', groups: ['a', 'b'] }, HOUR)
  const whole = new X509Certificate(certificate).raw
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const { commonName, organizations } = subjectNames({ raw: Buffer.from(bytes) })
      return typeof commonName === 'string' && Array.isArray(organizations)
    }),
  )
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, value) => {
      const changed = Buffer.from(whole)
      changed[at] = value
      return typeof subjectNames({ raw: changed }).commonName === 'string'
    }),
    { numRuns: 500 },
  )
  fc.assert(
    fc.property(fc.nat(whole.length), (end) =>
      Array.isArray(subjectNames({ raw: whole.subarray(0, end) }).organizations),
    ),
  )
})
