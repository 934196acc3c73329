// Versions by Semantic Versioning 2.0.0, read as strictly as the reference program does and with its words for what is wrong.
import { quoted } from './quoted-text.ts'

export interface SemanticVersion {
  readonly major: bigint
  readonly minor: bigint
  readonly patch: bigint
  readonly prerelease: readonly string[]
  readonly build: readonly string[]
}

export type Read<Value> = { readonly value: Value } | { readonly reason: string }

const MAX_UINT64 = 2n ** 64n - 1n
const DIGITS = /^[0-9]*$/
const IDENTIFIER = /^[0-9A-Za-z-]*$/

export function readVersion(text: string): Read<SemanticVersion> {
  if (text === '') return { reason: 'Version string empty' }
  const match = /^([^.]*)\.([^.]*)\.(.*)$/s.exec(text)
  if (match === null) return { reason: 'No Major.Minor.Patch elements found' }
  const { patch, prerelease, build } = splitPatch(match[3] ?? '')
  const numbers: bigint[] = []
  for (const [kind, part] of [
    ['major', match[1] ?? ''],
    ['minor', match[2] ?? ''],
    ['patch', patch],
  ] as const) {
    const read = readNumber(part, kind)
    if ('reason' in read) return read
    numbers.push(read.value)
  }
  const reason = prerelease.map(prereleaseFault).find(isReason) ?? build.map(buildFault).find(isReason)
  if (reason !== undefined) return { reason }
  const [major = 0n, minor = 0n, patchNumber = 0n] = numbers
  return { value: { major, minor, patch: patchNumber, prerelease, build } }
}

/** Why a text is no identifier of a pre-release; undefined where it is one. */
export function prereleaseFault(text: string): string | undefined {
  if (text === '') return 'Prerelease is empty'
  if (!DIGITS.test(text)) {
    return IDENTIFIER.test(text) ? undefined : `Invalid character(s) found in prerelease ${quoted(text)}`
  }
  if (text.length > 1 && text.startsWith('0')) {
    return `Numeric PreRelease version must not contain leading zeroes ${quoted(text)}`
  }
  return BigInt(text) > MAX_UINT64 ? outOfRange(text) : undefined
}

export function versionText(version: SemanticVersion): string {
  const { major, minor, patch, prerelease, build } = version
  const tail = `${prerelease.length > 0 ? `-${prerelease.join('.')}` : ''}${build.length > 0 ? `+${build.join('.')}` : ''}`
  return `${major}.${minor}.${patch}${tail}`
}

/** By precedence; build metadata does not count. Negative, zero or positive. */
export function compareVersions(left: SemanticVersion, right: SemanticVersion): number {
  for (const part of ['major', 'minor', 'patch'] as const) {
    if (left[part] !== right[part]) return left[part] < right[part] ? -1 : 1
  }
  return comparePrereleases(left.prerelease, right.prerelease)
}

function comparePrereleases(left: readonly string[], right: readonly string[]): number {
  if (left.length === 0 || right.length === 0) return right.length - left.length
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const order = compareIdentifiers(left[index] ?? '', right[index] ?? '')
    if (order !== 0) return order
  }
  return left.length - right.length
}

function compareIdentifiers(left: string, right: string): number {
  const [leftIsNumber, rightIsNumber] = [DIGITS.test(left), DIGITS.test(right)]
  if (leftIsNumber !== rightIsNumber) return leftIsNumber ? -1 : 1
  if (!leftIsNumber) return left === right ? 0 : left < right ? -1 : 1
  const difference = BigInt(left) - BigInt(right)
  return difference === 0n ? 0 : difference < 0n ? -1 : 1
}

function splitPatch(text: string) {
  const plus = text.indexOf('+')
  const core = plus === -1 ? text : text.slice(0, plus)
  const dash = core.indexOf('-')
  return {
    patch: dash === -1 ? core : core.slice(0, dash),
    prerelease: dash === -1 ? [] : core.slice(dash + 1).split('.'),
    build: plus === -1 ? [] : text.slice(plus + 1).split('.'),
  }
}

function readNumber(text: string, kind: 'major' | 'minor' | 'patch'): Read<bigint> {
  if (!DIGITS.test(text)) return { reason: `Invalid character(s) found in ${kind} number ${quoted(text)}` }
  if (text.length > 1 && text.startsWith('0')) {
    const name = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`
    return { reason: `${name} number must not contain leading zeroes ${quoted(text)}` }
  }
  if (text === '') return { reason: 'strconv.ParseUint: parsing "": invalid syntax' }
  const value = BigInt(text)
  return value > MAX_UINT64 ? { reason: outOfRange(text) } : { value }
}

function buildFault(text: string): string | undefined {
  if (text === '') return 'Build meta data is empty'
  return IDENTIFIER.test(text) ? undefined : `Invalid character(s) found in build meta data ${quoted(text)}`
}

function outOfRange(text: string): string {
  return `strconv.ParseUint: parsing ${quoted(text)}: value out of range`
}

function isReason(reason: string | undefined): reason is string {
  return reason !== undefined
}
