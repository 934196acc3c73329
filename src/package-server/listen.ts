// Takes the port, or says in the words of the command line why it cannot be had.
import { OlmError, reasonOf } from '../errors.ts'
import type { HttpServer } from '../http/server.ts'

/** Fails with PORT_IN_USE or LISTEN_FAILED. An empty host is every interface. */
export async function listen(server: HttpServer, host: string, port: number): Promise<number> {
  try {
    const taken = await server.listen({ host: host === '' ? '::' : host, port })
    return taken.port
  } catch (thrown) {
    const address = `${host.includes(':') ? `[${host}]` : host}:${port}`
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
    if (code === 'EADDRINUSE') throw new OlmError('PORT_IN_USE', { address, flag: '--secure-port' }, { cause: thrown })
    throw new OlmError('LISTEN_FAILED', { address, reason: listenReason(code, thrown) }, { cause: thrown })
  }
}

function listenReason(code: unknown, thrown: unknown): string {
  if (code === 'EADDRNOTAVAIL')
    return 'no interface of this machine has this address: choose another with --bind-address'
  if (code === 'EACCES') return 'this port is for the system administrator: choose another with --secure-port'
  return reasonOf(thrown)
}
