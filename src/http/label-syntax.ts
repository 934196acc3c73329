// What may be a label key or value (Kubernetes' object names and labels). Text in, the fault as the API server words it out.

const NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/
const SUBDOMAIN_LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const NAME_TEXT =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
const VALUE_TEXT =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
const SUBDOMAIN_TEXT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"

/** Faults of a qualified name (`name` or `prefix/name`), joined; undefined where it is a good one. */
export function labelKeyFault(key: string): string | undefined {
  const parts = key.split('/')
  if (parts.length > 2) {
    return `a qualified name ${NAME_TEXT} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`
  }
  const faults: string[] = []
  const [prefix, name] = parts.length === 2 ? parts : [undefined, parts[0]]
  if (prefix !== undefined) faults.push(...prefixFaults(prefix))
  faults.push(...nameFaults(name ?? ''))
  return faults.length === 0 ? undefined : faults.join('; ')
}

/** Faults of a label value, joined; undefined where it is a good one. */
export function labelValueFault(value: string): string | undefined {
  const faults: string[] = []
  if (value.length > 63) faults.push('must be no more than 63 bytes')
  if (value !== '' && !matchesName(value)) faults.push(VALUE_TEXT)
  return faults.length === 0 ? undefined : faults.join('; ')
}

function prefixFaults(prefix: string): string[] {
  if (prefix === '') return ['prefix part must be non-empty']
  const faults: string[] = []
  if (prefix.length > 253) faults.push('prefix part must be no more than 253 bytes')
  else if (!prefix.split('.').every((label) => SUBDOMAIN_LABEL.test(label)))
    faults.push(`prefix part ${SUBDOMAIN_TEXT}`)
  return faults
}

function nameFaults(name: string): string[] {
  const faults: string[] = []
  if (name === '') faults.push('name part must be non-empty')
  else if (name.length > 63) faults.push('name part must be no more than 63 bytes')
  if (name !== '' || faults.length > 0) if (!matchesName(name)) faults.push(`name part ${NAME_TEXT}`)
  return faults
}

/** The pattern backtracks within one run of characters only, and the run is cut to a bound first. */
function matchesName(text: string): boolean {
  return text.length <= 4096 && NAME.test(text)
}
