// Versions as the Go programs of this field read them (blang/semver v4): strictly, tolerantly, and in order.
// npm's semver differs where it matters: numbers here go up to 2^64 - 1, and what is valid must be equal on both sides. Pure.

export interface SemanticVersion {
  /** Major, minor, patch. */
  readonly release: readonly [bigint, bigint, bigint]
  readonly prerelease: readonly (bigint | string)[]
  readonly build: readonly string[]
}

/** What a version that cannot be read counts as. */
export const ZERO_VERSION: SemanticVersion = { release: [0n, 0n, 0n], prerelease: [], build: [] }

const STRICT =
  /^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/
const NUMBER = /^[0-9]+$/
const BLANKS = /^\p{White_Space}+|\p{White_Space}+$/gu
/** Longer texts are no versions of anything, and reading them would only cost time. */
const LONGEST = 1024
const LARGEST_NUMBER = 0xffff_ffff_ffff_ffffn

/** `MAJOR.MINOR.PATCH[-PRERELEASE][+BUILD]` without leading zeros, or undefined. */
export function parseVersion(text: string): SemanticVersion | undefined {
  const match = text.length > LONGEST ? null : STRICT.exec(text)
  if (match === null) return undefined
  const release = [number(match[1]), number(match[2]), number(match[3])] as const
  const prerelease = match[4]?.split('.').map((part) => (NUMBER.test(part) ? number(part) : part)) ?? []
  if (release.includes(undefined) || prerelease.includes(undefined)) return undefined
  return {
    release: release as readonly [bigint, bigint, bigint],
    prerelease: prerelease as readonly (bigint | string)[],
    build: match[5]?.split('.') ?? [],
  }
}

/**
 * The normal form of a version written with blanks around it, a leading `v`, leading zeros or without minor and patch
 * (`v1.02` is `1.2.0`), or undefined where it is none even so.
 */
export function normaliseVersion(text: string): string | undefined {
  if (text.length > LONGEST) return undefined
  const [major = '', minor, ...rest] = text.replace(BLANKS, '').replace(/^v/, '').split('.')
  const parts = [major, ...(minor === undefined ? [] : [minor]), ...(rest.length === 0 ? [] : [rest.join('.')])]
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? '')) return undefined
  const normal = parts.map(withoutLeadingZeros)
  while (normal.length < 3) normal.push('0')
  const version = normal.join('.')
  return parseVersion(version) === undefined ? undefined : version
}

/** Semver precedence: negative, zero or positive as `a` is older than, level with or newer than `b`. Build metadata does not count. */
export function compareVersions(a: SemanticVersion, b: SemanticVersion): number {
  for (const [index, part] of a.release.entries()) {
    const other = b.release[index] ?? 0n
    if (part !== other) return part < other ? -1 : 1
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0) return b.prerelease.length - a.prerelease.length
  for (const [index, part] of a.prerelease.entries()) {
    const other = b.prerelease[index]
    if (other === undefined) return 1
    if (part === other) continue
    if (typeof part !== typeof other) return typeof part === 'bigint' ? -1 : 1
    return part < other ? -1 : 1
  }
  return a.prerelease.length - b.prerelease.length
}

function number(digits: string | undefined): bigint | undefined {
  if (digits === undefined || (digits.length > 1 && digits.startsWith('0'))) return undefined
  const value = BigInt(digits)
  return value > LARGEST_NUMBER ? undefined : value
}

function withoutLeadingZeros(part: string): string {
  const short = part.length > 1 ? part.replace(/^0+/, '') : part
  return /^[0-9]/.test(short) || part.length <= 1 ? short : `0${short}`
}
