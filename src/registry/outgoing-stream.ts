// Sends messages down one server stream at the pace of its reader: what waits is a bounded number of messages.
import type { ServerWritableStream } from '@grpc/grpc-js'

/** Resolves when all is written or the caller is gone; rejects with whatever `messages` throws. Does not end the call. */
export async function sendAll<Message>(
  call: ServerWritableStream<unknown, Message>,
  messages: Iterable<Message> | AsyncIterable<Message>,
): Promise<void> {
  for await (const message of messages) {
    if (call.cancelled) return
    if (!call.write(message)) await roomOrGone(call)
  }
}

function roomOrGone(call: ServerWritableStream<unknown, unknown>): Promise<void> {
  if (call.cancelled) return Promise.resolve()
  return new Promise((resolve) => {
    const done = (): void => {
      for (const event of events) call.off(event, done)
      resolve()
    }
    const events = ['drain', 'cancelled', 'close', 'error'] as const
    for (const event of events) call.on(event, done)
  })
}
