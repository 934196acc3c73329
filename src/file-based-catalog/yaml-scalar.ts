// What a plain scalar of YAML means, by YAML 1.1 as the reference program's reader has it: `yes` and `on` are booleans,
// `1.10` is a number, base 60 is text.

export type Scalar = null | boolean | number | bigint | string

const WORDS: ReadonlyMap<string, Scalar> = new Map<string, Scalar>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, Number.NaN] as const),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map((word) => [word, Number.POSITIVE_INFINITY] as const),
  ...['-.inf', '-.Inf', '-.INF'].map((word) => [word, Number.NEGATIVE_INFINITY] as const),
])

const INTEGER = /^[+-]?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|[1-9][0-9]*|0)$/
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/
const TIMESTAMP =
  /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt][0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(?:\.[0-9]+)?(?:Z|[-+][0-9]{2}:[0-9]{2})| [0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(?:\.[0-9]+)?)?$/

const MIN_INT64 = -(2n ** 63n)
const MAX_UINT64 = 2n ** 64n - 1n

/** Whole numbers beyond 2^53 are handed on as bigint: some texts are passed on digit by digit. */
export function plainScalar(text: string): Scalar {
  const first = text.charCodeAt(0)
  if (Number.isNaN(first) || isWordStart(first)) {
    const word = WORDS.get(text)
    return word === undefined ? text : word
  }
  const isDigitOrSign = (first >= 0x30 && first <= 0x39) || first === 0x2b || first === 0x2d
  if (!isDigitOrSign && first !== 0x2e) return text
  const word = WORDS.get(text)
  if (word !== undefined) return word
  if (!isDigitOrSign) return FLOAT.test(text) ? finite(text, text) : text
  if (TIMESTAMP.test(text)) return text
  const plain = text.replaceAll('_', '')
  if (INTEGER.test(plain)) {
    const value = integer(plain)
    if (value !== undefined) return value
  }
  return FLOAT.test(plain) ? finite(plain, text) : text
}

/** Whether a text that reads as a number is a whole one, rather than a float that happens to be whole. */
export function isIntegerText(text: string): boolean {
  return INTEGER.test(text.replaceAll('_', ''))
}

/** Letters that begin one of the words: `yYnNtTfFoO~`. */
function isWordStart(code: number): boolean {
  return 'yYnNtTfFoO~'.includes(String.fromCharCode(code))
}

function integer(text: string): number | bigint | undefined {
  const negative = text.startsWith('-')
  const digits = text.replace(/^[+-]/, '')
  const octal = /^0[0-7]+$/.test(digits)
  const magnitude = BigInt(octal ? `0o${digits.slice(1)}` : digits)
  const value = negative ? -magnitude : magnitude
  // A sign makes it a signed number.
  if (value < MIN_INT64 || value > MAX_UINT64 || (text.startsWith('+') && value >= -MIN_INT64)) return undefined
  return Number.isSafeInteger(Number(value)) ? Number(value) : value
}

/** What is too large for a number is text. */
function finite(plain: string, text: string): number | string {
  const value = Number(plain)
  return Number.isFinite(value) ? value : text
}
