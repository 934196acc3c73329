// The order of names on the wire: by the bytes of their UTF-8 form, as the Go programs of this field sort. Pure.

/** Negative, zero or positive as `a` sorts before, with or after `b`. Unlike `<`, it puts U+FFFD before U+10000. */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const x = a.charCodeAt(index)
    const y = b.charCodeAt(index)
    if (x !== y) return rank(x) - rank(y)
  }
  return a.length - b.length
}

/** UTF-16 puts surrogates (code points above U+FFFF) before U+E000; UTF-8 puts them last. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
