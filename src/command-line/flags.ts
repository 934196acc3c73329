// One flag of a program: what it is called, what it takes, what it means. The table of a program's flags is the only
// place that names them; the type of its options, its `--help` and the README's table all follow from it.
import { parseDuration } from '../duration.ts'

interface FlagBase {
  /** One sentence for `--help`. */
  readonly help: string
  /** One letter, for `-p`. */
  readonly short?: string
  /** What stands for the value in `--help`; each kind has one of its own. */
  readonly placeholder?: string
  /** Heading under which `--help` shows it. */
  readonly group?: string
  /** Accepted, without effect: why it is not needed here. */
  readonly unneeded?: string
}

interface Checked<T> {
  /** What is wrong with this value, as the end of a sentence that begins with the value; undefined where nothing is. */
  readonly check?: (value: T) => string | undefined
}

export interface StringFlag extends FlagBase, Checked<string> {
  readonly kind: 'string'
  readonly default: string
}

export interface BooleanFlag extends FlagBase {
  readonly kind: 'boolean'
  readonly default: boolean
}

export interface IntegerFlag extends FlagBase, Checked<number> {
  readonly kind: 'integer'
  readonly default: number
  readonly min?: number
  readonly max?: number
}

/** A length of time in Go's writing; its value is in milliseconds. */
export interface DurationFlag extends FlagBase, Checked<number> {
  readonly kind: 'duration'
  readonly default: string
}

/** A number of bytes, written with the binary units of Kubernetes quantities: `64Mi`. Its value is in bytes. */
export interface SizeFlag extends FlagBase, Checked<number> {
  readonly kind: 'size'
  readonly default: string
}

/** Repeated or separated by commas; every use adds, the first use replaces the default. */
export interface ListFlag extends FlagBase, Checked<string> {
  readonly kind: 'list'
  readonly default: readonly string[]
}

/** As a list, but each use is one value: a comma does not separate. */
export interface RepeatedFlag extends FlagBase, Checked<string> {
  readonly kind: 'repeated'
  readonly default: readonly string[]
}

export interface ChoiceFlag extends FlagBase {
  readonly kind: 'choice'
  readonly choices: readonly string[]
  readonly default: string
}

export type FlagDefinition =
  | StringFlag
  | BooleanFlag
  | IntegerFlag
  | DurationFlag
  | SizeFlag
  | ListFlag
  | RepeatedFlag
  | ChoiceFlag

/** By name, without the dashes. */
export type FlagTable = Readonly<Record<string, FlagDefinition>>

type CamelCase<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name

type ValueOf<Flag extends FlagDefinition> = Flag extends { readonly kind: 'choice'; readonly choices: infer Choices }
  ? Choices extends readonly (infer Choice)[]
    ? Choice
    : never
  : Flag extends { readonly kind: 'boolean' }
    ? boolean
    : Flag extends { readonly kind: 'integer' | 'duration' | 'size' }
      ? number
      : Flag extends { readonly kind: 'list' | 'repeated' }
        ? readonly string[]
        : string

/** The options of a program: `--secure-port` is `securePort`. Durations are milliseconds. */
export type Options<Table extends FlagTable> = {
  readonly [Name in keyof Table & string as CamelCase<Name>]: ValueOf<Table[Name]>
}

export type FlagValue = string | boolean | number | readonly string[]

/** `secure-port` as a member name: `securePort`. */
export function memberName(flag: string): string {
  return flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}

/** The value where the flag is not given. */
export function defaultValue(flag: FlagDefinition): FlagValue {
  if (flag.kind === 'duration') return parseDuration(flag.default) ?? Number.NaN
  return flag.kind === 'size' ? (parseSize(flag.default) ?? Number.NaN) : flag.default
}

/** The value of one use of a flag. `{ reason }`: what is wrong, as the end of a sentence that begins with the text. */
export function readValue(
  flag: FlagDefinition,
  text: string,
): { readonly value: FlagValue } | { readonly reason: string } {
  switch (flag.kind) {
    case 'boolean':
      return readBoolean(text)
    case 'choice':
      return flag.choices.includes(text) ? { value: text } : { reason: `is not one of ${flag.choices.join(', ')}` }
    case 'integer': {
      const range = rangeReason(flag, text)
      return range === undefined ? checked(flag, Number(text)) : { reason: range }
    }
    case 'duration': {
      const value = parseDuration(text)
      return value === undefined ? { reason: 'is not a duration such as 30s, 5m or 1h30m' } : checked(flag, value)
    }
    case 'size': {
      const value = parseSize(text)
      return value === undefined ? { reason: 'is not a size such as 512Ki, 64Mi or 1Gi' } : checked(flag, value)
    }
    case 'string':
      return checked(flag, text)
    case 'list':
    case 'repeated': {
      const value = flag.kind === 'list' ? splitList(text) : [text]
      const reason = value.map((item) => flag.check?.(item)).find((wrong) => wrong !== undefined)
      return reason === undefined ? { value } : { reason }
    }
  }
}

function checked<T extends FlagValue>(flag: Checked<T>, value: T): { readonly value: T } | { readonly reason: string } {
  const reason = flag.check?.(value)
  return reason === undefined ? { value } : { reason }
}

/** The spellings that Go's strconv.ParseBool takes. */
function readBoolean(text: string): { readonly value: boolean } | { readonly reason: string } {
  if (/^(1|t|T|TRUE|true|True)$/.test(text)) return { value: true }
  if (/^(0|f|F|FALSE|false|False)$/.test(text)) return { value: false }
  return { reason: 'is neither true nor false' }
}

function rangeReason({ min, max }: IntegerFlag, text: string): string | undefined {
  const number = /^[-+]?\d+$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(number) && number >= (min ?? number) && number <= (max ?? number)) return undefined
  if (min !== undefined && max !== undefined) return `is not a whole number from ${min} to ${max}`
  return min === undefined ? 'is not a whole number' : `is not a whole number of ${min} or more`
}

const UNIT_BYTES: Readonly<Record<string, number>> = { Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 }

function parseSize(text: string): number | undefined {
  const [, digits, unit] = /^(\d{1,12})(Ki|Mi|Gi)?$/.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits) * (unit === undefined ? 1 : (UNIT_BYTES[unit] ?? Number.NaN))
}

/** Items separated by commas; one in double quotes may hold commas (RFC 4180, as Go's string slices read). */
function splitList(text: string): readonly string[] {
  if (text === '') return []
  return [...text.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  )
}
