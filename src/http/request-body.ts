// Bodies of requests: nothing here takes one. Read and dropped up to a bound, so that a client sees its answer and not a
// reset; above it the connection is closed.
import type { IncomingMessage, ServerResponse } from 'node:http'

export function dropBody(request: IncomingMessage, response: ServerResponse, bound: number): void {
  const length = request.headers['content-length']
  if (length === '0' || (length === undefined && request.headers['transfer-encoding'] === undefined)) return
  let received = 0
  // No further request can be trusted to begin where this body is said to end.
  response.shouldKeepAlive = false
  request.on('data', (chunk: Buffer) => {
    received += chunk.byteLength
    if (received <= bound) return
    request.pause()
    if (response.writableFinished) request.socket.destroy()
    else response.once('finish', () => request.socket.destroy())
  })
  request.on('error', () => undefined)
}
