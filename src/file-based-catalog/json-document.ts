// One JSON value out of its text, or what is wrong and where, in the reference program's words.
import { jsonSyntaxFault } from './json-syntax.ts'
import type { JsonValue } from './json-text.ts'
import { checkValue, type ReadDocument } from './value-check.ts'

export function readJsonDocument(text: string): ReadDocument {
  try {
    return checkValue(JSON.parse(text) as JsonValue)
  } catch (thrown) {
    const fault = jsonSyntaxFault(text)
    if (fault !== undefined) return { fault }
    return { fault: { message: thrown instanceof Error ? thrown.message : String(thrown), offset: 0 } }
  }
}
