// Header values and names as text. Node reads header bytes as Latin-1; Kubernetes means UTF-8 by them. Pure.

/** Bytes that are no UTF-8 become U+FFFD, as a Go client's JSON makes of them. */
export function headerText(value: string): string {
  for (let index = 0; index < value.length; index += 1) {
    if (value.charCodeAt(index) > 0x7f) return Buffer.from(value, 'latin1').toString('utf8')
  }
  return value
}

/** The key of an `…-Extra-<key>` header, percent-decoded; as sent where that fails. Lower case. */
export function extraKey(header: string, prefix: string): string {
  const key = header.slice(prefix.length).toLowerCase()
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}

/**
 * Every header whose name begins with `prefix` (lower case), by key, in the order sent. Never with a prototype: keys come
 * from outside.
 */
export function extraValues(
  headers: { headerNames(): readonly string[]; headerLines(name: string): readonly string[] },
  prefixes: readonly string[],
): Record<string, readonly string[]> {
  const extra: Record<string, readonly string[]> = Object.create(null)
  for (const prefix of prefixes.map((one) => one.toLowerCase())) {
    for (const name of headers.headerNames()) {
      if (!name.startsWith(prefix)) continue
      const key = extraKey(name, prefix)
      extra[key] = [...(extra[key] ?? []), ...headers.headerLines(name).map(headerText)]
    }
  }
  return extra
}
