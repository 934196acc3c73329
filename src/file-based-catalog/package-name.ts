// Names of packages: labels of DNS (RFC 1123), since objects of Kubernetes are named for them.

const MAX_LENGTH = 63
const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const IS_LABEL = new RegExp(`^${LABEL}$`)
const IS_SUBDOMAIN = new RegExp(`^${LABEL}(\\.${LABEL})*$`)

const NO_LABEL =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an " +
  `alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${LABEL}')`

/** Why a text cannot name a package, in Kubernetes' words; empty where it can. */
export function packageNameFaults(name: string): readonly string[] {
  const faults: string[] = []
  if (Buffer.byteLength(name) > MAX_LENGTH) faults.push(`must be no more than ${MAX_LENGTH} characters`)
  if (!IS_LABEL.test(name)) faults.push(IS_SUBDOMAIN.test(name) ? 'must not contain dots' : NO_LABEL)
  return faults
}
