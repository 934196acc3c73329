// Under which names the standalone server is reached, from the address that it listens on. Pure.
import { isIPv6 } from 'node:net'

const LOOPBACK = ['localhost', '127.0.0.1', '::1']
const EVERYWHERE = new Set(['', '0.0.0.0', '::'])

/** What the serving certificate must hold. */
export function hostsOf(bindAddress: string): readonly string[] {
  return EVERYWHERE.has(bindAddress) || LOOPBACK.includes(bindAddress) ? LOOPBACK : [...LOOPBACK, bindAddress]
}

/** What a client on this machine calls. */
export function serverUrl(bindAddress: string, port: number): string {
  const host = EVERYWHERE.has(bindAddress) ? '127.0.0.1' : bindAddress
  return `https://${isIPv6(host) ? `[${host}]` : host}:${port}`
}
