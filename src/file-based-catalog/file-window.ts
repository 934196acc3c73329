// A window that moves over a file: reads on as far as asked, forgets what was taken. Holds at most one document.
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

export interface FileWindow {
  /** What has been read and not been dropped. Valid until the next call of `more`. */
  bytes(): Buffer
  /** Where the window starts in the file. */
  offset(): number
  /** Reads on; false at the end of the file. Throws WindowFull where the window may not grow. */
  more(): Promise<boolean>
  drop(length: number): void
  close(): Promise<void>
}

/** One document is larger than allowed. */
export class WindowFull extends Error {}

const STEP_BYTES = 256 * 1024

/** `location` names a regular file: anything else that has taken its place meanwhile is refused, and never waited for. */
export async function openFileWindow(location: Buffer, maxBytes: number): Promise<FileWindow> {
  const handle = await open(location, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!(await handle.stat()).isFile()) throw new Error('is not a regular file')
    return windowOf(handle, maxBytes)
  } catch (thrown) {
    await handle.close()
    throw thrown
  }
}

function windowOf(handle: FileHandle, maxBytes: number): FileWindow {
  let buffer = Buffer.allocUnsafe(STEP_BYTES)
  let start = 0
  let end = 0
  let offset = 0
  function makeRoom(): void {
    const held = end - start
    if (held >= maxBytes) throw new WindowFull(`more than ${maxBytes} bytes`)
    const larger = held > buffer.length / 2 ? Buffer.allocUnsafe(buffer.length * 2) : buffer
    buffer.copy(larger, 0, start, end)
    buffer = larger
    start = 0
    end = held
  }
  return {
    bytes: () => buffer.subarray(start, end),
    offset: () => offset,
    async more() {
      if (end === buffer.length) makeRoom()
      const { bytesRead } = await handle.read(buffer, end, buffer.length - end)
      end += bytesRead
      return bytesRead > 0
    },
    drop(length) {
      start += length
      offset += length
      if (start !== end) return
      start = 0
      end = 0
      if (buffer.length > STEP_BYTES) buffer = Buffer.allocUnsafe(STEP_BYTES)
    },
    close: () => handle.close(),
  }
}
