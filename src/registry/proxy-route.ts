// Which way leads to a registry: directly, or through a proxy. Receives GRPC_PROXY and NO_PROXY as values, hands on a decision.
// Pure. HTTP_PROXY and HTTPS_PROXY are never asked: they are not meant for gRPC.
import { BlockList, isIP, isIPv4 } from 'node:net'
import { OlmError } from '../errors.ts'

export interface ProxySettings {
  /** `socks5://[user:password@]host:port`, `socks5h://…`, `http://…`; without a scheme `http` is meant. `""`: none. */
  readonly proxy: string
  /** Comma-separated hosts, domains, addresses and CIDRs, each with an optional port; `*`: all. */
  readonly noProxy: string
}

export interface RegistryProxy {
  readonly kind: 'socks5' | 'http-connect'
  /** Without brackets. */
  readonly host: string
  readonly port: number
  /** `""` where none is to be given. Never in a log. */
  readonly username: string
  readonly password: string
}

export const NO_PROXIES: ProxySettings = { proxy: '', noProxy: '' }

/** The values as the environment holds them; the upper-case names win. */
export function proxySettings(env: Readonly<Record<string, string | undefined>>): ProxySettings {
  return {
    proxy: env.GRPC_PROXY || env.grpc_proxy || '',
    noProxy: env.NO_PROXY || env.no_proxy || '',
  }
}

const KINDS: Readonly<Record<string, { readonly kind: RegistryProxy['kind']; readonly port: number }>> = {
  'socks5:': { kind: 'socks5', port: 1080 },
  'socks5h:': { kind: 'socks5', port: 1080 },
  'http:': { kind: 'http-connect', port: 80 },
}

/** Undefined where no proxy is set. Fails with USAGE where the value is no proxy that can be used. */
export function parseProxy(text: string): RegistryProxy | undefined {
  if (text.trim() === '') return undefined
  const url = parseUrl(text.trim())
  const known = KINDS[url?.protocol ?? '']
  if (url === undefined || known === undefined || url.hostname === '') {
    const reason = `GRPC_PROXY "${withoutCredentials(text)}": not socks5://host:port or http://host:port`
    throw new OlmError('USAGE', { reason })
  }
  return {
    kind: known.kind,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? known.port : Number(url.port),
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  }
}

function parseUrl(text: string): URL | undefined {
  const url = URL.parse(text.includes('://') ? text : `http://${text}`)
  return url ?? undefined
}

function withoutCredentials(text: string): string {
  return text.replace(/^([^/]*\/\/)?[^@/]*@/, '$1')
}

/** True where this registry is to be reached without the proxy: it is named, or it is this machine. */
export function isDirect(host: string, port: number, noProxy: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  if (name === 'localhost' || isLoopback(name)) return true
  return noProxy.split(/[\s,]+/).some((rule) => rule !== '' && covers(rule.toLowerCase(), name, port))
}

function covers(rule: string, host: string, port: number): boolean {
  if (rule === '*') return true
  const { name, onPort } = splitRule(rule)
  if (onPort !== undefined && onPort !== port) return false
  if (name.includes('/')) return inSubnet(name, host)
  if (isIP(name) !== 0) return isIP(host) !== 0 && sameAddress(name, host)
  const domain = name.replace(/^\*?\./, '').replace(/\.$/, '')
  const subdomain = domain !== '' && host.endsWith(`.${domain}`)
  // A leading dot names the domains below alone.
  return subdomain || (domain === host && !/^\*?\./.test(name))
}

function splitRule(rule: string): { readonly name: string; readonly onPort: number | undefined } {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(rule) ?? []
  const name = bracketed ?? plain ?? rule
  return { name, onPort: digits === undefined ? undefined : Number(digits) }
}

function inSubnet(cidr: string, host: string): boolean {
  const [network = '', bits = ''] = cidr.split('/')
  const family = isIP(network)
  const prefix = Number(bits)
  if (family === 0 || family !== isIP(host) || !/^\d+$/.test(bits) || prefix > (family === 4 ? 32 : 128)) return false
  const list = new BlockList()
  list.addSubnet(network, prefix, family === 4 ? 'ipv4' : 'ipv6')
  return list.check(host, family === 4 ? 'ipv4' : 'ipv6')
}

function sameAddress(a: string, b: string): boolean {
  if (isIP(a) !== isIP(b)) return false
  const list = new BlockList()
  list.addAddress(a, isIPv4(a) ? 'ipv4' : 'ipv6')
  return list.check(b, isIPv4(b) ? 'ipv4' : 'ipv6')
}

function isLoopback(host: string): boolean {
  if (isIPv4(host)) return host.startsWith('127.')
  return isIP(host) === 6 && sameAddress('::1', host)
}
