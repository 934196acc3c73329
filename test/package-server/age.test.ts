import t from 'tap'
import { ageSince, ageText } from '../../src/package-server/age.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const YEAR = 365 * DAY

t.test('ages as kubectl writes them', async (t) => {
  const cases: readonly (readonly [number, string])[] = [
    [-2, '<invalid>'],
    [-1.5, '0s'],
    [0, '0s'],
    [119.9, '119s'],
    [120, '2m'],
    [150, '2m30s'],
    [599, '9m59s'],
    [600, '10m'],
    [3 * HOUR - 1, '179m'],
    [3 * HOUR, '3h'],
    [3 * HOUR + 60, '3h1m'],
    [8 * HOUR, '8h'],
    [48 * HOUR - 1, '47h'],
    [2 * DAY, '2d'],
    [2 * DAY + 5 * HOUR, '2d5h'],
    [8 * DAY, '8d'],
    [2 * YEAR - 1, '729d'],
    [2 * YEAR, '2y'],
    [3 * YEAR + 4 * DAY, '3y4d'],
    [9 * YEAR, '9y'],
  ]
  for (const [seconds, text] of cases) t.equal(ageText(seconds), text, String(seconds))
})

t.test('no beginning, no age', async (t) => {
  t.equal(ageSince(undefined, 5), '<unknown>')
  t.equal(ageSince(Date.parse('nonsense'), 5), '<unknown>')
  t.equal(ageSince(1000, 61_000), '60s')
})
