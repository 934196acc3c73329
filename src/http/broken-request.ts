// Requests that Node's parser refuses before any handler sees them: answered on the bare socket with a Status, and closed.
import type { Duplex } from 'node:stream'
import { jsonBytes } from './json-bytes.ts'
import { badRequest, headersTooLarge, methodNotAllowed, requestTimeout, type StatusError } from './status.ts'

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
}

export function answerBrokenRequest(fault: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || fault.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const { status, headers } = statusOf(fault.code ?? '')
  const body = jsonBytes(status)
  const lines = [
    `HTTP/1.1 ${status.code} ${REASONS[status.code] ?? ''}`,
    'cache-control: no-cache, private',
    'content-type: application/json',
    `content-length: ${body.byteLength}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ]
  socket.end(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]))
}

function statusOf(code: string): StatusError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return headersTooLarge()
    case 'HPE_INVALID_METHOD':
      return methodNotAllowed('GET, HEAD')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return requestTimeout()
    default:
      return badRequest('the request is not HTTP/1.1 as RFC 9112 has it')
  }
}
