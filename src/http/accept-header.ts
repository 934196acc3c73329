// The Accept header: text in, its clauses out, best first. Malformed clauses are left out.

export interface AcceptClause {
  readonly type: string
  readonly subtype: string
  readonly quality: number
  /** Names in lower case; without `q`. */
  readonly parameters: ReadonlyMap<string, string>
}

const MOST_CLAUSES = 64

const ANYTHING: readonly AcceptClause[] = [{ type: '*', subtype: '*', quality: 1, parameters: new Map() }]
const JSON_ONLY: readonly AcceptClause[] = [{ type: 'application', subtype: 'json', quality: 1, parameters: new Map() }]

/** By falling quality, concrete types before wildcards, else in the order of the header. Clauses of quality 0 are refusals and left out. */
export function parseAccept(header: string): readonly AcceptClause[] {
  // What most clients send, without a parse for each request.
  if (header === '*/*') return ANYTHING
  if (header === 'application/json') return JSON_ONLY
  return header
    .split(',', MOST_CLAUSES)
    .map(parseClause)
    .filter((clause) => clause !== undefined)
    .filter((clause) => clause.quality > 0)
    .sort((a, b) => b.quality - a.quality || wildcards(a) - wildcards(b))
}

function wildcards({ type, subtype }: AcceptClause): number {
  return Number(type === '*') + Number(subtype === '*')
}

function parseClause(text: string): AcceptClause | undefined {
  const [media = '', ...rest] = text.split(';')
  const [type = '', subtype, ...more] = media.trim().toLowerCase().split('/')
  if (type === '' || more.length > 0 || (subtype === undefined && type !== '*') || subtype === '') return undefined
  const parameters = new Map<string, string>()
  for (const parameter of rest) {
    const [name = '', ...value] = parameter.split('=')
    parameters.set(name.trim().toLowerCase(), value.join('=').trim().replaceAll('"', ''))
  }
  const quality = Number(parameters.get('q') ?? 1)
  parameters.delete('q')
  return { type, subtype: subtype ?? '*', quality: Number.isNaN(quality) ? 0 : Math.min(1, quality), parameters }
}

/** Whether an Accept-Encoding header lets an answer be gzipped. */
export function acceptsGzip(header: string): boolean {
  if (header === 'gzip') return true
  const wanted = header.split(',', MOST_CLAUSES).map((part) => {
    const [name = '', ...parameters] = part.trim().toLowerCase().split(';')
    const quality = parameters.map((one) => /^\s*q=([\d.]+)\s*$/.exec(one)?.[1]).find((one) => one !== undefined)
    return { name: name.trim(), quality: Number(quality ?? 1) }
  })
  const own = wanted.find(({ name }) => name === 'gzip' || name === 'x-gzip') ?? wanted.find(({ name }) => name === '*')
  return own !== undefined && own.quality > 0
}
