// Where the JSON values of a stream end, found without reading them: braces and brackets counted, texts skipped.

export interface ValueScan {
  /** Bytes looked at so far, from the value's first. */
  at: number
  depth: number
  inText: boolean
  escaped: boolean
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

export function startScan(): ValueScan {
  return { at: 0, depth: 0, inText: false, escaped: false }
}

/**
 * Looks on through `bytes`, which begin with the value. The length of the value where its end is among them, otherwise
 * undefined: call again with more. What opens with neither brace nor bracket ends with the next blank.
 */
export function scanValue(bytes: Buffer, scan: ValueScan): number | undefined {
  while (scan.at < bytes.length) {
    if (scan.inText) skipText(bytes, scan)
    else if (endsWith(bytes[scan.at] ?? 0, scan)) return scan.at
  }
  return undefined
}

function skipText(bytes: Buffer, scan: ValueScan): void {
  for (let at = scan.at; at < bytes.length; at++) {
    const byte = bytes[at]
    if (scan.escaped) scan.escaped = false
    else if (byte === BACKSLASH) scan.escaped = true
    else if (byte === QUOTE) {
      scan.inText = false
      scan.at = at + 1
      return
    }
  }
  scan.at = bytes.length
}

function endsWith(byte: number, scan: ValueScan): boolean {
  if (scan.depth === 0 && scan.at > 0 && isBlank(byte)) return true
  scan.at++
  if (byte === QUOTE) scan.inText = true
  else if (byte === 0x7b || byte === 0x5b) scan.depth++
  else if (byte === 0x7d || byte === 0x5d) {
    scan.depth--
    return scan.depth <= 0
  }
  return false
}

/** Blanks of JSON (RFC 8259). */
export function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

export function leadingBlanks(bytes: Buffer): number {
  let length = 0
  while (length < bytes.length && isBlank(bytes[length])) length++
  return length
}
