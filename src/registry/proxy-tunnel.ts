// Asks a proxy for a way to a registry, on a connection to that proxy: SOCKS5 (RFC 1928, 1929) or HTTP CONNECT (RFC 9110, 9.3.6).
// Names are handed to the proxy as they are: this end looks none up. Receives a socket, hands it on when bytes pass through.
import type { Socket } from 'node:net'
import { isIPv4, isIPv6 } from 'node:net'
import { OlmError } from '../errors.ts'
import type { RegistryProxy } from './proxy-route.ts'
import { type ByteReader, readBytesOf } from './socket-bytes.ts'

export interface TunnelTarget {
  readonly host: string
  readonly port: number
}

/** Fails with REGISTRY_PROXY; the socket is then of no use and the caller's to destroy. */
export async function openTunnel(
  socket: Socket,
  proxy: RegistryProxy,
  target: TunnelTarget,
  timeoutMs: number,
): Promise<void> {
  const reader = readBytesOf(socket, timeoutMs)
  try {
    if (proxy.kind === 'socks5') await socks5(socket, reader, proxy, target)
    else await httpConnect(socket, reader, proxy, target)
  } catch (error) {
    const name = `${proxy.host}:${proxy.port}`
    throw new OlmError('REGISTRY_PROXY', { proxy: name, reason: reasonFor(error) }, { cause: error })
  } finally {
    reader.release()
  }
}

function reasonFor(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

const SOCKS_REPLIES = [
  'succeeded',
  'general failure',
  'not allowed by its rules',
  'network unreachable',
  'host unreachable',
  'connection refused',
  'time to live expired',
  'command not supported',
  'address type not supported',
]

async function socks5(
  socket: Socket,
  reader: ByteReader,
  proxy: RegistryProxy,
  { host, port }: TunnelTarget,
): Promise<void> {
  const withPassword = proxy.username !== ''
  socket.write(Buffer.from(withPassword ? [5, 2, 0, 2] : [5, 1, 0]))
  const choice = await reader.take(2)
  if (choice[0] !== 5) throw new Error('does not speak SOCKS5')
  if (choice[1] === 2 && withPassword) await authenticate(socket, reader, proxy)
  else if (choice[1] !== 0) throw new Error('accepts none of our ways to authenticate')

  socket.write(Buffer.concat([Buffer.from([5, 1, 0]), socksAddress(host), portBytes(port)]))
  const [, reply = 1, , type] = await reader.take(4)
  if (reply !== 0) throw new Error(`${host}:${port}: ${SOCKS_REPLIES[reply] ?? `refused with ${reply}`}`)
  const [named = 0] = type === 3 ? await reader.take(1) : []
  await reader.take((type === 1 ? 4 : type === 4 ? 16 : named) + 2)
}

async function authenticate(socket: Socket, reader: ByteReader, { username, password }: RegistryProxy): Promise<void> {
  socket.write(Buffer.concat([Buffer.from([1]), counted(username), counted(password)]))
  const answer = await reader.take(2)
  if (answer[1] !== 0) throw new Error('refuses the user name and password')
}

function counted(text: string): Buffer {
  const bytes = Buffer.from(text)
  if (bytes.length > 255) throw new Error('SOCKS5 has no room for a name of more than 255 bytes')
  return Buffer.concat([Buffer.from([bytes.length]), bytes])
}

function socksAddress(host: string): Buffer {
  if (isIPv4(host)) return Buffer.from([1, ...host.split('.').map(Number)])
  if (isIPv6(host)) return Buffer.concat([Buffer.from([4]), ipv6Bytes(host)])
  return Buffer.concat([Buffer.from([3]), counted(host)])
}

function portBytes(port: number): Buffer {
  return Buffer.from([port >> 8, port & 255])
}

function ipv6Bytes(host: string): Buffer {
  // The URL parser writes an IPv4 tail as hexadecimal groups.
  const canonical = new URL(`http://[${host}]`).hostname.slice(1, -1)
  const [head = '', tail] = canonical.split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)))
  const before = groups(head)
  const after = groups(tail ?? '')
  const zeros = new Array<number>(8 - before.length - after.length).fill(0)
  return Buffer.from([...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 255]))
}

/** Longest head of an answer to CONNECT, bytes. */
const LONGEST_HEAD = 16_384

async function httpConnect(
  socket: Socket,
  reader: ByteReader,
  proxy: RegistryProxy,
  target: TunnelTarget,
): Promise<void> {
  const host = isIPv6(target.host) ? `[${target.host}]` : target.host
  const authority = `${host}:${target.port}`
  const credentials = Buffer.from(`${proxy.username}:${proxy.password}`).toString('base64')
  const lines = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`]
  if (proxy.username !== '') lines.push(`Proxy-Authorization: Basic ${credentials}`)
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  const head = (await reader.takeThrough('\r\n\r\n', LONGEST_HEAD)).toString('latin1')
  const [, status = ''] = /^HTTP\/1\.[01] (\d{3})/.exec(head) ?? []
  if (status === '') throw new Error('does not speak HTTP')
  if (!status.startsWith('2')) throw new Error(`${authority}: answered ${status} to CONNECT`)
}
