// Why a text is no YAML, in the words of the reference program's reader as far as the two readers see the same thing.
import type { YAMLParseError } from 'yaml'
import { TOO_DEEP } from './value-check.ts'

type Kind = 'scanner' | 'parser'

const WORDS: readonly (readonly [pattern: RegExp, kind: Kind, words: string])[] = [
  [/^Plain value cannot start/, 'scanner', 'found character that cannot start any token'],
  [/^Tabs are not allowed/, 'scanner', 'found character that cannot start any token'],
  [/^Nested mappings are not allowed/, 'scanner', 'mapping values are not allowed in this context'],
  [/^Implicit map keys need|^Implicit keys need/, 'scanner', "could not find expected ':'"],
  [/^Unexpected block-seq-ind/, 'scanner', 'block sequence entries are not allowed in this context'],
  [/^Missing closing/, 'scanner', 'found unexpected end of stream'],
  [/^Flow sequence .* end with a \]/, 'parser', "did not find expected ',' or ']'"],
  [/^Flow map .* end with a \}/, 'parser', "did not find expected ',' or '}'"],
  [/^Missing directives-end/, 'parser', 'did not find expected <document start>'],
  [/^All mapping items must start at the same column/, 'parser', 'did not find expected key'],
  [/^All sequence items must start at the same column/, 'parser', "did not find expected '-' indicator"],
]

export function yamlReason(error: YAMLParseError, text: string): string {
  if (error.message.startsWith('Maximum call stack')) return `yaml: ${TOO_DEEP}`
  const [, kind = 'parser', words = error.message] = WORDS.find(([pattern]) => pattern.test(error.message)) ?? []
  // What should have ended a key is met where the key's text ends.
  const at = /^Nested mappings|^Implicit/.test(error.message) ? error.pos[1] : error.pos[0]
  const line = text.slice(0, at).split('\n').length - 1
  // The first line goes without a number, and the two halves of Go's reader count differently.
  return line === 0 ? `yaml: ${words}` : `yaml: line ${kind === 'scanner' ? line + 1 : line}: ${words}`
}
