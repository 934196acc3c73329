// Requests that Node's parser refuses before any handler sees them: answered on the bare socket with a Status, and closed.
import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { jsonBytes } from './json-bytes.ts'
import { badRequest, headersTooLarge, methodNotAllowed, requestTimeout, type StatusError } from './status.ts'

const MALFORMED = 'the request is not HTTP/1.1 as RFC 9112 has it'
const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
}

/** As Node's parser raises it. */
interface ParserFault extends NodeJS.ErrnoException {
  readonly rawPacket?: unknown
}

export function answerBrokenRequest(fault: ParserFault, socket: Duplex): void {
  // Node says it again for every piece that still comes.
  if (lingering.has(socket) && fault.code !== 'ECONNRESET') return
  if (!socket.writable || fault.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const { status, headers } = statusOf(fault)
  const body = jsonBytes(status)
  const lines = [
    `HTTP/1.1 ${status.code} ${REASONS[status.code] ?? ''}`,
    `audit-id: ${randomUUID()}`,
    'cache-control: no-cache, private',
    'content-type: application/json',
    `content-length: ${body.byteLength}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ]
  socket.end(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]))
  linger(socket)
}

/** A connection closed with bytes unread is reset, and the answer is lost with it: they are dropped for so long. Milliseconds. */
const LINGER = 500

/** Forgotten with their sockets. */
const lingering = new WeakSet<Duplex>()

function linger(socket: Duplex): void {
  lingering.add(socket)
  const cut = setTimeout(() => socket.destroy(), LINGER)
  socket.once('close', () => clearTimeout(cut))
}

/** A method (RFC 9110, 9.1) that Node has no name for, and a path after it. */
const UNKNOWN_METHOD = /^[\w!#$%&'*+.^`|~-]+ \//

function statusOf({ code, rawPacket }: ParserFault): StatusError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return headersTooLarge()
    case 'HPE_INVALID_METHOD':
      if (rawPacket instanceof Buffer && UNKNOWN_METHOD.test(rawPacket.toString('latin1', 0, 128))) {
        return methodNotAllowed('GET, HEAD')
      }
      return badRequest(MALFORMED)
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return requestTimeout()
    default:
      return badRequest(MALFORMED)
  }
}
