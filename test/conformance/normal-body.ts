// A body in the form in which two equal answers are deeply equal: what the reference server leaves to chance (order of items
// and rows, of images) or to time (ages, resourceVersions, uids) is put aside. Pure.
import { parse } from 'yaml'

/** compare.mjs's, of the shared folder. */
export type Normalise = (value: unknown) => unknown

type Members = Readonly<Record<string, unknown>>

export function normalBody(body: Buffer, contentType: string, normalise: Normalise): unknown {
  const text = body.toString('utf8')
  if (contentType.startsWith('application/json'))
    return sorted(
      normalise(withoutListVersion(JSON.parse(text.replace(/"serverAddress":"[^"]*"/g, '"serverAddress":"OURS"')))),
    )
  if (contentType.startsWith('application/yaml')) return sorted(normalise(withoutListVersion(parse(text))))
  return text.trim()
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function withoutListVersion(value: unknown): unknown {
  if (!isMembers(value) || !isMembers(value.metadata) || value.metadata.name !== undefined) return value
  const { resourceVersion: _aside, ...metadata } = value.metadata
  return { ...value, metadata }
}

function sorted(value: unknown): unknown {
  if (!isMembers(value)) return value
  if (Array.isArray(value.items)) return { ...value, items: inOrder(value.items) }
  if (Array.isArray(value.rows)) return { ...value, rows: inOrder(value.rows.map(withoutAge)) }
  return value
}

/** Ages are text that time changes: that there is one is enough. */
function withoutAge(row: unknown): unknown {
  if (!isMembers(row) || !Array.isArray(row.cells)) return row
  const [name, catalog, age] = row.cells as unknown[]
  return { ...row, cells: [name, catalog, typeof age === 'string' && /^(\d+[a-z])+$/.test(age) ? 'AGE' : age] }
}

function inOrder(values: readonly unknown[]): unknown[] {
  return [...values].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

/** Whether JSON is spread over lines for people. */
export function isIndented(body: Buffer): boolean {
  return body.toString('utf8').startsWith('{\n  "')
}
