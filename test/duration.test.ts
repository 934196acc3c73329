import fc from 'fast-check'
import t from 'tap'
import { formatDuration, parseDuration } from '../src/duration.ts'

t.test('as Go reads them', async (t) => {
  const cases: readonly (readonly [string, number | undefined])[] = [
    ['5m', 300_000],
    ['12h', 43_200_000],
    ['1h30m', 5_400_000],
    ['1.5s', 1500],
    ['.5s', 500],
    ['300ms', 300],
    ['1500us', 1.5],
    ['-2s', -2000],
    ['+2s', 2000],
    ['0', 0],
    ['', undefined],
    ['5', undefined],
    ['m', undefined],
    ['5 m', undefined],
    ['5m ', undefined],
    ['1d', undefined],
    ['--5s', undefined],
    ['.s', undefined],
    ['1h-5m', undefined],
  ]
  for (const [text, milliseconds] of cases) t.equal(parseDuration(text), milliseconds, text)
})

t.test('written and read again', async (t) => {
  t.equal(formatDuration(300_000), '5m')
  t.equal(formatDuration(90_000), '1m30s')
  t.equal(formatDuration(0), '0s')
  t.equal(formatDuration(250), '250ms')
  fc.assert(fc.property(fc.integer({ min: -1e9, max: 1e9 }), (ms) => parseDuration(formatDuration(ms)) === ms))
})
