// One recorded exchange with the reference server: the text of a file in, request and answer out. Pure.

export interface RecordedExchange {
  readonly name: string
  readonly method: string
  readonly path: string
  /** As sent, `Connection` and `Host` left out. */
  readonly headers: Readonly<Record<string, string>>
  readonly requestBody: string
  /** Whose certificate or token it was: `admin`, `viewer`, `front-proxy-client`, `satoken`, `None`. */
  readonly user: string
  readonly status: number
  readonly answerHeaders: Readonly<Record<string, string>>
  readonly body: Buffer
}

interface IndexLine {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly accept: string
  readonly user: string
  readonly status: number
}

/** A line of INDEX.tsv: name, method, path, Accept, user, status line, size. */
export function parseIndexLine(line: string): IndexLine {
  const [name = '', method = '', path = '', accept = '', user = '', status = ''] = line.split('\t')
  return { name: name.replace(/^direct\//, ''), method, path, accept, user, status: Number(status.split(' ')[1]) }
}

export function parseExchange(line: IndexLine, file: Buffer, binary: Buffer | undefined): RecordedExchange {
  const text = file.toString('latin1')
  const statusAt = text.search(/^HTTP\/1\.1 \d/m)
  const requestAt = text.indexOf('\n') + 1
  const request = splitMessage(text.slice(requestAt, statusAt))
  const answer = splitMessage(text.slice(statusAt))
  return {
    name: line.name,
    method: line.method,
    path: line.path,
    headers: headersOf(request.head),
    requestBody: Buffer.from(request.body.replace(/\n+$/, ''), 'latin1').toString('utf8'),
    user: line.user,
    status: line.status,
    answerHeaders: headersOf(answer.head),
    body: binary ?? Buffer.from(answer.body, 'latin1'),
  }
}

function splitMessage(text: string): { readonly head: readonly string[]; readonly body: string } {
  const end = text.indexOf('\n\n')
  const [head, body] = end === -1 ? [text, ''] : [text.slice(0, end), text.slice(end + 2)]
  return { head: head.split('\n').slice(1), body }
}

function headersOf(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    if (colon === -1 || ['host', 'connection', 'content-length'].includes(name)) continue
    headers[name] = line.slice(colon + 1).trim()
  }
  return headers
}
