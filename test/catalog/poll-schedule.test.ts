import fc from 'fast-check'
import t from 'tap'
import { readyDelay, reconnectDelay, regularDelay } from '../../src/catalog/poll-schedule.ts'

const MINUTE = 60_000
const facts = { sinceAttempt: 0, failures: 0, interval: 5 * MINUTE, random: 0 }

t.test('after a good reading: the interval, with up to a tenth more', async (t) => {
  t.equal(regularDelay(facts), 5 * MINUTE)
  t.equal(regularDelay({ ...facts, random: 0.5 }), 5.25 * MINUTE)
  t.equal(regularDelay({ ...facts, sinceAttempt: 2 * MINUTE }), 3 * MINUTE)
  t.equal(regularDelay({ ...facts, sinceAttempt: 9 * MINUTE }), 0)
  t.equal(regularDelay({ ...facts, sinceAttempt: undefined }), 0)
})

t.test('after failures: doubling, half of it left to chance, at most half a minute', async (t) => {
  const delays = (random: number) =>
    [1, 2, 3, 4, 5, 6, 7, 100].map((failures) => regularDelay({ ...facts, failures, random }))
  t.strictSame(delays(0), [500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000])
  t.ok(delays(0.999).every((delay, index) => delay > (delays(0)[index] ?? 0) && delay < 30_000))
})

t.test('a connection that became ready', async (t) => {
  t.equal(readyDelay({ ...facts, sinceAttempt: undefined }), 0)
  t.equal(readyDelay({ ...facts, sinceAttempt: MINUTE }), 0, 'at once where the last reading is old')
  t.equal(readyDelay({ ...facts, sinceAttempt: 1000 }), 4000, 'else spaced out')
  t.equal(readyDelay({ ...facts, sinceAttempt: 100, failures: 3 }), 900, 'less so after a failure')
})

t.test(
  'whatever the facts: a wait that is finite and not negative, never longer than a regular one would be',
  async () => {
    const any = fc.record({
      sinceAttempt: fc.option(fc.double({ min: 0, max: 1e9, noNaN: true }), { nil: undefined }),
      failures: fc.nat(10_000),
      interval: fc.double({ min: 0, max: 1e9, noNaN: true }),
      random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    })
    fc.assert(
      fc.property(any, (one) => {
        const waits = [regularDelay(one), readyDelay(one), reconnectDelay(one.random)]
        if (one.failures > 0 && (waits[0] ?? 0) > 30_000) return false
        return waits.every((wait) => Number.isFinite(wait) && wait >= 0)
      }),
    )
  },
)
