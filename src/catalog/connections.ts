// Station 2: one channel per catalog: opened, replaced on a new address or when it is dead, closed. A connection that is lost is
// made again at once, so that a registry that was replaced is noticed. Receives addresses, hands on clients and states.
import type { ConnectionState } from '../registry/channel.ts'
import type { Dial, RegistryClient } from '../registry/client.ts'
import type { Clock } from './clock.ts'
import { reconnectDelay } from './poll-schedule.ts'

export interface CatalogConnection {
  /** Undefined while there is nothing to dial. */
  readonly client: RegistryClient | undefined
  /** `NO_ADDRESS` while there is nothing to dial. */
  readonly state: ConnectionState | 'NO_ADDRESS'
  /** How often it became ready: a change tells that the process behind it may be another. */
  readonly readyCount: number
  /** Replaces the channel, also by one to the same address. Undefined: none. Fails with USAGE where a proxy cannot be used. */
  dial(address: string | undefined): void
  close(): void
}

export interface ConnectionOptions {
  readonly dial: Dial
  readonly clock: Pick<Clock, 'random' | 'after'>
  /** Called at each change of state. */
  readonly onState: (state: ConnectionState | 'NO_ADDRESS') => void
}

export function createConnection({ dial, clock, onState }: ConnectionOptions): CatalogConnection {
  let channel: ReturnType<Dial> | undefined
  let stopTelling = () => {}
  let stopWaiting = () => {}
  let readyCount = 0
  let wasReady = false

  function changed(state: ConnectionState): void {
    if (state === 'READY') readyCount++
    const lost = wasReady && state !== 'READY'
    wasReady = state === 'READY'
    onState(state)
    if (!lost) return
    stopWaiting()
    stopWaiting = clock.after(reconnectDelay(clock.random()), () => channel?.connect())
  }

  function close(): void {
    stopWaiting()
    stopTelling()
    channel?.close()
    channel = undefined
    wasReady = false
  }

  return {
    get client() {
      return channel?.client
    },
    get state() {
      return channel?.state() ?? 'NO_ADDRESS'
    },
    get readyCount() {
      return readyCount
    },
    dial(address) {
      close()
      if (address !== undefined) {
        channel = dial(address)
        stopTelling = channel.onState(changed)
      }
      onState(channel?.state() ?? 'NO_ADDRESS')
    },
    close,
  }
}
