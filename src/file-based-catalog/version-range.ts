// Ranges of versions as `skipRange` bears them: `>=1.0.0 <1.2.0 || 2.x`. Only whether a text is a range, and why not:
// which versions it holds is OLM's own decision.
import { quoted } from './quoted-text.ts'
import { readVersion } from './semantic-version.ts'

const COMPARATORS: ReadonlySet<string> = new Set(['', '=', '==', '>', '>=', '<', '<=', '!', '!='])

/** Why a text is no range, in the reference program's words; undefined where it is one. */
export function rangeFault(text: string): string | undefined {
  const parts = splitParts(text)
  if (parts[0] === '||') return "First element in range is '||'"
  if (parts.length === 0 || parts.at(-1) === '||') return "Last element in range is '||'"
  const comparisons: string[] = []
  for (const part of parts) {
    if (part === '||') continue
    if (!part.includes('x')) comparisons.push(part)
    else if (/\p{Nd}/u.test(part)) comparisons.push(...withoutWildcard(part))
    else return noVersion(part)
  }
  for (const comparison of comparisons) {
    const reason = comparisonFault(comparison)
    if (reason !== undefined) return reason
  }
  return undefined
}

/** Blanks separate, except behind a comparator. A single character between blanks is dropped, as the reference does. */
function splitParts(text: string): readonly string[] {
  const parts: string[] = []
  let start = 0
  let before = ''
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index)
    if (character !== ' ') before = character
    else if (before === '' || !'<>='.includes(before)) {
      if (start < index - 1) parts.push(text.slice(start, index))
      start = index + 1
    }
  }
  if (start < text.length - 1) parts.push(text.slice(start))
  return parts.map((part) => part.replaceAll(' ', ''))
}

/** `1.x` as the comparisons that it stands for. */
function withoutWildcard(part: string): readonly string[] {
  const { comparator, version } = splitComparison(part)
  const flat = withZeros(version)
  switch (comparator) {
    case '>':
      return [`>=${incremented(version, flat)}`]
    case '>=':
    case '<':
      return [`${comparator}${flat}`]
    case '<=':
      return [`<${incremented(version, flat)}`]
    case '':
    case '=':
    case '==':
      return [`>=${flat}`, `<${incremented(version, flat)}`]
    case '!':
    case '!=':
      return [`<${flat}`, `>=${incremented(version, flat)}`]
    default:
      return [flat]
  }
}

function withZeros(version: string): string {
  const flat = version.replace('.x.x', '.x').replace('.x', '.0')
  return flat.split('.').length === 2 ? `${flat}.0` : flat
}

/** The next minor version where the third part is the wildcard, the next major where the second is; else nothing. */
function incremented(version: string, flat: string): string {
  const parts = version.split('.')
  const flatParts = flat.split('.')
  const place = parts.at(-1) === 'x' ? ({ 3: 1, 2: 0 } as const)[parts.length as 2 | 3] : undefined
  if (place === undefined || !/^[+-]?[0-9]+$/.test(flatParts[place] ?? '')) return ''
  return flatParts.map((part, index) => (index === place ? String(Number(part) + 1) : part)).join('.')
}

function comparisonFault(part: string): string | undefined {
  if (!/\p{Nd}/u.test(part)) return noVersion(part)
  const { comparator, version } = splitComparison(part)
  const whole = `${comparator}${version}`
  if (!COMPARATORS.has(comparator)) {
    return `Could not parse Range ${quoted(part)}: Could not parse comparator ${quoted(comparator)} in ${quoted(whole)}`
  }
  const read = readVersion(version)
  if ('value' in read) return undefined
  return `Could not parse Range ${quoted(part)}: Could not parse version ${quoted(version)} in ${quoted(whole)}: ${read.reason}`
}

function splitComparison(part: string): { readonly comparator: string; readonly version: string } {
  const start = part.search(/\p{Nd}/u)
  return { comparator: part.slice(0, start).trim(), version: part.slice(start) }
}

function noVersion(part: string): string {
  return `Could not get version from string: ${quoted(part)}`
}
