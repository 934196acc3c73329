// Numbers that stand as keys of a YAML map, as the texts that the reference program makes of them.
import { goDigits } from './go-print.ts'

/** The shortest digits that tell it apart in single precision. */
export function floatKey(value: number): string {
  if (Number.isNaN(value)) return '.nan'
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf'
  for (let places = 0; places < 9; places++) {
    const digits = value.toExponential(places)
    if (Math.fround(Number(digits)) === Math.fround(value)) return goDigits(digits)
  }
  return goDigits(value.toExponential())
}
