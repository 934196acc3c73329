import fc from 'fast-check'
import t from 'tap'
import { parseRetryAfter, retryDelay } from '../../src/kube/back-off.ts'

const BACK_OFF = { initial: 100, longest: 5000 }

t.test('delays grow, stay below their bound, never fall below half, and are never the same for all', async (t) => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1000 }),
      fc.double({ min: 0, max: 0.999999, noNaN: true }),
      (failures, chance) => {
        const delay = retryDelay(failures, undefined, () => chance, BACK_OFF)
        const full = Math.min(5000, 100 * 2 ** Math.min(30, failures - 1))
        return delay >= full / 2 && delay < full
      },
    ),
  )
  t.not(
    retryDelay(5, undefined, () => 0, BACK_OFF),
    retryDelay(5, undefined, () => 0.9, BACK_OFF),
  )
})

t.test("a server's Retry-After is a lower bound, believed up to two minutes", async () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 10_000_000 }), (failures, asked) => {
      const delay = retryDelay(failures, asked, () => 0.5, BACK_OFF)
      return delay >= Math.min(asked, 120_000) && delay <= 120_000 + 5000 * 2
    }),
  )
})

t.test('Retry-After: seconds, a date, nonsense', async (t) => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  t.equal(parseRetryAfter('3', now), 3000)
  t.equal(parseRetryAfter('Thu, 01 Jan 2026 00:00:10 GMT', now), 10_000)
  t.equal(parseRetryAfter('Wed, 31 Dec 2025 00:00:00 GMT', now), 0)
  for (const text of [undefined, '', ' ', 'soon', '-1x'])
    t.equal(parseRetryAfter(text, now), undefined, text ?? 'absent')
})
