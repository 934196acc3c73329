// Bearer tokens: out of the Authorization header, or out of the WebSocket sub-protocol that browsers use for want of
// headers. Header texts in, a token out. A token never goes into a log or an answer.
const PROTOCOL_PREFIX = 'base64url.bearer.authorization.k8s.io.'

/** `""` for a WebSocket credential that does not decode: it is there, and no good. */
export function bearerTokenOf(authorization: string | undefined, protocols: string | undefined): string | undefined {
  const [scheme = '', token = ''] = (authorization ?? '').trim().split(' ', 2)
  if (scheme.toLowerCase() === 'bearer' && token !== '') return token
  const credentials = splitProtocols(protocols).filter((one) => one.startsWith(PROTOCOL_PREFIX))
  const [credential] = credentials
  if (credential === undefined) return undefined
  return credentials.length > 1 ? '' : decodeToken(credential.slice(PROTOCOL_PREFIX.length))
}

/** The sub-protocols that a WebSocket client offers, the credential taken out. */
export function offeredProtocols(protocols: string | undefined): readonly string[] {
  return splitProtocols(protocols).filter((one) => !one.startsWith(PROTOCOL_PREFIX))
}

function splitProtocols(protocols: string | undefined): string[] {
  return (protocols ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
}

function decodeToken(encoded: string): string {
  if (!/^[A-Za-z0-9_-]+$/.test(encoded)) return ''
  const bytes = Buffer.from(encoded, 'base64url')
  const token = bytes.toString('utf8')
  return Buffer.from(token).equals(bytes) ? token : ''
}
