// How long ago something was, in the words that kubectl's tables use: exact while young, rounded when old. Pure.

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const YEAR = 365 * DAY

/** The text for an age in seconds; less than a second ahead of us is now, more is nonsense. */
export function ageText(seconds: number): string {
  if (seconds <= -2) return '<invalid>'
  if (seconds < 0) return '0s'
  if (seconds < 2 * MINUTE) return `${Math.floor(seconds)}s`
  if (seconds < 10 * MINUTE) return both(seconds, MINUTE, 'm', 1, 's')
  if (seconds < 3 * HOUR) return one(seconds, MINUTE, 'm')
  if (seconds < 8 * HOUR) return both(seconds, HOUR, 'h', MINUTE, 'm')
  if (seconds < 2 * DAY) return one(seconds, HOUR, 'h')
  if (seconds < 8 * DAY) return both(seconds, DAY, 'd', HOUR, 'h')
  if (seconds < 2 * YEAR) return one(seconds, DAY, 'd')
  if (seconds < 8 * YEAR) return both(seconds, YEAR, 'y', DAY, 'd')
  return one(seconds, YEAR, 'y')
}

/** The same between two moments in milliseconds; `<unknown>` where there is no beginning. */
export function ageSince(begin: number | undefined, now: number): string {
  return begin === undefined || Number.isNaN(begin) ? '<unknown>' : ageText((now - begin) / 1000)
}

function one(seconds: number, unit: number, letter: string): string {
  return `${Math.floor(seconds / unit)}${letter}`
}

function both(seconds: number, large: number, largeLetter: string, small: number, smallLetter: string): string {
  const rest = Math.floor((seconds % large) / small)
  return one(seconds, large, largeLetter) + (rest === 0 ? '' : `${rest}${smallLetter}`)
}
