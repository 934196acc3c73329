import fc from 'fast-check'
import t from 'tap'
import { compareBytes } from '../../src/api/byte-order.ts'

t.test('sorts as the bytes of UTF-8 do, which UTF-16 does not', async (t) => {
  t.ok('\ufffd' > '\u{10000}', 'by UTF-16 units')
  t.ok(compareBytes('\ufffd', '\u{10000}') < 0, 'by bytes')
  t.ok(compareBytes('candidate-1.10', 'candidate-1.9') < 0)
  t.ok(compareBytes('Stable', 'alpha') < 0, 'upper case first')
  const text = fc.string({ unit: 'binary' })
  fc.assert(
    fc.property(text, text, (a, b) => {
      const byBytes = Buffer.compare(Buffer.from(a), Buffer.from(b))
      return Math.sign(compareBytes(a, b)) === byBytes
    }),
  )
})
