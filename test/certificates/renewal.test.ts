import t from 'tap'
import { renewalTime } from '../../src/certificates/renewal.ts'

t.test('in the last fifth, spread over its first half', async (t) => {
  const certificate = { validFromDate: new Date(1000), validToDate: new Date(11_000) }
  t.equal(renewalTime(certificate, 0), 9000)
  t.equal(renewalTime(certificate, 0.5), 9500)
  t.ok(renewalTime(certificate, 0.999_999) <= 10_000)
})
