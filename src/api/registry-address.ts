// Where a CatalogSource's registry listens: `host:port`, from its spec or its status. Section 1 of the rule book. Pure.
import { isIPv6 } from 'node:net'

/** `status.registryService` of a CatalogSource. */
export interface RegistryAddress {
  readonly serviceName?: string | null
  readonly serviceNamespace?: string | null
  readonly port?: string | number | null
}

export type FoundAddress =
  | { readonly ok: true; readonly address: string | undefined }
  | { readonly ok: false; readonly path: readonly string[]; readonly reason: string }

/** `spec.address` wins; without both there is nothing to dial yet. */
export function registryAddress(
  address: string | null | undefined,
  service: RegistryAddress | null | undefined,
): FoundAddress {
  if (address) return found(address, ['spec', 'address'])
  const { serviceName, serviceNamespace, port } = service ?? {}
  if (!serviceName || !serviceNamespace || !port) return { ok: true, address: undefined }
  return found(`${serviceName}.${serviceNamespace}.svc:${port}`, ['status', 'registryService'])
}

function found(address: string, path: readonly string[]): FoundAddress {
  if (splitAddress(address) !== undefined) return { ok: true, address }
  return { ok: false, path, reason: `${path.join('.')} "${address}" is not host:port` }
}

export interface HostAndPort {
  /** A name, an IPv4 address or, without its brackets, an IPv6 address. */
  readonly host: string
  readonly port: number
}

const HOST_LABEL = '[a-z0-9_]([-a-z0-9_]{0,61}[a-z0-9_])?'
const HOST = new RegExp(`^${HOST_LABEL}(\\.${HOST_LABEL})*\\.?$`, 'i')

/** Undefined where the text is not `host:port` with a port from 1 to 65535; an IPv6 address stands in brackets. */
export function splitAddress(address: string): HostAndPort | undefined {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]*)\]|([^:[\]]*)):(\d{1,5})$/.exec(address) ?? []
  const port = Number(digits)
  if (!(port >= 1 && port <= 65535)) return undefined
  if (bracketed !== undefined) return isIPv6(bracketed) ? { host: bracketed, port } : undefined
  return plain !== undefined && plain.length <= 253 && HOST.test(plain) ? { host: plain, port } : undefined
}
