// Label and field selectors: the text of a query parameter in, a Selector out, or a 400 in the API server's words.
import type { StringMap } from '../api/meta.ts'
import { type Operator, parseInteger, parseRequirements, type Requirement, SelectorFault } from './label-selector.ts'
import type { SelectableFields, Selector } from './resource.ts'
import { badRequest } from './status.ts'

export interface LabelSelector extends Selector<StringMap> {
  readonly requirements: readonly Requirement[]
}

export interface FieldSelector extends Selector<SelectableFields> {
  readonly requirements: readonly FieldRequirement[]
}

export interface FieldRequirement {
  readonly key: keyof SelectableFields
  readonly operator: '=' | '!='
  readonly value: string
}

export const EVERYTHING: LabelSelector & FieldSelector = {
  requirements: [],
  empty: true,
  matches: () => true,
  exactly: () => undefined,
}

/** `a=b,c in (d,e),!f,g>1`; a blank text selects everything. */
export function parseLabelSelector(text: string): LabelSelector {
  const requirements = refusingFaults(() => parseRequirements(text))
  if (requirements.length === 0) return EVERYTHING
  const tests = requirements.map(labelTest)
  return {
    requirements,
    empty: false,
    matches: (labels) => tests.every((test) => test(labels)),
    exactly: (key) => requirements.find((one) => one.key === key && demandsOneValue(one))?.values[0],
  }
}

/** `metadata.name=a,metadata.namespace!=b`; empty terms are skipped, a backslash escapes `,`, `=` and itself. */
export function parseFieldSelector(text: string): FieldSelector {
  const requirements = refusingFaults(() => splitTerms(text).map((term) => fieldRequirement(text, term)))
  if (requirements.length === 0) return EVERYTHING
  return {
    requirements,
    empty: false,
    matches: (fields) => requirements.every((one) => (fields[one.key] === one.value) === (one.operator === '=')),
    exactly: (key) => requirements.find((one) => one.key === key && one.operator === '=')?.value,
  }
}

function demandsOneValue({ operator, values }: Requirement): boolean {
  return (operator === '=' || operator === '==' || operator === 'in') && values.length === 1
}

type LabelTest = (labels: StringMap) => boolean

function labelTest({ key, operator, values }: Requirement): LabelTest {
  const wanted = new Set(values)
  const own = (labels: StringMap) => (Object.hasOwn(labels, key) ? labels[key] : undefined)
  switch (operator) {
    case '=':
    case '==':
    case 'in':
      return (labels) => {
        const value = own(labels)
        return value !== undefined && wanted.has(value)
      }
    case '!=':
    case 'notin':
      return (labels) => {
        const value = own(labels)
        return value === undefined || !wanted.has(value)
      }
    case 'exists':
      return (labels) => Object.hasOwn(labels, key)
    case '!':
      return (labels) => !Object.hasOwn(labels, key)
    case '>':
    case '<':
      return numberTest(own, operator, parseInteger(values[0] ?? ''))
    default:
      return operator satisfies never
  }
}

/** A label that is no integer does not match. */
function numberTest(
  own: (labels: StringMap) => string | undefined,
  operator: Operator,
  bound: bigint | undefined,
): LabelTest {
  return (labels) => {
    const value = parseInteger(own(labels) ?? '')
    if (value === undefined || bound === undefined) return false
    return operator === '>' ? value > bound : value < bound
  }
}

const FIELDS: readonly string[] = ['metadata.name', 'metadata.namespace'] satisfies (keyof SelectableFields)[]

function fieldRequirement(selector: string, term: string): FieldRequirement {
  const found = /^(?<key>[^=!]*(?:!(?!=)[^=!]*)*)(?<operator>!=|==|=)(?<value>.*)$/s.exec(term)?.groups
  if (found === undefined) throw new SelectorFault(`invalid selector: '${selector}'; can't understand '${term}'`)
  const { key = '', operator, value = '' } = found
  const unescaped = unescapeValue(value)
  if (!isField(key)) {
    throw new SelectorFault(
      `${JSON.stringify(key)} is not a known field selector: only ${FIELDS.map((field) => JSON.stringify(field)).join(', ')}`,
    )
  }
  return { key, operator: operator === '!=' ? '!=' : '=', value: unescaped }
}

function isField(key: string): key is keyof SelectableFields {
  return FIELDS.includes(key)
}

/** At commas that no backslash escapes. */
function splitTerms(text: string): string[] {
  const terms: string[] = []
  let start = 0
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1
    else if (text[index] === ',') {
      terms.push(text.slice(start, index))
      start = index + 1
    }
  }
  terms.push(text.slice(start))
  return terms.filter((term) => term !== '')
}

function unescapeValue(value: string): string {
  let plain = ''
  for (let index = 0; index < value.length; index += 1) {
    const character = value.charAt(index)
    if (character === ',' || character === '=') {
      throw new SelectorFault(`invalid field selector: unescaped character in value: ${character.charCodeAt(0)}`)
    }
    if (character !== '\\') {
      plain += character
      continue
    }
    index += 1
    const escaped = value.charAt(index)
    if (escaped === '' || !'\\,='.includes(escaped)) {
      throw new SelectorFault(`invalid field selector: invalid escape sequence: \\${escaped}`)
    }
    plain += escaped
  }
  return plain
}

function refusingFaults<T>(parse: () => T): T {
  try {
    return parse()
  } catch (fault) {
    if (fault instanceof SelectorFault) throw badRequest(fault.message)
    throw fault
  }
}
