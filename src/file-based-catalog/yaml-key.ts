// Numbers that stand as keys of a YAML map, as the texts that the reference program makes of them.

/** The shortest decimal that single precision tells apart, with an exponent from a million on and below 0.0001. */
export function floatKey(value: number): string {
  if (Number.isNaN(value)) return '.nan'
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf'
  const digits = shortest(value)
  const exponent = Number(digits.slice(digits.indexOf('e') + 1))
  if (exponent >= -4 && exponent < 21) return String(Number(digits))
  const sign = exponent < 0 ? '-' : '+'
  return `${digits.slice(0, digits.indexOf('e'))}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`
}

function shortest(value: number): string {
  for (let places = 0; places < 9; places++) {
    const digits = value.toExponential(places)
    if (Math.fround(Number(digits)) === Math.fround(value)) return digits
  }
  return value.toExponential()
}
