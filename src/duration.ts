// Lengths of time as Go's flags write them (`1h30m`, `300ms`): text to milliseconds and back. Pure.

const UNIT_MS: Readonly<Record<string, number>> = {
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
  us: 0.001,
  µs: 0.001,
  ns: 1e-6,
}
const PART = /(\d+(?:\.\d*)?|\.\d+)(h|ms|m|s|us|µs|ns)/gy

/** Milliseconds, or undefined where the text is no duration. `0` needs no unit, every other number does. */
export function parseDuration(text: string): number | undefined {
  const negative = text.startsWith('-')
  const digits = text.replace(/^[-+]/, '')
  if (digits === '0') return 0
  let milliseconds = 0
  let read = 0
  for (const [part, amount, unit] of digits.matchAll(PART)) {
    milliseconds += Number(amount) * (UNIT_MS[unit ?? ''] ?? Number.NaN)
    read += part.length
  }
  if (read === 0 || read !== digits.length || !Number.isFinite(milliseconds)) return undefined
  return negative ? -milliseconds : milliseconds
}

/** The shortest such text: `90s` is `1m30s`, `300000` milliseconds are `5m`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds === 0) return '0s'
  if (milliseconds < 0) return `-${formatDuration(-milliseconds)}`
  if (milliseconds < 1000) return `${milliseconds}ms`
  const hours = Math.floor(milliseconds / 3_600_000)
  const minutes = Math.floor((milliseconds % 3_600_000) / 60_000)
  const seconds = (milliseconds % 60_000) / 1000
  return `${hours > 0 ? `${hours}h` : ''}${minutes > 0 ? `${minutes}m` : ''}${seconds > 0 ? `${seconds}s` : ''}`
}
