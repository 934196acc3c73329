// References to images, read as strictly as the reference program reads them (the grammar of container registries).

const PATH_COMPONENT = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*'
const DOMAIN_COMPONENT = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])'
const DOMAIN = `${DOMAIN_COMPONENT}(?:\\.${DOMAIN_COMPONENT})*(?::[0-9]+)?`
const NAME = `(?:${DOMAIN}/)?(${PATH_COMPONENT}(?:/${PATH_COMPONENT})*)`
const TAG = '[\\w][\\w.-]{0,127}'
const DIGEST = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}'
const REFERENCE = new RegExp(`^${NAME}(?::${TAG})?(?:@(${DIGEST}))?$`)

const IDENTIFIER = /^[a-f0-9]{64}$/
const DIGEST_LENGTHS: Readonly<Record<string, number>> = { sha256: 64, sha384: 96, sha512: 128 }
const MAX_NAME_LENGTH = 255

/** Why a text is no reference to an image; undefined where it is one. */
export function imageFault(text: string): string | undefined {
  if (IDENTIFIER.test(text)) return `invalid repository name (${text}), cannot specify 64-byte hexadecimal strings`
  const full = withDomain(text)
  const remote = full.rest.split(':', 1)[0] ?? ''
  if (remote.toLowerCase() !== remote) return 'invalid reference format: repository name must be lowercase'
  const whole = `${full.domain}/${full.rest}`
  const match = REFERENCE.exec(whole)
  if (match === null) {
    return REFERENCE.test(whole.toLowerCase()) ? 'repository name must be lowercase' : 'invalid reference format'
  }
  const [, path = '', digest] = match
  if (`${full.domain}/${path}`.length > MAX_NAME_LENGTH) return 'repository name must not be more than 255 characters'
  return digest === undefined ? undefined : digestFault(digest)
}

/** Names without a registry are Docker Hub's. */
function withDomain(text: string): { readonly domain: string; readonly rest: string } {
  const slash = text.indexOf('/')
  const first = slash === -1 ? '' : text.slice(0, slash)
  const isDomain = first === 'localhost' || /[.:]/.test(first)
  const domain = !isDomain || first === 'index.docker.io' ? 'docker.io' : first
  const rest = isDomain ? text.slice(slash + 1) : text
  return { domain, rest: domain === 'docker.io' && !rest.includes('/') ? `library/${rest}` : rest }
}

function digestFault(digest: string): string | undefined {
  const colon = digest.indexOf(':')
  const [algorithm, encoded] = [digest.slice(0, colon), digest.slice(colon + 1)]
  const length = DIGEST_LENGTHS[algorithm]
  if (length === undefined) {
    return /^[a-z0-9]+(?:[.+_-][a-z0-9]+)*$/.test(algorithm)
      ? 'unsupported digest algorithm'
      : 'invalid checksum digest format'
  }
  if (encoded.length !== length) return 'invalid checksum digest length'
  return /^[a-f0-9]+$/.test(encoded) ? undefined : 'invalid checksum digest format'
}
