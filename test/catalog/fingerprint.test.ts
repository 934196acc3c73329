import { hash } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { createFingerprint } from '../../src/catalog/fingerprint.ts'

function fingerprint(texts: readonly string[]): string {
  const made = createFingerprint()
  for (const text of texts) made.add(hash('sha256', text, 'base64'))
  return made.value()
}

t.test('the same for the same digests in any order, another for others', async (t) => {
  const texts = fc.array(fc.string({ maxLength: 4 }), { maxLength: 20 })
  fc.assert(fc.property(texts, (one) => fingerprint(one) === fingerprint([...one].sort())))
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      const same = JSON.stringify([...one].sort()) === JSON.stringify([...other].sort())
      return (fingerprint(one) === fingerprint(other)) === same
    }),
  )
  t.not(fingerprint(['a']), fingerprint(['a', 'a']), 'how often counts')
})
