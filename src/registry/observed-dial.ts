// The same connections, with somebody told of each call that ended and each connection made again. Receives a dial, hands on one that
// behaves alike.
import { isRegistryCallError } from './call-error.ts'
import type { ConnectionState } from './channel.ts'
import type { Dial, RegistryClient } from './client.ts'

export interface DialObserver {
  /** `code`: gRPC's name of the status, OK included. */
  registryCalled(method: string, code: string): void
  reconnected(): void
}

export function observedDial(dial: Dial, observer: DialObserver): Dial {
  return (address) => {
    const connection = dial(address)
    let timesReady = 0
    connection.onState((state: ConnectionState) => {
      if (state !== 'READY') return
      timesReady += 1
      if (timesReady > 1) observer.reconnected()
    })
    return { ...connection, client: observedClient(connection.client, observer) }
  }
}

function observedClient(client: RegistryClient, observer: DialObserver): RegistryClient {
  async function* stream<T>(method: string, source: AsyncIterable<T>): AsyncIterable<T> {
    let code = 'CANCELLED'
    try {
      yield* source
      code = 'OK'
    } catch (error) {
      code = codeOf(error)
      throw error
    } finally {
      observer.registryCalled(method, code)
    }
  }
  async function unary<T>(method: string, answer: Promise<T>): Promise<T> {
    try {
      const value = await answer
      observer.registryCalled(method, 'OK')
      return value
    } catch (error) {
      observer.registryCalled(method, codeOf(error))
      throw error
    }
  }
  return {
    listPackages: (options) => stream('ListPackages', client.listPackages(options)),
    listBundles: (options) => stream('ListBundles', client.listBundles(options)),
    getPackage: (request, options) => unary('GetPackage', client.getPackage(request, options)),
    getBundleForChannel: (request, options) =>
      unary('GetBundleForChannel', client.getBundleForChannel(request, options)),
  }
}

function codeOf(error: unknown): string {
  return isRegistryCallError(error) ? error.status : 'UNKNOWN'
}
