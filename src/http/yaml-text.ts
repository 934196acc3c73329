// Values of JSON in, YAML text out, names sorted, as the API server prints objects. A writer of our own, because a list of
// megabytes must not hold up the event loop: general libraries build a tree of nodes first and need twenty times as long.
// test/http/yaml-text.test.ts holds it against such a library.

const PLAIN = /^[A-Za-z][A-Za-z0-9_./-]*( [A-Za-z0-9_./-]+)*$/
/** What YAML 1.1 or 1.2 reads as something else than text. */
const RESERVED = /^(y|n|yes|no|on|off|true|false|null|nan|inf|e\d+|~)$/i

/** Lines ended by line feeds; `depth` blanks before each. */
export function yamlText(value: unknown, depth = 0): string {
  const lines: string[] = []
  writeBlock(value, depth, lines)
  return lines.join('')
}

function writeBlock(value: unknown, depth: number, lines: string[]): void {
  const margin = ' '.repeat(depth)
  if (Array.isArray(value) && value.length > 0) {
    for (const item of value) writeItem(item, depth, lines)
    return
  }
  if (isMap(value)) {
    for (const name of Object.keys(value).sort()) writeMember(name, value[name], depth, lines)
    return
  }
  lines.push(`${margin}${scalar(value, depth)}\n`)
}

/** `- ` stands where the first member's margin would. */
function writeItem(item: unknown, depth: number, lines: string[]): void {
  const margin = ' '.repeat(depth)
  if (!isMap(item) && !isFullList(item)) {
    lines.push(`${margin}- ${scalar(item, depth)}\n`)
    return
  }
  const first = lines.length
  writeBlock(item, depth + 2, lines)
  lines[first] = `${margin}- ${(lines[first] ?? '').slice(depth + 2)}`
}

function writeMember(name: string, value: unknown, depth: number, lines: string[]): void {
  const head = `${' '.repeat(depth)}${text(name)}:`
  if (isMap(value)) {
    lines.push(`${head}\n`)
    writeBlock(value, depth + 2, lines)
  } else if (isFullList(value)) {
    lines.push(`${head}\n`)
    writeBlock(value, depth, lines)
  } else {
    lines.push(`${head} ${scalar(value, depth)}\n`)
  }
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
}

function isFullList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0
}

function scalar(value: unknown, depth: number): string {
  if (typeof value === 'string') return isPlainBlock(value) ? block(value, depth) : text(value)
  if (Array.isArray(value)) return '[]'
  if (typeof value === 'object' && value !== null) return '{}'
  return JSON.stringify(value ?? null)
}

/** Text of several lines that a literal block holds unchanged: it starts with no blank and ends with one line feed at most. */
const BLOCK =
  /^[!-~\u00a1-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd][\n\t -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]*$/u

function isPlainBlock(value: string): boolean {
  return value.includes('\n') && !value.endsWith('\n\n') && BLOCK.test(value)
}

function block(value: string, depth: number): string {
  const margin = ' '.repeat(depth + 2)
  const ended = value.endsWith('\n')
  const lines = (ended ? value.slice(0, -1) : value).split('\n')
  return `${ended ? '|' : '|-'}\n${lines.map((line) => (line === '' ? '' : margin + line)).join('\n')}`
}

/** Characters that JSON leaves as they are and some YAML readers do not. */
const UNSAFE = /[\u007f-\u009f\u2028\u2029\ufeff]/g

/** Plain where no reader could take it for something else; else quoted as JSON, which YAML reads unchanged. */
function text(value: string): string {
  if (PLAIN.test(value) && !RESERVED.test(value)) return value
  return JSON.stringify(value).replace(
    UNSAFE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
